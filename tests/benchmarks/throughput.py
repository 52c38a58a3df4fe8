"""Throughput of many answers beside that of the verifier alone, and what each part of the pipeline does for it.

    python -m tests.benchmarks.throughput [--part PART …] [--answers N] [--rounds N]

Parts: `pipeline` (evaluate_many and aevaluate_many against the verifier alone on the same pairs, and labels against
one-by-one `evaluate`), `batching` (pairs alone against padded batches), `overlap` (no overlap, threads, a process),
`cache` (a second run with verdicts on disk), `index` (ten sentences over one long context), `kill` (the program on the
real pipeline, killed with SIGKILL at random moments and resumed).

Texts of QAGS-C and of the dev summaries; labels are not read. Contestants take turns in one process, the median round
counts. Processor time is given beside the clock's: on a busy machine it is the fairer one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grapheval import Evaluation, GraphEval, Sample
from grapheval.protocols import Judgement, Pair
from grapheval.types import Extraction, Failure
from grapheval.verification.bundled import BundledVerifier, normal_claim
from tests.benchmarks.data import DEFAULT, rows

BAND = 0.01
"""Probabilities so near the threshold may fall to either side."""


class Recording(BundledVerifier):
    """The bundled verifier; remembers what it was asked."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.asked: list[Pair] = []

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.asked += pairs
        return super().verify(pairs)


