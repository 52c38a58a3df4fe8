"""The tool passes LangChain's standard tests and says what is wrong."""

from __future__ import annotations

import json

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_tests.unit_tests import ToolsUnitTests

from grapheval import Evaluation
from langchain_grapheval import GraphEvalTool
from tests.guard.helpers import CONTEXT, pipeline

WRONG = "Bergen is a wrong town."


class TestStandard(ToolsUnitTests):
    @property
    def tool_constructor(self) -> type[BaseTool]:
        return GraphEvalTool

    @property
    def tool_constructor_params(self) -> dict[str, object]:
        return {"pipeline": pipeline()}

    @property
    def tool_invoke_params_example(self) -> dict[str, object]:
        return {"answer": WRONG, "context": [CONTEXT]}


@pytest.fixture
def tool() -> GraphEvalTool:
    return GraphEvalTool(pipeline=pipeline())


def test_what_the_model_sees(tool: GraphEvalTool) -> None:
    arguments = {"answer": f"Oslo is the capital of Norway. {WRONG}", "context": [CONTEXT]}
    got = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": arguments})
    assert isinstance(got, ToolMessage)
    assert json.loads(str(got.content)) == {
        "status": "inconsistent",
        "reason": None,
        "groundedness": 0.02,
        "not_supported": [{"statement": WRONG, "label": "unsupported", "evidence": []}],
    }
    assert isinstance(got.artifact, Evaluation)


async def test_async(tool: GraphEvalTool) -> None:
    got = json.loads(await tool.ainvoke({"answer": "Sorry, nothing.", "context": []}))
    assert (got["status"], got["groundedness"]) == ("abstained", None)
