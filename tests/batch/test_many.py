"""`evaluate_many` and its relatives: order, bounded memory, overlap of the stages, failures in their places."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import aclosing, closing

import pytest

from grapheval import Evaluation, Failure, GraphEval, InputError, ModelError, Sample, Status
from grapheval.many import each
from grapheval.protocols import Judgement, Pair
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier
from grapheval.types import Extraction


def samples(count: int) -> list[Sample]:
    return [Sample(f"Claim number {n}.", f"Context of number {n}.", id=f"s{n}") for n in range(count)]


def pipeline(extractor: FakeExtractor | None = None, verifier: FakeVerifier | None = None) -> GraphEval:
    return GraphEval(extractor or FakeExtractor(), verifier or FakeVerifier(default=0.9))


def texts(results: Sequence[Evaluation | Failure]) -> list[str]:
    return [r.verdicts[0].claim.text if isinstance(r, Evaluation) else f"failed {r.sample_id}" for r in results]


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 12, 13, 28, 100])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_sample_has_its_result_in_its_place(count: int, workers: int) -> None:
    got = pipeline().evaluate_many(iter(samples(count)), workers=workers)
    assert texts(got) == [f"Claim number {n}." for n in range(count)]


def test_the_results_are_those_of_single_calls() -> None:
    def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
        p = (len(hypothesis) * 7 % 10) / 10
        return (p, 1 - p, 0.0)

    judged = pipeline(verifier=FakeVerifier(judge))
    assert judged.evaluate_many(samples(40)) == [judged.evaluate(sample) for sample in samples(40)]


def test_memory_is_bounded_only_so_many_samples_are_taken_ahead() -> None:
    taken = 0

    def source() -> Iterator[Sample]:
        nonlocal taken
        for sample in samples(2000):
            taken += 1
            yield sample

    ahead = 0
    with closing(pipeline().evaluate_iter(source())) as results:
        for done, _ in enumerate(results, start=1):
            ahead = max(ahead, taken - done)
    assert taken == 2000
    assert ahead <= 6 * 16


def test_large_contexts_lower_the_number_under_way() -> None:
    taken = 0

    def source() -> Iterator[Sample]:
        nonlocal taken
        for n in range(30):
            taken += 1
            yield Sample(f"Claim {n}.", "word " * 200_000)

    results = pipeline().evaluate_iter(source())
    next(results)
    assert taken <= 10
    results.close()


def test_extraction_of_the_next_goes_on_while_these_are_verified() -> None:
    """The verifier of the first cohort waits until the extractor has seen a later cohort: alone it would wait for ever."""
    later = threading.Event()

    class Telling(FakeExtractor):
        def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
            if any(sample.id == "s4" for sample in samples):
                later.set()
            return super().extract(samples)

    class Waiting(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            assert later.wait(60)
            return super().verify(pairs)

    assert len(pipeline(Telling(), Waiting(default=0.9)).evaluate_many(samples(30))) == 30


def test_the_verifier_sees_pairs_of_several_answers_at_once() -> None:
    calls: list[int] = []

    class Counting(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            calls.append(len(pairs))
            return super().verify(pairs)

    pipeline(verifier=Counting(default=0.9)).evaluate_many(samples(60))
    assert sum(calls) == 60
    assert len(calls) <= 8
    calls.clear()
    llm = GraphEval.from_llm(FakeLLM(['[["Claim", "has", "a number"]]']), verifier=Counting(default=0.9))
    assert len(llm.evaluate_many(samples(40), workers=4)) == 40  # one answer a call, yet verified together
    assert len(calls) < 40


def test_workers_extract_at_once() -> None:
    both = threading.Barrier(2, timeout=60)

    class Meeting(FakeExtractor):
        batch_size = 1

        def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
            both.wait()
            return super().extract(samples)

    assert len(pipeline(Meeting()).evaluate_many(samples(20), workers=2)) == 20


def test_only_the_guilty_fail_and_the_others_are_asked_few_times() -> None:
    calls = 0

    class Picky(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            nonlocal calls
            calls += 1
            if any("number 3." in pair.hypothesis or "number 21." in pair.hypothesis for pair in pairs):
                raise RuntimeError("boom")
            return super().verify(pairs)

    got = pipeline(verifier=Picky(default=0.9)).evaluate_many(samples(28))
    assert [n for n, r in enumerate(got) if isinstance(r, Failure)] == [3, 21]
    assert got[3] == Failure("s3", "verify", "model_error", "fake failed: RuntimeError: boom")
    assert calls < 28


def test_a_verifier_that_runs_out_of_memory_is_given_less() -> None:
    class Small(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            if len(pairs) > 2:
                raise MemoryError
            return super().verify(pairs)

    got = pipeline(verifier=Small(default=0.9)).evaluate_many(samples(30))
    assert texts(got) == [f"Claim number {n}." for n in range(30)]


def test_each_halves_what_fails() -> None:
    asked: list[list[int]] = []

    def call(items: Sequence[int]) -> list[int]:
        asked.append(list(items))
        if 5 in items:
            raise ModelError("five")
        return [item * 10 for item in items]

    got = each(call, [1, 2, 5, 7])
    assert [r if isinstance(r, int) else "failed" for r in got] == [10, 20, "failed", 70]
    assert asked == [[1, 2, 5, 7], [1, 2], [5, 7], [5], [7]]


def test_an_over_long_answer_fails_alone_and_before_any_work() -> None:
    extractor = FakeExtractor()
    mixed = [*samples(10), Sample("x" * 50, "c", id="long"), *samples(5)]
    got = GraphEval(extractor, FakeVerifier(default=0.9), max_answer_chars=40).evaluate_many(mixed)
    assert [r.code for r in got if isinstance(r, Failure)] == ["input_error"]
    assert len(extractor.calls) == 15


def test_bugs_and_wrong_items_are_failures_in_their_place() -> None:
    class Broken:
        info = "broken"

        def aggregate(self, verdicts):  # type: ignore[no-untyped-def]
            if "number 2" in verdicts[0].claim.text:
                raise ZeroDivisionError("a bug")
            return 0.1

    items = [*samples(4), "text", None, Failure("early", "input", "input_error", "unreadable")]
    got = GraphEval(FakeExtractor(), FakeVerifier(default=0.9), aggregator=Broken()).evaluate_many(items)  # type: ignore[arg-type]
    assert [r.code if isinstance(r, Failure) else r.status for r in got] == [
        Status.CONSISTENT,
        Status.CONSISTENT,
        "internal_error",
        Status.CONSISTENT,
        "input_error",
        "input_error",
        "input_error",
    ]
    assert got[4] == Failure("4", "input", "input_error", "item 4 is no Sample but of type str")
    assert got[6] == items[6]


@pytest.mark.parametrize("good", [0, 2, 30])
def test_what_the_iterable_raises_comes_after_the_results_of_what_came_before(good: int) -> None:
    def source() -> Iterator[Sample]:
        yield from samples(good)
        raise OSError("the database went away")

    done = []
    with pytest.raises(OSError, match="went away"):
        done.extend(pipeline().evaluate_iter(source()))
    # A list that is being extended keeps what came before the exception.
    assert len(done) == good


def test_whoever_stops_early_leaves_no_threads() -> None:
    before = set(threading.enumerate())
    results = pipeline().evaluate_iter(samples(500))
    next(results)
    results.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
    assert not [t for t in set(threading.enumerate()) - before if t.is_alive()]


def test_progress_counts_the_results() -> None:
    seen: list[int] = []
    caller = threading.get_ident()
    pipeline().evaluate_many(samples(20), progress=lambda done: seen.append(done + (threading.get_ident() != caller)))
    assert seen == list(range(1, 21))


def test_time_is_told_apart_by_answer() -> None:
    long = Sample("Claim " + "very " * 500 + "long.", "Context.")
    timed = list(pipeline().evaluate_timed([*samples(3), long]))
    assert all(t.seconds > 0 for t in timed)


class TestAsync:
    async def test_order_failures_and_progress(self) -> None:
        seen: list[int] = []
        items = [*samples(20), "text", Failure("early", "input", "input_error", "unreadable")]
        got = await pipeline().aevaluate_many(items, concurrency=3, progress=seen.append)  # type: ignore[arg-type]
        assert texts(got) == [*(f"Claim number {n}." for n in range(20)), "failed 20", "failed early"]
        assert seen == list(range(1, 23))

    async def test_no_more_than_so_many_are_under_way_and_taken(self) -> None:
        under_way = most = taken = 0

        class Native(FakeVerifier):
            async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                nonlocal under_way, most
                under_way += 1
                most = max(most, under_way)
                await asyncio.sleep(0.001)
                under_way -= 1
                return [Judgement(0.9) for _ in pairs]

        def source() -> Iterator[Sample]:
            nonlocal taken
            for sample in samples(60):
                taken += 1
                yield sample

        done = 0
        async for _ in pipeline(verifier=Native()).aevaluate_iter(source(), concurrency=4):
            done += 1
            assert taken - done <= 4 * 4 + 4
        assert done == 60
        assert 1 < most <= 4

    async def test_stopping_early_cancels_what_is_under_way(self) -> None:
        cancelled = 0

        class Slow(FakeVerifier):
            async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                nonlocal cancelled
                if "number 0." in pairs[0].hypothesis:
                    return [Judgement(0.9)]
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    cancelled += 1
                    raise
                return []

        async with aclosing(pipeline(verifier=Slow()).aevaluate_iter(samples(50), concurrency=4)) as results:
            async for _ in results:
                break
        await asyncio.sleep(0.05)
        assert cancelled >= 1

    async def test_bugs_are_failures_and_errors_of_the_iterable_come_last(self) -> None:
        class Broken:
            info = "broken"

            def aggregate(self, verdicts):  # type: ignore[no-untyped-def]
                raise ZeroDivisionError("a bug")

        def source() -> Iterator[Sample]:
            yield from samples(3)
            raise OSError("gone")

        judged = GraphEval(FakeExtractor(), FakeVerifier(default=0.9), aggregator=Broken())
        got = []

        async def collect() -> None:
            async for result in judged.aevaluate_iter(source()):
                got.append(result)  # noqa: PERF401 - what came before the exception is to be kept

        with pytest.raises(OSError, match="gone"):
            await collect()
        assert [r.code for r in got if isinstance(r, Failure)] == ["internal_error"] * 3

    async def test_concurrency_below_one_is_refused(self) -> None:
        with pytest.raises(InputError, match="at least 1"):
            await pipeline().aevaluate_many(samples(1), concurrency=0)
