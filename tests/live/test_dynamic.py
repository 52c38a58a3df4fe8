"""The dynamic batcher: who waits together is judged together, and nobody pays for another's fault."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError

import pytest

from grapheval.errors import InputError, ModelError
from grapheval.protocols import Judgement, Pair, Verifier, VerifierInfo
from grapheval.testing import FakeVerifier
from grapheval.verification.dynamic import DynamicBatcher


class Gated:
    """Records the batches that it is given; the first one waits until it is let go."""

    def __init__(self, *, fail_on: str | None = None) -> None:
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self.started = threading.Event()
        self.go = threading.Event()
        self.fail_on = fail_on

    @property
    def info(self) -> VerifierInfo:
        return VerifierInfo("gated")

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        claims = [pair.hypothesis for pair in pairs]
        self.batches.append(claims)
        self.threads.add(threading.get_ident())
        if not self.started.is_set():
            self.started.set()
            assert self.go.wait(20)
        if self.fail_on is not None and self.fail_on in claims:
            msg = f"cannot judge {self.fail_on}"
            raise ModelError(msg)
        return [Judgement(float(pair.hypothesis) / 100) for pair in pairs]


def pairs(*numbers: int) -> list[Pair]:
    return [Pair("premise", str(number)) for number in numbers]


async def started(batcher: DynamicBatcher, gated: Gated, *numbers: int) -> asyncio.Task[list[Judgement]]:
    """A request that the verifier is working on."""
    task = asyncio.create_task(batcher.averify(pairs(*numbers)))
    await asyncio.to_thread(gated.started.wait, 20)
    return task


def numbers(judgements: list[Judgement]) -> list[int]:
    return [round(100 * j.p_entailment) for j in judgements if j.p_entailment is not None]


async def test_requests_that_come_while_it_works_share_the_next_batch() -> None:
    gated = Gated()
    batcher = DynamicBatcher(gated)
    first = await started(batcher, gated, 1, 2)
    others = [asyncio.create_task(batcher.averify(pairs(n, n + 1))) for n in (10, 20, 30)]
    await asyncio.sleep(0)
    assert batcher.waiting == 3
    gated.go.set()
    results = await asyncio.gather(first, *others)
    assert [numbers(result) for result in results] == [[1, 2], [10, 11], [20, 21], [30, 31]]
    assert gated.batches == [["1", "2"], ["10", "11", "20", "21", "30", "31"]]
    assert threading.get_ident() not in gated.threads


async def test_a_long_request_does_not_hold_up_the_short_ones() -> None:
    gated = Gated()
    batcher = DynamicBatcher(gated, max_pairs=3)
    first = await started(batcher, gated, 1)
    long = asyncio.create_task(batcher.averify(pairs(10, 11, 12, 13, 14, 15, 16)))
    short = asyncio.create_task(batcher.averify(pairs(20)))
    await asyncio.sleep(0)
    gated.go.set()
    assert numbers(await short) == [20]
    assert numbers(await long) == [10, 11, 12, 13, 14, 15, 16]
    await first
    assert gated.batches == [["1"], ["10", "11", "12"], ["20", "13", "14"], ["15", "16"]]


async def test_a_request_that_is_cancelled_leaves_the_queue() -> None:
    gated = Gated()
    batcher = DynamicBatcher(gated)
    first = await started(batcher, gated, 1)
    dropped = asyncio.create_task(batcher.averify(pairs(10)))
    kept = asyncio.create_task(batcher.averify(pairs(20)))
    await asyncio.sleep(0)
    dropped.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dropped
    gated.go.set()
    assert numbers(await kept) == [20]
    await first
    assert gated.batches == [["1"], ["20"]]
    assert batcher.waiting == 0


async def test_a_request_that_is_cancelled_half_way_is_not_finished() -> None:
    gated = Gated()
    batcher = DynamicBatcher(gated, max_pairs=2)
    long = await started(batcher, gated, 1, 2, 3, 4, 5, 6)
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    gated.go.set()
    assert numbers(await batcher.averify(pairs(7))) == [7]
    assert gated.batches == [["1", "2"], ["7"]]


async def test_an_error_reaches_only_the_request_that_caused_it() -> None:
    gated = Gated(fail_on="13")
    batcher = DynamicBatcher(gated)
    first = await started(batcher, gated, 1)
    good = asyncio.create_task(batcher.averify(pairs(10, 11)))
    bad = asyncio.create_task(batcher.averify(pairs(12, 13)))
    await asyncio.sleep(0)
    gated.go.set()
    assert numbers(await good) == [10, 11]
    with pytest.raises(ModelError, match="cannot judge 13"):
        await bad
    await first
    assert numbers(await batcher.averify(pairs(14))) == [14]


async def test_a_verifier_that_returns_too_few_judgements_is_an_error_not_a_hang() -> None:
    class Short(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            return []

    with pytest.raises(ModelError, match="0 judgements for 1 pairs"):
        await DynamicBatcher(Short()).averify(pairs(1))


def test_threads_share_it_too() -> None:
    gated = Gated()
    gated.go.set()
    batcher = DynamicBatcher(gated)
    results: dict[int, list[int]] = {}

    def work(number: int) -> None:
        results[number] = numbers(batcher.verify(pairs(number, number + 1)))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(0, 40, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert results == {n: [n, n + 1] for n in range(0, 40, 2)}
    assert sum(len(batch) for batch in gated.batches) == 40


def test_it_is_a_verifier_and_pickles_as_the_one_inside() -> None:
    batcher = DynamicBatcher(FakeVerifier(default=0.25), max_pairs=7)
    assert isinstance(batcher, Verifier)
    copy: DynamicBatcher = pickle.loads(pickle.dumps(batcher))
    assert (copy.max_pairs, copy.info, copy.count_tokens(["a b"])) == (7, batcher.info, [2])
    assert copy.verify(pairs(1)) == [Judgement(0.25)]


async def test_no_pairs_no_work() -> None:
    verifier = FakeVerifier()
    assert await DynamicBatcher(verifier).averify([]) == []
    assert verifier.pairs == []


def test_a_batch_needs_room_for_a_pair() -> None:
    with pytest.raises(InputError, match="max_pairs"):
        DynamicBatcher(FakeVerifier(), max_pairs=0)


def test_a_thread_that_is_interrupted_leaves_the_queue() -> None:
    gated = Gated()
    batcher = DynamicBatcher(gated)
    threading.Thread(target=lambda: batcher.verify(pairs(1)), daemon=True).start()
    assert gated.started.wait(20)
    future = batcher._submit(pairs(2))
    future.cancel()
    with pytest.raises(CancelledError):
        future.result()
    gated.go.set()
    assert numbers(batcher.verify(pairs(3))) == [3]
    assert ["2"] not in gated.batches
