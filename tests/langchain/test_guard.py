"""The guard in chains: types kept, streams released sentence by sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableGenerator, RunnableLambda, RunnablePassthrough

from grapheval import InputError
from grapheval.guard import GuardError
from grapheval.testing import FakeVerifier
from langchain_grapheval import GraphEvalGuard
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."
LAST = "Tromso lies in the north."
ANSWER = f"{GOOD} {WRONG} {LAST}"
REPAIRED = f"{GOOD} {FIXED} {LAST}"
DOCUMENTS = [Document(CONTEXT)]


def guard(**settings: Any) -> GraphEvalGuard:
    settings.setdefault("pipeline", pipeline(TableCorrector({WRONG: FIXED})))
    return GraphEvalGuard(**settings)


def rag(answer: str) -> Any:
    """A retrieval chain around a model that streams `answer` word by word."""
    llm = GenericFakeChatModel(messages=iter([AIMessage(answer) for _ in range(9)]))
    prompt = ChatPromptTemplate.from_template("{context} {question}")
    return RunnablePassthrough.assign(context=lambda data: DOCUMENTS) | RunnablePassthrough.assign(answer=prompt | llm)


class TestInvoke:
    def test_a_string_stays_a_string(self) -> None:
        assert guard().invoke({"answer": ANSWER, "context": DOCUMENTS}) == REPAIRED

    def test_a_message_keeps_type_id_and_metadata(self) -> None:
        message = AIMessage(ANSWER, id="m1", name="bot", response_metadata={"model": "x"})
        got = guard().invoke({"answer": message, "context": DOCUMENTS})
        assert type(got) is AIMessage
        assert (got.text, got.id, got.name, got.response_metadata["model"]) == (REPAIRED, "m1", "bot", "x")
        report = got.response_metadata["grapheval"]
        assert report["decision"] == "corrected"
        assert [flagged["claim"] for flagged in report["flagged"]] == [WRONG]
        assert [(edit["old"], edit["new"]) for edit in report["edits"]] == [(WRONG, FIXED)]

    def test_one_more_line_in_a_chain(self) -> None:
        chain = rag(ANSWER) | guard()
        assert chain.invoke({"question": "Where?"}).text == REPAIRED

    def test_dictionaries_on_request(self) -> None:
        got = guard(output="dict").invoke({"answer": ANSWER, "context": DOCUMENTS, "question": "q"})
        assert (got["answer"], got["question"], got["grapheval"]["decision"]) == (REPAIRED, "q", "corrected")

    def test_block(self) -> None:
        one = guard(on_flagged="block", block_message="No.")
        assert one.invoke({"answer": ANSWER, "context": DOCUMENTS}) == "No."
        call = AIMessage(WRONG, tool_calls=[{"name": "send", "args": {}, "id": "1"}], id="m")
        got = one.invoke({"answer": call, "context": DOCUMENTS})
        assert (got.text, got.tool_calls, got.id) == ("No.", [], "m")

    def test_raise(self) -> None:
        with pytest.raises(GuardError, match="not grounded"):
            guard(on_flagged="raise").invoke({"answer": ANSWER, "context": DOCUMENTS})

    def test_an_empty_retrieval_blocks_and_a_missing_key_is_an_error(self) -> None:
        assert guard(block_message="No.").invoke({"answer": ANSWER, "context": []}) == "No."
        for call in (guard().invoke, lambda data: list(guard().stream(data))):
            with pytest.raises(InputError, match="no 'context'"):
                call({"answer": ANSWER})
            with pytest.raises(InputError, match="no 'answer'"):
                call({"context": DOCUMENTS})
            with pytest.raises(InputError, match="dictionary"):
                call(ANSWER)  # type: ignore[arg-type]

    def test_a_verifier_that_raises_blocks_unless_asked_otherwise(self) -> None:
        def one(**settings: Any) -> GraphEvalGuard:
            broken = pipeline(TableCorrector(), verifier=FakeVerifier(fail=RuntimeError("boom")))
            return guard(pipeline=broken, output="dict", block_message="No.", **settings)

        data = {"answer": GOOD, "context": DOCUMENTS}
        got = one().invoke(data)
        assert (got["answer"], got["grapheval"]["cause"]) == ("No.", "failed")
        assert got["grapheval"]["failures"][0]["stage"] == "verify"
        assert one(on_unjudged="pass").invoke(data)["answer"] == GOOD

    def test_correct_needs_a_corrector(self) -> None:
        with pytest.raises(ValueError, match="needs a pipeline with a corrector"):
            GraphEvalGuard(pipeline=pipeline())
        with pytest.raises(ValueError, match="on_flagged"):
            guard(on_flagged="fix")

    async def test_async_and_batches(self) -> None:
        data = {"answer": ANSWER, "context": DOCUMENTS}
        assert await guard().ainvoke(data) == REPAIRED
        assert guard().batch([data, data]) == [REPAIRED, REPAIRED]
        assert await guard().abatch([data, data]) == [REPAIRED, REPAIRED]


class TestStream:
    def test_the_first_sentence_is_out_before_the_last_is_made(self) -> None:
        made: list[str] = []

        def slow_model(_: Iterator[Any]) -> Iterator[str]:
            for word in ANSWER.split(" "):
                made.append(word)
                yield word + " "

        chain = RunnablePassthrough.assign(answer=RunnableGenerator(slow_model)) | guard()
        out = chain.stream({"context": DOCUMENTS})
        assert next(out) == GOOD
        assert "Tromso" not in made
        assert "".join([GOOD, *out]) == f"{REPAIRED} "

    def test_what_is_emitted_is_what_invoke_returns(self) -> None:
        for settings in ({}, {"on_unrepaired": "drop"}, {"on_flagged": "block"}, {"on_flagged": "flag"}):
            for table in ({}, {WRONG: FIXED}):
                one = guard(pipeline=pipeline(TableCorrector(table)), **settings)
                data = {"answer": ANSWER, "context": DOCUMENTS}
                assert "".join(one.stream(data)) == one.invoke(data)

    def test_message_chunks_add_up_to_the_message(self) -> None:
        chain = rag(ANSWER) | guard()
        chunks = list(chain.stream({"question": "Where?"}))
        assert all(isinstance(chunk, AIMessageChunk) for chunk in chunks)
        assert len(chunks) >= 4
        assert len({chunk.id for chunk in chunks}) == 1
        whole = reduce(add, chunks)
        assert whole.text == REPAIRED
        assert whole.response_metadata["grapheval"]["decision"] == "corrected"

    def test_a_whole_message_can_be_streamed(self) -> None:
        message = AIMessage(
            ANSWER,
            id="m1",
            response_metadata={"model": "x"},
            usage_metadata={
                "input_tokens": 1,
                "output_tokens": 2,
                "total_tokens": 3,
            },
        )
        whole = reduce(add, guard().stream({"answer": message, "context": DOCUMENTS}))
        assert (whole.text, whole.id, whole.response_metadata["model"]) == (REPAIRED, "m1", "x")
        assert whole.usage_metadata is not None
        assert whole.usage_metadata["total_tokens"] == 3

    def test_other_blocks_come_at_the_end_unless_blocked(self) -> None:
        image = {"type": "image", "url": "x"}
        message = AIMessage([{"type": "text", "text": GOOD}, image])
        whole = reduce(add, guard().stream({"answer": message, "context": DOCUMENTS}))
        assert whole.text == GOOD
        assert [block for block in whole.content if isinstance(block, dict) and block["type"] == "image"]
        bad = AIMessage([{"type": "text", "text": WRONG}, image])
        whole = reduce(add, guard(on_flagged="block").stream({"answer": bad, "context": DOCUMENTS}))
        assert "image" not in str(whole.content)

    def test_dictionaries(self) -> None:
        chain = rag(ANSWER) | RunnablePassthrough.assign(answer=lambda data: data["answer"].text)
        chunks = list((chain | guard(output="dict")).stream({"question": "Where?"}))
        whole = reduce(add, chunks)
        assert (whole["answer"], whole["question"], whole["context"]) == (REPAIRED, "Where?", DOCUMENTS)
        assert whole["grapheval"]["decision"] == "corrected"

    def test_an_answer_that_comes_before_its_context_is_held(self) -> None:
        chunks = [{"answer": f"{GOOD} "}, {"answer": LAST}, {"context": DOCUMENTS}]
        assert "".join(guard().transform(iter(chunks))) == f"{GOOD} {LAST}"

    def test_a_context_that_comes_too_late_is_an_error(self) -> None:
        chunks = [{"context": DOCUMENTS}, {"answer": f"{GOOD} {LAST} x"}, {"context": DOCUMENTS}]
        with pytest.raises(InputError, match="came in pieces"):
            list(guard().transform(iter(chunks)))

    def test_raise_lets_nothing_out(self) -> None:
        with pytest.raises(GuardError):
            next(guard(on_flagged="raise").stream({"answer": ANSWER, "context": DOCUMENTS}))

    async def test_async(self) -> None:
        async def slow_model(_: AsyncIterator[Any]) -> AsyncIterator[str]:
            for word in ANSWER.split(" "):
                await asyncio.sleep(0)
                yield word + " "

        chain = RunnablePassthrough.assign(answer=RunnableGenerator(slow_model)) | guard()
        got = [chunk async for chunk in chain.astream({"context": DOCUMENTS})]
        assert got[0] == GOOD
        assert "".join(got) == f"{REPAIRED} "
        chunks = [chunk async for chunk in (rag(ANSWER) | guard()).astream({"question": "?"})]
        assert reduce(add, chunks).text == REPAIRED

    async def test_a_cancelled_run_ends(self) -> None:
        async def endless(_: AsyncIterator[Any]) -> AsyncIterator[str]:
            yield GOOD
            await asyncio.sleep(60)

        chain = RunnablePassthrough.assign(answer=RunnableGenerator(endless)) | guard()

        async def consume() -> list[Any]:
            return [chunk async for chunk in chain.astream({"context": DOCUMENTS})]

        task = asyncio.create_task(consume())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    def test_before_a_string_parser(self) -> None:
        chain = rag(ANSWER) | guard() | StrOutputParser()
        pieces = list(chain.stream({"question": "?"}))
        assert pieces[0] == GOOD
        assert "".join(pieces) == REPAIRED


def test_models_inside_the_pipeline_are_traced_under_the_guard() -> None:
    from langchain_core.tracers import BaseTracer

    class Tree(BaseTracer):
        roots: list[Any] = []  # noqa: RUF012 - one test, one tracer

        def _persist_run(self, run: Any) -> None:
            self.roots.append(run)

    inner = RunnableLambda(lambda text: text, name="inner_model")

    class Calling(FakeVerifier):
        compute_bound = False  # it waits for a model, so it keeps its caller's context

        def verify(self, pairs: Any) -> Any:
            inner.invoke("x")
            return super().verify(pairs)

    tree = Tree()
    one = guard(pipeline=pipeline(TableCorrector(), verifier=Calling(default=0.9)))
    one.invoke({"answer": GOOD, "context": DOCUMENTS}, {"callbacks": [tree]})
    asyncio.run(one.ainvoke({"answer": GOOD, "context": DOCUMENTS}, {"callbacks": [tree]}))
    assert [root.name for root in tree.roots] == ["GraphEvalGuard", "GraphEvalGuard"]
    assert [[child.name for child in root.child_runs] for root in tree.roots] == [["inner_model"], ["inner_model"]]
