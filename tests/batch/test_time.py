"""`answer_timeout` in batches: one clock for each answer over all stages, as in single calls."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from grapheval import Evaluation, Failure, GraphEval, Sample, Status
from grapheval.llm.deadline import remaining
from grapheval.protocols import Judgement, Pair
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Extraction
from grapheval.verification.llm_judge import LLMJudge

PAUSE = 0.02


class Waiting(FakeExtractor):
    """Waits for a server, so much for every answer."""

    compute_bound: ClassVar[bool] = False

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        time.sleep(PAUSE * len(samples))
        return super().extract(samples)


class Watching(FakeVerifier):
    """Notes how many pairs it was given, and the time that was left."""

    compute_bound: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__(default=0.9)
        self.seen: list[tuple[int, float]] = []

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        left = remaining()
        assert left is not None
        self.seen.append((len(pairs), left))
        return super().verify(pairs)


class Computing(Watching):
    """The same for a verifier that computes."""

    compute_bound: ClassVar[bool] = True


def samples(count: int) -> list[Sample]:
    return [Sample(f"Claim {n}.", f"Context {n}.", id=f"s{n}") for n in range(count)]


def judge(graph: GraphEval, some: list[Sample], form: str) -> list[Evaluation | Failure]:
    return graph.evaluate_many(some) if form == "sync" else asyncio.run(graph.aevaluate_many(some))


@pytest.mark.parametrize("form", ["sync", "async"])
@pytest.mark.parametrize("count", [1, 3, 20])
def test_what_one_stage_took_is_missing_in_the_next(form: str, count: int) -> None:
    verifier = Watching()
    results = judge(GraphEval(Waiting(), verifier, answer_timeout=100.0), samples(count), form)
    assert all(isinstance(result, Evaluation) for result in results)
    assert len(verifier.seen) == count
    for pairs, left in verifier.seen:
        assert pairs == 1  # an answer's own
        assert 50 < left <= 100 - PAUSE


def test_a_verifier_that_computes_still_has_the_pairs_of_many_answers_and_their_time_together() -> None:
    verifier = Computing()
    GraphEval(Waiting(), verifier, answer_timeout=100.0).evaluate_many(samples(3))
    ((pairs, left),) = verifier.seen
    assert pairs == 3
    assert 250 < left <= 3 * (100 - PAUSE)


@pytest.mark.parametrize("form", ["sync", "async"])
def test_an_answer_that_has_used_its_time_up_is_not_verified(form: str) -> None:
    class OneIsSlow(FakeExtractor):
        compute_bound: ClassVar[bool] = False

        def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
            time.sleep(1.1 if any(sample.id == "s1" for sample in samples) else 0)
            return super().extract(samples)

    verifier = FakeVerifier(default=0.9)
    results = judge(GraphEval(OneIsSlow(), verifier, answer_timeout=1.0), samples(3), form)
    failure = results.pop(1)
    assert isinstance(failure, Failure)
    assert (failure.sample_id, failure.code, failure.retryable) == ("s1", "timeout", True)
    assert [r.status for r in results if isinstance(r, Evaluation)] == [Status.CONSISTENT, Status.CONSISTENT]
    assert [pair.hypothesis for pair in verifier.pairs] == ["Claim 0.", "Claim 2."]


@pytest.mark.parametrize("form", ["sync", "async"])
def test_an_answer_that_hangs_takes_no_others_time(form: str) -> None:
    release = threading.Event()

    def model(prompt: Any) -> str:
        if "Claim 1" in str(prompt):
            release.wait(60)
        return '<verdict>{"supported": 99, "contradicted": 0}</verdict>'

    graph = GraphEval(FakeExtractor(), LLMJudge(model), answer_timeout=2.0)
    results = judge(graph, samples(4), form)
    release.set()
    hung = results.pop(1)
    assert isinstance(hung, Failure)
    assert (hung.stage, hung.code) == ("verify", "timeout")  # what `evaluate` raises
    assert [r.status for r in results if isinstance(r, Evaluation)] == [Status.CONSISTENT] * 3
