"""Shadow mode: every answer is evaluated, none is changed."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from llama_index_instrumentation import get_dispatcher

from grapheval.testing import FakeVerifier
from llamaindex_grapheval import GraphEvalEvaluator, GraphEvalResult, GraphEvalShadow
from tests.guard.helpers import judge, pipeline
from tests.llamaindex.helpers import ANSWER, GOOD, QUESTION, engine
from tests.llamaindex.test_chat_and_agents import context_engine


def shadow(**settings: Any) -> GraphEvalShadow:
    return GraphEvalShadow(GraphEvalEvaluator(settings.pop("pipeline", None) or pipeline()), **settings)


async def test_query_engines_and_their_streams() -> None:
    with shadow() as one:
        assert engine().query(QUESTION).response == ANSWER
        assert (await engine(GOOD).aquery(QUESTION)).response == GOOD
        assert "".join(engine(streaming=True).query(QUESTION).response_gen) == ANSWER
        response = await engine(GOOD, streaming=True).aquery(QUESTION)
        assert "".join([token async for token in response.async_response_gen()]) == GOOD
        assert one.flush(60)
        assert [result.passing for result in one.results] == [False, True, False, True]
        assert [result.query for result in one.results] == [QUESTION] * 4
        assert one.results[0].source_ids == ["n1", "n2"]
    engine().query(QUESTION)
    assert len(one.results) == 4
    assert one not in get_dispatcher().event_handlers


async def test_chat_engines() -> None:
    with shadow() as one:
        assert context_engine().chat(QUESTION).response == ANSWER
        assert "".join(context_engine().stream_chat(QUESTION).response_gen) == ANSWER
        response = await context_engine().astream_chat(QUESTION)
        assert "".join([token async for token in response.async_response_gen()]) == ANSWER
        assert one.flush(60)
        assert [result.passing for result in one.results] == [False] * 3


def test_a_stream_that_nobody_reads_to_the_end_is_not_evaluated() -> None:
    with shadow() as one:
        stream = engine(streaming=True).query(QUESTION).response_gen
        assert next(stream) == "Oslo"
        stream.close()
        assert one.flush(60)
        assert one.results == []


def test_failures_stay_in_the_shadow() -> None:
    def fail(result: GraphEvalResult) -> None:
        raise RuntimeError("not mine")

    broken = pipeline(verifier=FakeVerifier(fail=RuntimeError("boom")))
    with shadow(pipeline=broken, on_result=fail) as one:
        assert engine(GOOD).query(QUESTION).response == GOOD
        assert engine(GOOD, nodes=[]).query(QUESTION).response == "Empty Response"
        assert one.flush(60)
        assert [result.invalid_result for result in one.results] == [True, True]


def test_answers_never_wait() -> None:
    free, seen = Event(), []

    def slow(premise: str, hypothesis: str) -> Any:
        assert free.wait(60)
        return judge(premise, hypothesis)

    with shadow(pipeline=pipeline(verifier=FakeVerifier(slow)), on_result=seen.append, max_waiting=2) as one:
        for _ in range(4):
            assert engine().query(QUESTION).response == ANSWER
        assert (one.dropped, seen) == (2, [])
        free.set()
        assert one.flush(60)
        assert len(seen) == 2


@pytest.mark.parametrize("times", [1, 2])
def test_attached_twice_it_listens_once(times: int) -> None:
    one = shadow()
    for _ in range(times):
        one.attach()
    engine().query(QUESTION)
    one.close()
    assert len(one.results) == 1
