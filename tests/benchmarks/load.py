"""A guard in live traffic: many asynchronous evaluations at once in one process.

    python -m tests.benchmarks.load [--part PART …] [--concurrency 1 10 100 500] [--answers N] [--calls 20000]

Parts: `traffic` (for each level, so many clients send one answer after the other to one shared local pipeline: latency
of an answer, answers per second, stalls of the event loop, resident memory at its highest), `cancel` (500 calls at once,
nine of ten given up after the first answer: the others must not wait for them), `memory` (resident memory over 20,000
calls of the local pipeline with short answers, 500 at once, no text twice), `fakes` (the same with fakes, so that what
remains is our own objects).

A stall is how much later than asked the event loop wakes a task of its own that sleeps 5 ms at a time, whatever the
clients do. Answers are dev summaries with their documents. Run it on an otherwise idle machine; with other work beside
it, stalls are that work's.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from grapheval import GraphEval, Sample
from grapheval.protocols import Judgement, Pair
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Extraction
from tests.benchmarks.data import DEFAULT, labelled
from tests.benchmarks.speed import percentile

TICK = 0.005
"""Seconds between two looks at the event loop."""


CHECK = 20
"""Ticks between two looks at the resident memory."""
PARTS = ("traffic", "cancel", "memory", "fakes")


async def watch(stalls: list[float], resident: list[int]) -> None:
    """Note how much later than asked the event loop comes back, and the memory, until cancelled."""
    process = psutil.Process()
    for tick in itertools.count():
        if tick % CHECK == 0:
            resident.append(process.memory_info().rss)
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        stalls.append(time.perf_counter() - began - TICK)


async def level(pipeline: GraphEval, samples: Iterator[Sample], clients: int, answers: int) -> str:
    """So many clients at once, so many answers in all: one line of the table."""
    times: list[float] = []
    stalls: list[float] = []
    resident: list[int] = []
    left = itertools.count()

    async def client() -> None:
        while next(left) < answers:
            began = time.perf_counter()
            await pipeline.aevaluate(next(samples))
            times.append(1000 * (time.perf_counter() - began))

    watcher = asyncio.create_task(watch(stalls, resident))
    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    seconds = time.perf_counter() - began
    watcher.cancel()
    p50, p95, p99 = (percentile(times, share) for share in (0.5, 0.95, 0.99))
    worst, usual = 1000 * max(stalls), 1000 * percentile(stalls, 0.999)
    return (
        f"{clients:11d} {len(times):8d} {len(times) / seconds:10.1f} {p50:9.0f} {p95:9.0f} {p99:9.0f}"
        f" {worst:11.1f} {usual:11.1f} {max(resident) / 1e6:20.0f}"
    )


async def ready(pipeline: GraphEval, samples: Iterator[Sample]) -> None:
    """Load the models and answer a few."""
    await asyncio.to_thread(pipeline.warm_up)
    for _ in range(4):
        await pipeline.aevaluate(next(samples))


async def traffic(samples: list[Sample], levels: list[int], answers: int) -> None:
    """The table."""
    pipeline = GraphEval.local()
    endless = itertools.cycle(samples)
    await ready(pipeline, endless)
    words = sum(len(s.answer.split()) for s in samples) / len(samples)
    context = sum(len(source.text.split()) for s in samples for source in s.sources) / len(samples)
    print(f"answers of {words:.0f} words, contexts of {context:.0f} words on average; {os.cpu_count()} processors")
    print(
        " concurrent  answers  answers/s   p50 ms    p95 ms    p99 ms  worst stall  p99.9 stall (ms)  most resident MB"
    )
    for clients in levels:
        print(await level(pipeline, endless, clients, max(answers, 2 * clients)), flush=True)


async def cancellation(samples: list[Sample], clients: int) -> None:
    """So many calls at once; after the first answer all but each tenth are given up."""
    pipeline = GraphEval.local()
    endless = itertools.cycle(samples)
    await ready(pipeline, endless)
    tasks = [asyncio.create_task(pipeline.aevaluate(next(endless))) for _ in range(clients)]
    began = time.perf_counter()
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    first = time.perf_counter() - began
    before = sum(task.done() for task in tasks)
    given_up = sum(task.cancel() for number, task in enumerate(tasks) if number % 10)
    began = time.perf_counter()
    await asyncio.wait(tasks)
    seconds = time.perf_counter() - began
    answered = sum(not task.cancelled() for task in tasks) - before
    batcher = pipeline._shared_batcher()
    assert batcher is not None
    print(f"{clients} calls at once, the first answer after {first:.2f} s; then {given_up} were given up")
    print(f"the other {answered} had their answers in {seconds:.2f} s: {answered / seconds:.1f} answers/s")
    print(f"requests in the verifier's queue afterwards: {batcher.waiting}")


class Forgetful(FakeVerifier):
    """A fake that does not record what it was asked, which would grow."""

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As the fake's own."""
        judged = super().verify(pairs)
        self.pairs.clear()
        return judged


class ForgetfulExtractor(FakeExtractor):
    """The same for answers."""

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the fake's own."""
        made = super().extract(samples)
        self.calls.clear()
        return made


def short(number: int) -> tuple[str, str]:
    """An answer of one claim and a context of three sentences that no other number has."""
    chance = random.Random(number)
    rooms, floors, year = chance.randrange(2, 90), chance.randrange(1, 9), chance.randrange(1700, 2020)
    house = f"House {number}"
    answer = f"{house} has {rooms + number % 2} rooms."
    return answer, f"{house} was built in {year}. It stands in Oslo. {house} has {rooms} rooms on {floors} floors."


def long(number: int) -> tuple[str, str]:
    """A short answer with a context of a hundred words."""
    return f"Answer number {number}.", f"The context of answer {number}. " * 20


async def memory(pipeline: GraphEval, made: Callable[[int], tuple[str, str]], calls: int) -> None:
    """Resident memory over many calls, 500 at once, no text twice."""
    await asyncio.to_thread(pipeline.warm_up)
    process = psutil.Process()
    numbers = itertools.count()

    async def client(last: int) -> None:
        while (number := next(numbers)) < last:
            await pipeline.aevaluate(*made(number))

    print(" calls   resident MB   objects   calls/s")
    done = 0
    for step in range(10):
        last = calls * (step + 1) // 10
        began = time.perf_counter()
        await asyncio.gather(*(client(last) for _ in range(min(500, calls))))
        rate = (last - done) / (time.perf_counter() - began)
        numbers, done = itertools.count(last), last
        await asyncio.sleep(0)  # the event loop lets go of the last results
        gc.collect()
        resident, objects = process.memory_info().rss / 1e6, len(gc.get_objects())
        print(f"{last:6d} {resident:13.1f} {objects:9d} {rate:9.0f}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 10, 100, 500])
    parser.add_argument("--answers", type=int, default=300, help="per level, or twice as many as there are clients")
    parser.add_argument("--calls", type=int, default=20_000, help="calls for the memory figures")
    options = parser.parse_args()
    for part in options.part:
        print(f"\n{part}")
        if part == "memory":
            asyncio.run(memory(GraphEval.local(), short, options.calls))
        elif part == "fakes":
            asyncio.run(memory(GraphEval(ForgetfulExtractor(), Forgetful(default=0.9)), long, options.calls))
        else:
            samples = [item.sample for item in labelled("summaries", options.data)]
            if part == "traffic":
                asyncio.run(traffic(samples, options.concurrency, options.answers))
            else:
                asyncio.run(cancellation(samples, max(options.concurrency)))


if __name__ == "__main__":
    main()
