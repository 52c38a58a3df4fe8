"""The guard as a node of real graphs."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command

from grapheval import InputError
from langchain_grapheval import GraphEvalNode
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."


class Rag(TypedDict, total=False):
    question: str
    context: list[Document]
    answer: str
    grapheval: dict[str, Any]
    visited: Annotated[list[str], operator.add]


class Chat(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    grapheval: dict[str, Any]


def node(**settings: Any) -> GraphEvalNode:
    return GraphEvalNode(pipeline=pipeline(TableCorrector({WRONG: FIXED})), block_message="No.", **settings)


def rag(guard: GraphEvalNode, **settings: Any) -> Any:
    graph = StateGraph(Rag)
    graph.add_node("guard", guard, destinations=("fix", END))
    graph.add_node("fix", lambda state: {"answer": "fixed", "visited": ["fix"]})
    graph.add_edge(START, "guard")
    graph.add_edge("fix", END)
    return graph.compile(**settings)


def test_an_answer_in_the_state() -> None:
    got = rag(node()).invoke({"context": [Document(CONTEXT)], "answer": f"{GOOD} {WRONG}", "question": "?"})
    assert got["answer"] == f"{GOOD} {FIXED}"
    assert got["grapheval"]["decision"] == "corrected"


async def test_where_to_go_depends_on_the_decision() -> None:
    guard = node(on_flagged="block", goto={"blocked": "fix"})
    data = {"context": [Document(CONTEXT)], "answer": WRONG}
    assert rag(guard).invoke(data)["visited"] == ["fix"]
    assert (await rag(guard).ainvoke(data))["answer"] == "fixed"
    assert rag(guard).invoke({**data, "answer": GOOD}).get("visited", []) == []


def chat(guard: GraphEvalNode, **settings: Any) -> Any:
    graph = StateGraph(Chat)
    graph.add_node("guard", guard)
    graph.add_edge(START, "guard")
    graph.add_edge("guard", END)
    return graph.compile(**settings)


def test_the_last_message_is_replaced() -> None:
    messages = [HumanMessage("?"), ToolMessage(CONTEXT, tool_call_id="1"), AIMessage(WRONG, id="m")]
    got = chat(node()).invoke({"messages": messages})
    assert [message.type for message in got["messages"]] == ["human", "tool", "ai"]
    assert (got["messages"][-1].text, got["messages"][-1].id) == (FIXED, "m")


@pytest.mark.parametrize(("decision", "left"), [("approve", WRONG), ("block", "No.")])
def test_a_person_decides(decision: str, left: str) -> None:
    graph = chat(node(on_flagged="interrupt"), checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    messages = [ToolMessage(CONTEXT, tool_call_id="1"), AIMessage(WRONG, id="m")]
    asked = graph.invoke({"messages": messages}, config)["__interrupt__"]
    assert asked[0].value["answer"] == WRONG
    got = graph.invoke(Command(resume=decision), config)
    assert got["messages"][-1].text == left


@pytest.mark.parametrize("state", [{}, {"messages": []}, {"messages": [HumanMessage("?")]}, {"context": "c"}])
def test_a_state_without_an_answer(state: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no 'answer'"):
        node().invoke(state)


def test_the_models_inside_the_pipeline_do_not_stream() -> None:
    from grapheval import GraphEval
    from grapheval.testing import FakeVerifier
    from langchain_grapheval import GraphEvalGuard
    from tests.langchain.agents import Script

    triple = AIMessage('<triples>[["Oslo", "is the capital of", "Norway"]]</triples>')
    inner = GraphEval.from_llm(Script(replies=[triple]), verifier=FakeVerifier(default=0.9))
    guard = GraphEvalGuard(pipeline=inner)
    graph = StateGraph(Rag)
    graph.add_node("guard", lambda state: {"answer": guard.invoke(state)})
    graph.add_node("second", GraphEvalNode(pipeline=inner))
    graph.add_edge(START, "guard")
    graph.add_edge("guard", "second")
    data = {"context": [Document(CONTEXT)], "answer": GOOD}
    assert list(graph.compile().stream(data, stream_mode="messages")) == []
    assert graph.compile().invoke(data)["answer"] == GOOD


def test_the_evaluator_and_the_guard_are_nodes_too() -> None:
    from langchain_grapheval import GraphEvaluator

    graph = StateGraph(Rag)
    graph.add_node(
        "judge", lambda state: {"grapheval": GraphEvaluator(pipeline=pipeline(), output="dict").invoke(state)}
    )
    graph.add_edge(START, "judge")
    graph.add_edge("judge", END)
    got = graph.compile().invoke({"context": [Document(CONTEXT)], "answer": WRONG})
    assert got["grapheval"]["status"] == "inconsistent"