@dataclass
class Times:
    """Seconds by the clock and of the processor, round by round."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def take(self, call: Callable[[], Any]) -> Any:
        began, used = time.perf_counter(), time.process_time()
        result = call()
        self.clock.append(time.perf_counter() - began)
        self.processor.append(time.process_time() - used)
        return result


def take_turns(contestants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, Times]:
    """Every contestant once a round."""
    times = {name: Times() for name in contestants}
    for _ in range(rounds):
        for name, call in contestants.items():
            times[name].take(call)
    return times


def show(times: dict[str, Times], amount: float, unit: str, first: str) -> None:
    """One line each: per second, and as a share of the first."""
    base_clock = statistics.median(times[first].clock)
    base_processor = statistics.median(times[first].processor)
    for name, taken in times.items():
        clock, processor = statistics.median(taken.clock), statistics.median(taken.processor)
        print(
            f"  {name:34s} {amount / clock:9.0f} {unit}/s, {amount / processor:9.0f} per processor second"
            f"  ({base_clock / clock:6.1%} of {first!r}, {base_processor / processor:6.1%} by processor time)"
        )


def tokens_of(verifier: BundledVerifier, pairs: Sequence[Pair]) -> int:
    return sum(verifier.count_tokens([text for p in pairs for text in (p.premise, p.hypothesis)])) + 3 * len(pairs)


def samples_of(data: Path, count: int) -> list[Sample]:
    """Answers of QAGS-C with their contexts."""
    return [Sample(r["output"], r["context"], id=str(n)) for n, r in enumerate(rows("benchmarks/qags_c", data)[:count])]


def pipeline(samples: list[Sample], rounds: int) -> None:
    """All at once against the verifier alone, and against one by one."""
    verifier = Recording()
    judge = GraphEval.local(verifier=verifier)
    many = judge.evaluate_many(samples)
    pairs = list(verifier.asked)
    tokens = tokens_of(verifier, pairs)
    contestants: dict[str, Callable[[], Any]] = {
        "the verifier alone": lambda: BundledVerifier.verify(verifier, pairs),
        "evaluate_many": lambda: judge.evaluate_many(samples),
        "aevaluate_many": lambda: asyncio.run(judge.aevaluate_many(samples)),
        "evaluate, one by one": lambda: [judge.evaluate(sample) for sample in samples],
    }
    print(f"{len(samples)} answers, {len(pairs)} pairs, {tokens / len(pairs):.0f} tokens a pair")
    times = take_turns(contestants, rounds)
    show(times, tokens, "tokens", "the verifier alone")
    single = [judge.evaluate(sample) for sample in samples]
    compare("evaluate_many", many, single)
    compare("aevaluate_many", asyncio.run(judge.aevaluate_many(samples)), single)


def compare(name: str, many: Sequence[Evaluation | Failure], single: Sequence[Evaluation]) -> None:
    """Labels of answers and of their claims against those of one-by-one `evaluate`, outside the band."""
    failed = statuses = claims = near = labels = answers_near = 0
    far = 0.0
    for left, right in zip(many, single, strict=True):
        if not isinstance(left, Evaluation) or len(left.verdicts) != len(right.verdicts):
            failed += 1
            continue
        band = False
        for one, two in zip(left.verdicts, right.verdicts, strict=True):
            claims += 1
            p, q = one.p_ungrounded, two.p_ungrounded
            if p is not None and q is not None:
                far = max(far, abs(p - q))
            if q is not None and abs(q - right.threshold) <= BAND:
                near, band = near + 1, True
            else:
                labels += one.label is not two.label or one.claim != two.claim
        answers_near += band
        statuses += left.status is not right.status and not band
    print(
        f"  {name} against one by one: {len(single)} answers ({answers_near} in the band of {BAND}), {failed} without the"
        f" same claims, {statuses} another status; {claims} claims ({near} in the band), {labels} another label;"
        f" largest difference of a probability {far:.1g}"
    )


def batching(samples: list[Sample], rounds: int) -> None:
    """Each pair in a run of its own against padded batches, on one thread."""
    import numpy as np

    from grapheval.verification.batching import batches

    verifier = Recording(threads=1)
    GraphEval.local(verifier=verifier).evaluate_many(samples)
    loaded = verifier._load()
    texts = [(pair.premise, normal_claim(pair.hypothesis)) for pair in verifier.asked]
    premises, claims = loaded._encode([p for p, _ in texts]), loaded._encode([c for _, c in texts])
    whole = [[loaded._cls, *p, loaded._sep, *c, loaded._sep] for p, c in zip(premises, claims, strict=True)]
    lengths = list(map(len, whole))

    def padded(budget: int) -> Any:
        found = np.zeros((len(whole), 3))
        for group in batches(lengths, budget):
            width = max(lengths[n] for n in group)
            ids, mask, types = (np.zeros((len(group), width), np.int64) for _ in range(3))
            for row, n in enumerate(group):
                ids[row, : lengths[n]], mask[row, : lengths[n]] = whole[n], 1
                types[row, len(premises[n]) + 2 : lengths[n]] = 1
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
            logits = loaded.session.run(["logits"], feeds)[0].astype(float)
            weights = np.exp(logits - logits.max(1, keepdims=True))
            found[group] = (weights / weights.sum(1, keepdims=True))[:, loaded.config.order]
        return found

    alone = np.array([judgement.probabilities for judgement in loaded.judge(texts)])
    contestants: dict[str, Callable[[], Any]] = {"each pair alone": lambda: loaded.judge(texts)}
    for budget in (512, 1024, 2048):
        contestants[f"batches of {budget} tokens"] = lambda budget=budget: padded(budget)  # type: ignore[misc]
        change = np.abs(padded(budget) - alone)
        flipped = ((padded(budget)[:, 0] > 0.5) != (alone[:, 0] > 0.5)).mean()
        print(
            f"  batches of {budget} tokens: a probability changes by {change.mean():.3f} on average, {change.max():.2f} "
            f"at most; {flipped:.1%} of the pairs change sides of 0.5"
        )
    show(take_turns(contestants, rounds), sum(lengths), "tokens", "each pair alone")


_REMOTE: GraphEval | None = None


def _extract(samples: Sequence[Sample]) -> list[Extraction]:
    global _REMOTE  # noqa: PLW0603 - one pipeline in the worker process
    _REMOTE = _REMOTE or GraphEval.local()
    return _REMOTE.extractor.extract(samples)


class InProcess:
    """An extractor in a process of its own."""

    def __init__(self, pool: ProcessPoolExecutor, info: str) -> None:
        self._pool, self.info = pool, info

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the local one."""
        return self._pool.submit(_extract, list(samples)).result()


def overlap(samples: list[Sample], rounds: int) -> None:
    """Extraction of the next answers while these are verified: in a thread, in a process, not at all."""
    judge = GraphEval.local()

    def in_turn() -> None:
        for start in range(0, len(samples), 4):  # small enough for `evaluate_many` to start no thread
            judge.evaluate_many(samples[start : start + 4])

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        remote = GraphEval.local(extractor=InProcess(pool, judge.extractor.info), verifier=judge.verifier)
        contestants: dict[str, Callable[[], Any]] = {
            "threads (evaluate_many)": lambda: judge.evaluate_many(samples),
            "extraction in a process": lambda: remote.evaluate_many(samples),
            "no overlap": in_turn,
        }
        for call in contestants.values():
            call()
        show(take_turns(contestants, rounds), len(samples), "answers", "threads (evaluate_many)")


