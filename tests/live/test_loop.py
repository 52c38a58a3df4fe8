"""Many asynchronous calls in one process: the event loop only schedules, cancelled calls free their places."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Sequence

import pytest

from grapheval import GraphEval, Sample, Source, Status
from grapheval.aggregation import MaxAggregator
from grapheval.guard import Guard
from grapheval.protocols import Judgement, Pair, Selected, VerifierInfo, Window
from grapheval.types import Claim, Evaluation, Extraction, Label, Span, Verdict


class Threads:
    """Stages that note on which threads they run, and by how many at once."""

    def __init__(self) -> None:
        self.seen: dict[str, set[int]] = {}
        self.extracted: list[str] = []
        self.verified: list[str] = []
        self.batches: list[int] = []
        self.wait: threading.Event | None = None
        self.entered = threading.Semaphore(0)

    def here(self, stage: str) -> None:
        self.seen.setdefault(stage, set()).add(threading.get_ident())

    def pipeline(self) -> GraphEval:
        return GraphEval(_Extractor(self), _Verifier(self), _Selector(self), _Aggregator(self), folder=_Folder(self))


class _Extractor:
    compute_bound = True

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    @property
    def info(self) -> str:
        self._threads.here("info")
        return "noting"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        self._threads.here("extract")
        self._threads.entered.release()
        if self._threads.wait is not None:
            assert self._threads.wait.wait(20)
        self._threads.extracted += [sample.answer for sample in samples]
        return [Extraction((Claim(s.answer, None, Span(0, len(s.answer))),)) for s in samples]


class _Verifier:
    compute_bound = True

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    @property
    def info(self) -> VerifierInfo:
        return VerifierInfo("noting", window_tokens=50)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self._threads.here("count")
        return [len(text.split()) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self._threads.here("verify")
        self._threads.verified += [pair.hypothesis for pair in pairs]
        self._threads.batches.append(len(pairs))
        return [Judgement(0.9) for _ in pairs]


class _Selector:
    info = "noting"

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        self._threads.here("select")
        (tokens,) = count_tokens([sources[0].text])
        return Selected(tuple((Window(sources[0].text, (), tokens),) for _ in claims))


class _Folder:
    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def fold(
        self,
        claim: Claim,
        windows: Sequence[Window],
        judgements: Sequence[Judgement],
        sources: Sequence[Source],
        threshold: float,
    ) -> Verdict:
        self._threads.here("fold")
        (judgement,) = judgements
        return Verdict(claim, Label.SUPPORTED, None if judgement.p_entailment is None else 1 - judgement.p_entailment)


class _Aggregator:
    info = "noting"

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        self._threads.here("aggregate")
        return MaxAggregator().aggregate(verdicts)


STAGES = {"info", "extract", "select", "count", "verify", "fold", "aggregate"}


async def test_nothing_computes_on_the_event_loops_thread_with_500_calls_under_way() -> None:
    threads = Threads()
    pipeline = threads.pipeline()
    evaluations = await asyncio.gather(*(pipeline.aevaluate(f"Answer {n}.", "Context.") for n in range(500)))
    assert {evaluation.status for evaluation in evaluations} == {Status.CONSISTENT}
    assert [evaluation.verdicts[0].claim.text for evaluation in evaluations] == [f"Answer {n}." for n in range(500)]
    assert set(threads.seen) == STAGES
    loop = threading.get_ident()
    assert all(loop not in found for found in threads.seen.values())
    assert sum(threads.batches) == 500
    workers = set().union(*(threads.seen[stage] for stage in STAGES - {"verify"}))
    assert len(workers) <= 4


async def test_nor_does_a_guard() -> None:
    threads = Threads()
    guard = Guard(threads.pipeline(), on_flagged="block", hold="sentence")

    async def chunks() -> object:
        for chunk in ("One sentence. ", "Another ", "sentence."):
            yield chunk

    result = await guard.arun("A first sentence. A second one.", "Context.")
    assert result.text == "A first sentence. A second one."
    text = "".join([piece async for piece in guard.apipe(chunks(), "Context.")])  # type: ignore[arg-type]
    assert text == "One sentence. Another sentence."
    assert all(threading.get_ident() not in found for found in threads.seen.values())


async def test_calls_that_are_cancelled_before_their_turn_are_never_run() -> None:
    threads = Threads()
    threads.wait = threading.Event()
    pipeline = threads.pipeline()
    tasks = [asyncio.create_task(pipeline.aevaluate(f"Answer {n}.", "Context.")) for n in range(200)]
    await asyncio.to_thread(threads.entered.acquire)
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    threads.wait.set()
    threads.wait = None
    # The places are free: what comes next is served, and of the 200 only those that had begun were extracted.
    evaluation = await asyncio.wait_for(pipeline.aevaluate("Last.", "Context."), 20)
    assert evaluation.status is Status.CONSISTENT
    assert len(threads.extracted) <= 5
    assert threads.verified == ["Last."]


async def test_memory_stays_level() -> None:
    pipeline = Threads().pipeline()

    async def calls(number: int) -> None:
        gate = asyncio.Semaphore(50)

        async def one(place: int) -> Evaluation:
            async with gate:
                return await pipeline.aevaluate(f"Answer {place}.", f"Context {place}.")

        await asyncio.gather(*(one(place) for place in range(number)))

    async def objects() -> int:
        await asyncio.sleep(0)  # the event loop lets go of the last results
        gc.collect()
        return len(gc.get_objects())

    await calls(200)
    before = await objects()
    await calls(1500)
    # What is kept for every call would be at least one object each.
    assert await objects() - before < 300


@pytest.mark.parametrize("compute_bound", [True, False])
async def test_a_stage_that_waits_gets_a_thread_of_its_own(compute_bound: bool) -> None:
    """Two calls that each wait for the other must both be inside: for a stage that computes they need not be."""
    both = threading.Barrier(2)

    class Waiting(_Verifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            if not compute_bound:
                both.wait(20)
            return super().verify(pairs)

    threads = Threads()
    verifier = Waiting(threads)
    verifier.compute_bound = compute_bound
    pipeline = GraphEval(_Extractor(threads), verifier, _Selector(threads))
    await asyncio.gather(pipeline.aevaluate("One.", "Context."), pipeline.aevaluate("Two.", "Context."))
    assert sorted(threads.verified) == ["One.", "Two."]
