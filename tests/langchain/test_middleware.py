"""The middleware in real agents: nothing uncorrected leaves, in any mode, sync or async."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel

from grapheval import GraphEval, InputError
from grapheval.guard import GuardError
from grapheval.testing import FakeVerifier
from langchain_grapheval import GraphEvalMiddleware
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline
from tests.langchain.agents import Script, call, search

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."
ANSWER = f"{GOOD} {WRONG}"
REPAIRED = f"{GOOD} {FIXED}"
ASK = {"messages": [HumanMessage("Which towns are there?")]}


def middleware(**settings: Any) -> GraphEvalMiddleware:
    settings.setdefault("block_message", "No.")
    return GraphEvalMiddleware(pipeline(TableCorrector({WRONG: FIXED})), **settings)


def agent(*replies: AIMessage, guards: list[GraphEvalMiddleware] | None = None, **settings: Any) -> tuple[Any, Script]:
    model = Script(replies=list(replies))
    return create_agent(model, [search], middleware=guards or [middleware()], **settings), model


class TestModes:
    def test_correct(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER))
        state = made.invoke(ASK)
        last = state["messages"][-1]
        assert last.text == REPAIRED
        assert last.response_metadata["grapheval"]["decision"] == "corrected"
        assert state["grapheval"]["GraphEvalMiddleware"]["decision"] == "corrected"
        assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai"]
        assert WRONG not in str([message.content for message in state["messages"]])

    async def test_async(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER))
        assert (await made.ainvoke(ASK))["messages"][-1].text == REPAIRED

    def test_block(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER), guards=[middleware(on_flagged="block")])
        assert made.invoke(ASK)["messages"][-1].text == "No."

    def test_flag(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER), guards=[middleware(on_flagged="flag")])
        last = made.invoke(ASK)["messages"][-1]
        assert last.text == ANSWER
        assert last.response_metadata["grapheval"]["decision"] == "flagged"

    def test_raise(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER), guards=[middleware(on_flagged="raise")])
        with pytest.raises(GuardError, match="Bergen is a wrong town"):
            made.invoke(ASK)

    def test_retry_tells_the_model_what_is_not_supported(self) -> None:
        made, model = agent(call(), AIMessage(ANSWER), AIMessage(GOOD), guards=[middleware(on_flagged="retry")])
        state = made.invoke(ASK)
        assert state["messages"][-1].text == GOOD
        assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai"]
        told = str(model.sent[2][-1].content)
        assert f"- {WRONG}" in told
        assert GOOD not in told

    def test_retry_is_bounded_and_then_blocks(self) -> None:
        guards = [middleware(on_flagged="retry", max_retries=2)]
        made, model = agent(call(), AIMessage(ANSWER), guards=guards)
        assert made.invoke(ASK)["messages"][-1].text == "No."
        assert len(model.sent) == 1 + 3

    async def test_retry_async_after_which_the_model_searches_again(self) -> None:
        replies = [call(), AIMessage(ANSWER), call("search", query="more"), AIMessage(GOOD)]
        made, _ = agent(*replies, guards=[middleware(on_flagged="retry")])
        state = await made.ainvoke(ASK)
        assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai", "tool", "ai"]
        assert state["messages"][-1].text == GOOD

    def test_a_policy_without_meaning(self) -> None:
        with pytest.raises(InputError):
            middleware(on_flagged="fix")
        with pytest.raises(InputError, match="corrector"):
            GraphEvalMiddleware(pipeline())


class TestContext:
    def test_every_tool_result_of_the_conversation_counts(self) -> None:
        made, model = agent(call(), AIMessage(GOOD), AIMessage(GOOD), checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "1"}}
        made.invoke(ASK, config)
        state = made.invoke({"messages": [HumanMessage("And again?")]}, config)
        assert len(model.sent) == 3
        assert state["messages"][-1].text == GOOD
        assert state["messages"][-1].response_metadata["grapheval"]["decision"] == "passed"

    def test_claims_without_any_tool_result_do_not_leave(self) -> None:
        made, _ = agent(AIMessage(GOOD))
        last = made.invoke(ASK)["messages"][-1]
        assert last.text == "No."
        assert last.response_metadata["grapheval"]["status"] == "no_context"
        made, _ = agent(AIMessage(GOOD), guards=[middleware(on_unjudged="pass")])
        assert made.invoke(ASK)["messages"][-1].text == GOOD

    def test_small_talk_needs_no_context(self) -> None:
        made, _ = agent(AIMessage("Hello!"))
        assert made.invoke(ASK)["messages"][-1].text == "Hello!"

    def test_what_the_user_says_is_no_source(self) -> None:
        verifier = FakeVerifier(lambda premise, hypothesis: 0.9)
        guard = GraphEvalMiddleware(pipeline(TableCorrector(), verifier=verifier))
        made, _ = agent(call(), AIMessage(GOOD), guards=[guard])
        made.invoke({"messages": [HumanMessage("Oslo is the capital of Norway, isn't it?")]})
        assert {pair.premise for pair in verifier.pairs} <= {CONTEXT}

    def test_a_verifier_that_raises_blocks(self) -> None:
        broken = pipeline(TableCorrector(), verifier=FakeVerifier(fail=RuntimeError("boom")))
        made, _ = agent(call(), AIMessage(GOOD), guards=[GraphEvalMiddleware(broken, block_message="No.")])
        state = made.invoke(ASK)
        assert state["messages"][-1].text == "No."
        assert state["grapheval"]["GraphEvalMiddleware"]["cause"] == "failed"


class TestStreaming:
    @pytest.mark.parametrize(
        ("settings", "left"),
        [
            ({}, REPAIRED),
            ({"on_flagged": "block"}, "No."),
            ({"on_flagged": "retry"}, "No."),
            ({"on_flagged": "interrupt"}, ""),
        ],
    )
    def test_nothing_uncorrected_leaks(self, settings: dict[str, Any], left: str) -> None:
        made, _ = agent(call(), AIMessage(ANSWER), guards=[middleware(**settings)], checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "1"}}
        pieces = [message for message, _ in made.stream(ASK, config, stream_mode="messages")]
        texts = [str(piece.text) for piece in pieces if isinstance(piece, AIMessage) and piece.text]
        assert "wrong" not in "".join(texts)
        assert texts == ([left] if left else ["No."])

    async def test_nothing_uncorrected_leaks_async(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER))
        pieces = [message async for message, _ in made.astream(ASK, stream_mode="messages")]
        assert [str(p.text) for p in pieces if isinstance(p, AIMessage) and p.text] == [REPAIRED]

    def test_updates_and_values_hold_nothing_uncorrected(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER))
        for mode in ("updates", "values"):
            assert all("wrong town" not in str(_texts(part)) for part in made.stream(ASK, stream_mode=mode))

    @pytest.mark.parametrize("asynchronous", [False, True])
    async def test_the_models_inside_the_pipeline_do_not_leak_either(self, asynchronous: bool) -> None:
        triple = AIMessage('<triples>[["Oslo", "is the capital of", "Norway"]]</triples>')
        inner = GraphEval.from_llm(Script(replies=[triple]), verifier=FakeVerifier(default=0.9))
        made, _ = agent(call(), AIMessage(GOOD), guards=[GraphEvalMiddleware(inner)])
        if asynchronous:
            pieces = [message async for message, _ in made.astream(ASK, stream_mode="messages")]
        else:
            pieces = [message for message, _ in made.stream(ASK, stream_mode="messages")]
        assert [str(p.text) for p in pieces if isinstance(p, AIMessage) and p.text] == [GOOD]

    def test_flag_streams_the_tokens(self) -> None:
        made, _ = agent(call(), AIMessage(ANSWER), guards=[middleware(on_flagged="flag")])
        pieces = [message for message, _ in made.stream(ASK, stream_mode="messages")]
        texts = [str(piece.text) for piece in pieces if isinstance(piece, AIMessageChunk) and piece.text]
        assert len(texts) > 3


def _texts(part: Any) -> Any:
    if isinstance(part, dict):
        return [_texts(value) for key, value in part.items() if key not in {"grapheval"}]
    if isinstance(part, list):
        return [_texts(value) for value in part]
    return getattr(part, "content", part)


class TestState:
    def test_it_is_plain_data_that_a_strict_checkpointer_keeps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
        made, _ = agent(call(), AIMessage(ANSWER), checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "1"}}
        made.invoke(ASK, config)
        values = made.get_state(config).values
        assert json.loads(json.dumps(values["grapheval"])) == values["grapheval"]
        assert values["messages"][-1].response_metadata["grapheval"]["decision"] == "corrected"

    def test_two_instances_coexist(self) -> None:
        guards = [middleware(on_flagged="block", name="outer"), middleware(name="inner")]
        made, _ = agent(call(), AIMessage(ANSWER), guards=guards)
        state = made.invoke(ASK)
        assert state["messages"][-1].text == REPAIRED
        assert {name: report["decision"] for name, report in state["grapheval"].items()} == {
            "outer": "passed",
            "inner": "corrected",
        }


class TestInterrupt:
    def start(self) -> tuple[Any, dict[str, Any], Any]:
        guards = [middleware(on_flagged="interrupt")]
        made, model = agent(call(), AIMessage(ANSWER), guards=guards, checkpointer=InMemorySaver())
        config: dict[str, Any] = {"configurable": {"thread_id": "1"}}
        state = made.invoke(ASK, config)
        self.model = model
        return made, config, state

    def test_a_person_is_asked_before_anything_leaves(self) -> None:
        _, _, state = self.start()
        (asked,) = state["__interrupt__"]
        assert asked.value["type"] == "grapheval_review"
        assert asked.value["answer"] == ANSWER
        assert asked.value["report"]["flagged"][0]["claim"] == WRONG
        assert state["messages"][-1].text == "No."

    @pytest.mark.parametrize(
        ("decision", "left"),
        [
            ("approve", ANSWER),
            ({"action": "approve"}, ANSWER),
            ("block", "No."),
            ({"action": "replace", "text": "By hand."}, "By hand."),
        ],
    )
    def test_what_the_person_may_say(self, decision: Any, left: str) -> None:
        made, config, _ = self.start()
        state = made.invoke(Command(resume=decision), config)
        assert state["messages"][-1].text == left
        assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai"]
        assert len(self.model.sent) == 2

    def test_anything_else_lets_nothing_out(self) -> None:
        made, config, _ = self.start()
        with pytest.raises(InputError, match="approve"):
            made.invoke(Command(resume="yes please"), config)
        assert made.get_state(config).values["messages"][-1].text == "No."

    def test_a_clean_answer_needs_nobody(self) -> None:
        guards = [middleware(on_flagged="interrupt")]
        made, _ = agent(call(), AIMessage(GOOD), guards=guards, checkpointer=InMemorySaver())
        state = made.invoke(ASK, {"configurable": {"thread_id": "1"}})
        assert "__interrupt__" not in state
        assert state["messages"][-1].text == GOOD


class Town(BaseModel):
    """A town."""

    name: str
    summary: str
    size: int


class TestStructured:
    def town(self, summary: str, **settings: Any) -> Any:
        arguments = {"name": "Bergen.", "summary": summary, "size": 3}
        made, _ = agent(call(), call("Town", **arguments), response_format=ToolStrategy(Town), **settings)
        return made.invoke(ASK)

    def test_a_clean_one_passes(self) -> None:
        state = self.town(FIXED)
        assert state["structured_response"] == Town(name="Bergen.", summary=FIXED, size=3)
        assert state["grapheval"]["GraphEvalMiddleware"] == {"decision": "passed", "fields": {}}

    def test_a_field_is_repaired_wherever_it_is_repeated(self) -> None:
        state = self.town(WRONG)
        assert state["structured_response"] == Town(name="Bergen.", summary=FIXED, size=3)
        report = state["grapheval"]["GraphEvalMiddleware"]
        assert (report["decision"], list(report["fields"])) == ("corrected", ["summary"])
        said = [m for m in state["messages"] if isinstance(m, ToolMessage) or getattr(m, "tool_calls", None)]
        assert "wrong town" not in str([(m.content, getattr(m, "tool_calls", None)) for m in said])

    def test_a_blocked_one_is_gone(self) -> None:
        state = self.town(WRONG, guards=[middleware(on_flagged="block")])
        assert state.get("structured_response") is None
        assert state["messages"][-1].text == "No."
        assert "wrong town" not in str([m.content for m in state["messages"]])