def cache(samples: list[Sample], rounds: int) -> None:
    """The same batch again, with the verdicts on disk."""
    from grapheval.cache import cached

    plain = GraphEval.local()
    plain.evaluate_many(samples[:4])
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(1000))
        warm = cached(plain, Path(folder) / "warm.sqlite3")
        results = warm.evaluate_many(samples)
        assert results == warm.evaluate_many(samples) == plain.evaluate_many(samples)
        contestants: dict[str, Callable[[], Any]] = {
            "no cache": lambda: plain.evaluate_many(samples),
            "an empty cache": lambda: cached(plain, Path(folder) / f"{next(numbers)}.sqlite3").evaluate_many(samples),
            "a full cache": lambda: warm.evaluate_many(samples),
        }
        show(take_turns(contestants, rounds), len(samples), "answers", "no cache")


def index(data: Path, rounds: int) -> None:
    """Ten sentences, one call each, over one context of about 15,000 words."""
    from grapheval.context.index import _full_index

    summaries = rows("factuality/summaries", data)
    contexts = list(dict.fromkeys(r["context"] for r in summaries))[:30]
    context = ["\n".join(contexts)[:110_000]]
    sentences = [Sample(r["output"], context) for r in summaries[:10]]
    judge = GraphEval.local()
    judge.evaluate_many(sentences[:2])

    def each(*, keep: bool) -> None:
        for sentence in sentences:
            if not keep:
                _full_index.cache_clear()
            judge.evaluate(sentence)

    contestants: dict[str, Callable[[], Any]] = {
        "the index made anew": lambda: each(keep=False),
        "the index kept": lambda: each(keep=True),
    }
    show(take_turns(contestants, rounds), len(sentences), "sentences", "the index made anew")


def kill(samples: list[Sample], times: int) -> None:
    """The program as people start it, killed and resumed until it is done."""
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "in.jsonl"
        with source.open("w", encoding="utf-8") as file:
            for sample in samples:
                line = {"id": sample.id, "answer": sample.answer, "contexts": [s.text for s in sample.sources]}
                file.write(json.dumps(line) + "\n")

        def start(target: str, *options: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "grapheval", "batch", str(source), str(folder / target), "-q", *options]
            return subprocess.Popen([*command, "--cache", str(folder / f"{target}.cache")])

        began = time.perf_counter()
        assert start("whole.jsonl").wait() == 0
        length = time.perf_counter() - began
        whole = (folder / "whole.jsonl").read_bytes().splitlines()
        killed = finished = 0
        while killed < times:
            target = f"out{finished}.jsonl"
            while True:
                process = start(target, "--resume")
                if killed < times:
                    time.sleep(chance.uniform(0.3, 0.9) * length)  # loading the models takes the first part
                    process.send_signal(signal.SIGKILL)
                if process.wait() != -signal.SIGKILL:
                    break
                killed += 1
            out = (folder / target).read_bytes().splitlines()
            finished += 1
            for number, (one, two) in enumerate(zip(whole, out, strict=True), 1):
                assert one == two, f"line {number} was {one[:2000]!r} and is {two[:2000]!r}"
        print(f"  {len(whole)} answers, killed {killed} times, finished {finished} times: each output is the same")


PARTS = ("pipeline", "batching", "overlap", "cache", "index", "kill")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--answers", type=int, default=235)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=5)
    given = parser.parse_args()
    samples = samples_of(given.data, given.answers)
    print(f"{len(os.sched_getaffinity(0))} cores, {given.rounds} rounds")
    for part in given.part:
        print(f"\n{part}")
        if part == "index":
            index(given.data, given.rounds)
        elif part == "kill":
            kill(samples[:60], given.kills)
        else:
            call = {"pipeline": pipeline, "batching": batching, "overlap": overlap, "cache": cache}[part]
            call(samples, given.rounds)


if __name__ == "__main__":
    main()
