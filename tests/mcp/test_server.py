from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from grapheval import Correction, CorrectionStatus, Evaluation, GraphEval, ModelError, Status
from grapheval.mcp import create_server
from grapheval.serve import Limits
from grapheval.testing import FakeExtractor, FakeVerifier

ANSWER = "Oslo is the capital of Norway. Oslo has nine million inhabitants."
CLAIMS = [("Oslo", "is the capital of", "Norway"), ("Oslo", "has", "nine million inhabitants")]
CONTEXT = "Oslo is the capital of Norway. Oslo has about 700,000 inhabitants."


class Keeps:
    """A corrector that keeps the answer."""

    info = "keeps"

    def correct(self, sample: Any, before: Evaluation, evaluate: Any) -> Correction:
        return Correction(sample.answer, (), before, None, CorrectionStatus.FAILED)


def pipeline(**stages: Any) -> GraphEval:
    judge = {"Oslo has nine million inhabitants": 0.02, "Oslo is the capital of Norway": 0.97}
    made: dict[str, Any] = {
        "extractor": FakeExtractor({ANSWER: CLAIMS}),
        "verifier": FakeVerifier(judge),
        "corrector": Keeps(),
    }
    return GraphEval(**(made | stages))


async def test_the_tools_are_described() -> None:
    async with Client(create_server(pipeline())) as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
    assert sorted(tools) == ["check", "correct", "health"]
    assert sorted(tools["check"].input_schema["properties"]) == ["answer", "contexts", "question"]
    assert tools["check"].input_schema["required"] == ["answer", "contexts"]
    assert tools["check"].annotations is not None
    assert tools["check"].annotations.read_only_hint is True


async def test_check_is_the_evaluation() -> None:
    async with Client(create_server(pipeline())) as agent:
        result = await agent.call_tool("check", {"answer": ANSWER, "contexts": [CONTEXT]})
    assert not result.is_error
    assert result.structured_content is not None
    found = Evaluation.from_dict(result.structured_content)
    assert found.status is Status.INCONSISTENT
    assert [verdict.flagged for verdict in found.verdicts] == [False, True]


async def test_correct_and_health() -> None:
    async with Client(create_server(pipeline())) as agent:
        result = await agent.call_tool("correct", {"answer": ANSWER, "contexts": [CONTEXT], "question": "What?"})
        assert result.structured_content is not None
        assert Correction.from_dict(result.structured_content).status is CorrectionStatus.FAILED
        health = await agent.call_tool("health", {})
        assert health.structured_content is not None
        assert health.structured_content["status"] == "ok"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"answer": ANSWER}, "contexts"),
        ({"answer": 7, "contexts": []}, "answer"),
        ({"answer": "x" * 30_000, "contexts": []}, "input_error: the answer has 30,000 characters"),
    ],
)
async def test_bad_input_is_an_error_that_the_agent_can_read(arguments: dict[str, Any], message: str) -> None:
    async with Client(create_server(pipeline())) as agent:
        result = await agent.call_tool("check", arguments)
    assert result.is_error
    assert message in result.content[0].text  # type: ignore[union-attr]


async def test_failures_are_typed() -> None:
    broken = FakeVerifier(fail=ModelError("the model is gone", retryable=True))
    async with Client(create_server(pipeline(verifier=broken))) as agent:
        result = await agent.call_tool("check", {"answer": ANSWER, "contexts": [CONTEXT]})
        assert result.is_error
        assert "model_error: the model is gone (try again)" in result.content[0].text  # type: ignore[union-attr]
    async with Client(create_server(pipeline(corrector=None))) as agent:
        result = await agent.call_tool("correct", {"answer": ANSWER, "contexts": [CONTEXT]})
        assert "no corrector" in result.content[0].text  # type: ignore[union-attr]


async def test_a_full_queue_is_said() -> None:
    class Held(FakeVerifier):
        async def averify(self, pairs: Any) -> Any:
            asked.set()
            await go.wait()
            return self.verify(pairs)

    asked, go = asyncio.Event(), asyncio.Event()
    server = create_server(pipeline(verifier=Held()), limits=Limits(running=1, waiting=0))
    ask = {"answer": ANSWER, "contexts": [CONTEXT]}
    async with Client(server) as agent:
        first = asyncio.create_task(agent.call_tool("check", ask))
        await asked.wait()
        second = await agent.call_tool("check", ask)
        assert "busy" in second.content[0].text  # type: ignore[union-attr]
        go.set()
        assert not (await first).is_error


async def test_the_program_speaks_over_standard_input_and_output() -> None:
    """The real pipeline in a process of its own, as an agent's host starts it."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "grapheval", "mcp"], env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    async with Client(command) as agent:
        result = await agent.call_tool(
            "check",
            {
                "answer": "The library was founded by Paul Stone.",
                "contexts": ["The library was founded by Mary Doyle."],
            },
        )
    assert result.structured_content is not None
    assert result.structured_content["status"] == "inconsistent"
