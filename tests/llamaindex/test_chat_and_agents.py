"""Guards around chat engines, in workflows and around agents."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.agent.workflow import ReActAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import CondensePlusContextChatEngine, ContextChatEngine, SimpleChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool, QueryEngineTool, ToolOutput
from llama_index.core.workflow import StartEvent, StopEvent, step

from grapheval.guard import Guard, GuardError
from llamaindex_grapheval import (
    AnswerEvent,
    GraphEvalChatEngine,
    GraphEvalEvaluator,
    GuardedAnswerEvent,
    GuardedWorkflow,
    run_guarded,
)
from llamaindex_grapheval.nodes import tool_sources
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline
from tests.llamaindex.helpers import (
    ANSWER,
    FIXED,
    GOOD,
    LAST,
    NODES,
    QUESTION,
    REPAIRED,
    WRONG,
    FixedRetriever,
    ScriptedLLM,
    engine,
    node,
)


def judging() -> Any:
    return pipeline(TableCorrector({WRONG: FIXED}))


def memory() -> ChatMemoryBuffer:
    return ChatMemoryBuffer.from_defaults(token_limit=3000, tokenizer_fn=str.split)


def context_engine(answer: Any = ANSWER, nodes: Any = None) -> ContextChatEngine:
    return ContextChatEngine.from_defaults(FixedRetriever(nodes), llm=ScriptedLLM(reply=answer), memory=memory())


def condense_engine(answer: Any = ANSWER, nodes: Any = None) -> CondensePlusContextChatEngine:
    return CondensePlusContextChatEngine.from_defaults(
        FixedRetriever(nodes), llm=ScriptedLLM(reply=answer), memory=memory()
    )


ENGINES = pytest.mark.parametrize("make", [context_engine, condense_engine])


class TestChat:
    @ENGINES
    async def test_answers_are_repaired_and_remembered_as_they_left(self, make: Any) -> None:
        one = GraphEvalChatEngine(make(), judging())
        first = one.chat(QUESTION)
        second = await one.achat("And now?")
        for response in (first, second):
            assert response.response == REPAIRED
            assert response.metadata["grapheval"]["decision"] == "corrected"
            assert [item.node.node_id for item in response.source_nodes] == ["n1", "n2"]
        assert [message.content for message in one.chat_history] == [QUESTION, REPAIRED, "And now?", REPAIRED]

    @ENGINES
    def test_the_llm_never_sees_what_was_blocked(self, make: Any) -> None:
        inner = make()
        one = GraphEvalChatEngine(inner, judging(), on_flagged="block", block_message="No.")
        one.chat(QUESTION)
        one.chat("And now?")
        prompts = inner._llm.prompts
        assert len(prompts) >= 2
        assert not [prompt for prompt in prompts if "wrong town" in prompt]
        assert [prompt for prompt in prompts if "No." in prompt]

    @ENGINES
    async def test_streams(self, make: Any) -> None:
        one = GraphEvalChatEngine(make(), judging())
        response = one.stream_chat(QUESTION)
        assert "".join(response.response_gen) == REPAIRED
        assert response.sources[-1].raw_output["decision"] == "corrected"
        response = await one.astream_chat("And now?")
        assert "".join([token async for token in response.async_response_gen()]) == REPAIRED
        assert response.sources[-1].raw_output["decision"] == "corrected"
        assert [message.content for message in one.chat_history] == [QUESTION, REPAIRED, "And now?", REPAIRED]

    def test_sources_of_earlier_turns_count(self) -> None:
        inner = context_engine(LAST, nodes=[node(f"{GOOD} {LAST}", "n1")])
        verifier = pipeline().verifier
        verifier.judge = lambda premise, hypothesis: 0.97 if hypothesis in premise else 0.02  # type: ignore[attr-defined]
        one = GraphEvalChatEngine(inner, pipeline(verifier=verifier), on_flagged="block", block_message="No.")
        assert one.chat(QUESTION).response == LAST
        inner._retriever.nodes = [node("Nothing to do with it.", "n2")]  # type: ignore[attr-defined]
        assert one.chat("Again?").response == LAST
        one.reset()
        assert one.chat("Again?").response == "No."
        assert [message.content for message in one.chat_history] == ["Again?", "No."]

    def test_a_given_history_replaces_the_own(self) -> None:
        one = GraphEvalChatEngine(context_engine(), judging())
        one.chat("x", chat_history=[ChatMessage(role="user", content="before")])
        assert [message.content for message in one.chat_history] == ["before", "x", REPAIRED]

    def test_a_chat_without_sources_is_blocked(self) -> None:
        inner = SimpleChatEngine.from_defaults(llm=ScriptedLLM(reply=GOOD), memory=memory())
        response = GraphEvalChatEngine(inner, judging(), block_message="No.").chat(QUESTION)
        assert (response.response, response.metadata["grapheval"]["reason"]) == ("No.", "empty_context")

    async def test_streams_of_chat_engines_can_be_evaluated_and_still_read(self) -> None:
        one = GraphEvalEvaluator(judging())
        response = context_engine(GOOD).stream_chat(QUESTION)
        assert one.evaluate_response(QUESTION, response).passing is True
        assert "".join(response.response_gen) == GOOD
        response = await context_engine(GOOD).astream_chat(QUESTION)
        refused = one.evaluate_response(QUESTION, response)
        assert "in its own event loop" in str(refused.invalid_reason)
        assert (await one.aevaluate_response(QUESTION, response)).passing is True
        assert "".join([token async for token in response.async_response_gen()]) == GOOD


class Rag(GuardedWorkflow):
    """Answers, and returns what left."""

    @step
    async def answer(self, ev: StartEvent) -> AnswerEvent:
        return AnswerEvent(answer=ev.answer, nodes=NODES, passages=["More."], question=QUESTION)

    @step
    async def done(self, ev: GuardedAnswerEvent) -> StopEvent:
        return StopEvent(result=ev)


class TestWorkflows:
    async def test_a_step_guards(self) -> None:
        got = await Rag(judging(), timeout=60).run(answer=ANSWER)
        assert (got.text, got.decision, got.answer.answer) == (REPAIRED, "corrected", ANSWER)
        assert got.report["evaluation"]["status"] == "inconsistent"
        blocked = await Rag(judging(), policy={"on_flagged": "block", "block_message": "No."}).run(answer=ANSWER)
        assert (blocked.text, blocked.decision) == ("No.", "blocked")

    async def test_raise_fails_the_workflow(self) -> None:
        with pytest.raises(GuardError, match="not grounded"):
            await Rag(guard=Guard(pipeline(), on_flagged="raise")).run(answer=ANSWER)

    async def test_no_nodes(self) -> None:
        class Empty(GuardedWorkflow):
            @step
            async def answer(self, ev: StartEvent) -> AnswerEvent:
                return AnswerEvent(answer=GOOD)

            @step
            async def done(self, ev: GuardedAnswerEvent) -> StopEvent:
                return StopEvent(result=ev.report["reason"])

        assert await Empty(judging()).run() == "empty_context"


REACT = [
    'Thought: I need a tool.\nAction: lookup\nAction Input: {"topic": "towns"}',
    f"Thought: I can answer.\nAnswer: {ANSWER}",
]


def react(tools: list[Any], replies: list[str]) -> ReActAgent:
    left = iter(replies)
    return ReActAgent(tools=tools, llm=ScriptedLLM(reply=lambda prompt: next(left)), streaming=False)


class TestAgents:
    async def test_the_answer_is_judged_against_what_the_tools_returned(self) -> None:
        def lookup(topic: str) -> str:
            """Look something up."""
            return CONTEXT

        guard = Guard(judging())
        output = await run_guarded(react([FunctionTool.from_defaults(lookup)], REACT), QUESTION, guard=guard)
        assert output.response.content == REPAIRED
        assert output.response.additional_kwargs["grapheval"]["decision"] == "corrected"
        assert GraphEvalEvaluator(judging()).evaluate_response(QUESTION, output, [CONTEXT]).response == REPAIRED

    async def test_without_tools_nothing_supports_it(self) -> None:
        def agent() -> ReActAgent:
            return react([], [f"Thought: I can answer.\nAnswer: {GOOD}"])

        guard = Guard(judging(), block_message="No.")
        assert (await run_guarded(agent(), QUESTION, guard=guard)).response.content == "No."
        known = await run_guarded(agent(), QUESTION, guard=guard, contexts=[CONTEXT])
        assert known.response.content == GOOD

    def test_tool_outputs_as_sources(self) -> None:
        def output(content: str, raw: Any = None, **more: Any) -> ToolOutput:
            return ToolOutput(tool_name="t", content=content, raw_input={}, raw_output=raw, **more)

        response = engine(WRONG).query(QUESTION)
        found = tool_sources([
            output("text", "text"),
            output("Error: boom", is_error=True),
            output(WRONG, response),
            output("nodes", list(NODES)),
            output("   "),
        ])  # fmt: skip
        assert [(source.id, source.text[:14]) for source in found] == [
            ("t-1", "text"), ("n1", "source: atlas\n"), ("n2", "source: atlas\n"), ("n1", "source: atlas\n"),
            ("n2", "source: atlas\n"),
        ]  # fmt: skip

    async def test_a_query_engine_tool_counts_with_its_nodes_not_with_its_answer(self) -> None:
        tool = QueryEngineTool.from_defaults(engine(WRONG), name="lookup", description="Looks up.")
        made = await tool.acall(input="x")
        assert [source.id for source in tool_sources([made])] == ["n1", "n2"]
