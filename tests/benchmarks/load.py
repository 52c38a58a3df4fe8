"""A guard in live traffic: many asynchronous evaluations at once in one process.

    python -m tests.benchmarks.load [--concurrency 1 10 100 500] [--answers N] [--fakes] [--calls 20000]

For each level, so many clients send one answer after the other to one shared local pipeline: latency of an answer
(p50, p95, p99), answers per second, and the longest and the 99.9th-percentile stall of the event loop, as a task sees it
that asks to be woken every 5 ms. Then memory over 20,000 calls, with fakes (`--fakes`: only that). Answers are dev
summaries with their documents. Run it on an otherwise idle machine; with other work beside it, stalls are that work's.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from grapheval import GraphEval, Sample
from grapheval.testing import FakeExtractor, FakeVerifier
from tests.benchmarks.data import DEFAULT, labelled
from tests.benchmarks.speed import percentile

TICK = 0.005
"""Seconds between two looks at the event loop."""


async def watch(stalls: list[float]) -> None:
    """Note how much later than asked the event loop comes back, until cancelled."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        stalls.append(time.perf_counter() - began - TICK)


async def level(pipeline: GraphEval, samples: Iterator[Sample], clients: int, answers: int) -> str:
    """So many clients at once, so many answers in all: one line of the table."""
    times: list[float] = []
    stalls: list[float] = []
    left = itertools.count()

    async def client() -> None:
        while next(left) < answers:
            began = time.perf_counter()
            await pipeline.aevaluate(next(samples))
            times.append(1000 * (time.perf_counter() - began))

    watcher = asyncio.create_task(watch(stalls))
    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    seconds = time.perf_counter() - began
    watcher.cancel()
    p50, p95, p99 = (percentile(times, share) for share in (0.5, 0.95, 0.99))
    worst, usual = 1000 * max(stalls), 1000 * percentile(stalls, 0.999)
    return (
        f"{clients:11d} {len(times):8d} {len(times) / seconds:10.1f} {p50:9.0f} {p95:9.0f} {p99:9.0f}"
        f" {worst:11.1f} {usual:11.1f}"
    )


async def traffic(samples: list[Sample], levels: list[int], answers: int) -> None:
    """The table."""
    pipeline = GraphEval.local()
    await asyncio.to_thread(pipeline.warm_up)
    endless = itertools.cycle(samples)
    for _ in range(4):
        await pipeline.aevaluate(next(endless))
    words = sum(len(s.answer.split()) for s in samples) / len(samples)
    context = sum(len(source.text.split()) for s in samples for source in s.sources) / len(samples)
    print(f"answers of {words:.0f} words, contexts of {context:.0f} words on average; {os.cpu_count()} processors")
    print(" concurrent  answers  answers/s   p50 ms    p95 ms    p99 ms  worst stall  p99.9 stall (ms)")
    for clients in levels:
        print(await level(pipeline, endless, clients, max(answers, clients)), flush=True)


class Forgetful(FakeVerifier):
    """A fake that does not record what it was asked, which would grow."""

    def verify(self, pairs: object) -> list[object]:  # type: ignore[override]
        """As the fake's own."""
        judged = super().verify(pairs)  # type: ignore[arg-type]
        self.pairs.clear()
        return list(judged)


class ForgetfulExtractor(FakeExtractor):
    """The same for answers."""

    def extract(self, samples: object) -> list[object]:  # type: ignore[override]
        """As the fake's own."""
        made = super().extract(samples)  # type: ignore[arg-type]
        self.calls.clear()
        return list(made)


async def memory(calls: int) -> None:
    """Resident memory over many calls with fakes, 500 at once, no text twice."""
    pipeline = GraphEval(ForgetfulExtractor(), Forgetful(default=0.9))
    process = psutil.Process()
    numbers = itertools.count()

    async def client(last: int) -> None:
        while (number := next(numbers)) < last:
            await pipeline.aevaluate(f"Answer number {number}.", f"The context of answer {number}. " * 20)

    print(" calls   resident MB   objects")
    for step in range(5):
        last = calls * (step + 1) // 5
        await asyncio.gather(*(client(last) for _ in range(500)))
        numbers = itertools.count(last)
        await asyncio.sleep(0)  # the event loop lets go of the last results
        gc.collect()
        print(f"{last:6d} {process.memory_info().rss / 1e6:13.1f} {len(gc.get_objects()):9d}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 10, 100, 500])
    parser.add_argument("--answers", type=int, default=300, help="per level, or as many as there are clients")
    parser.add_argument("--calls", type=int, default=20_000, help="calls for the memory figures; 0 = none")
    parser.add_argument("--fakes", action="store_true", help="only the memory figures")
    options = parser.parse_args()
    if not options.fakes:
        samples = [item.sample for item in labelled("summaries", options.data)]
        asyncio.run(traffic(samples, options.concurrency, options.answers))
    if options.calls:
        asyncio.run(memory(options.calls))


if __name__ == "__main__":
    main()
