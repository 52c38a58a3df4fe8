"""Latency and memory of the local pipeline in its default configuration: the one whose accuracy is reported.

    python -m tests.benchmarks.speed [--repeat N]

A 60-word answer against 2,000 words of context in five passages, warm; peak memory of the process; a cold
`grapheval check` as a user starts it. Medians; run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grapheval import GraphEval, Sample
from tests.benchmarks.data import DEFAULT, rows

WORDS = 60
CONTEXT_WORDS = 2_000
PASSAGES = 5


def cases(data: Path, count: int) -> list[Sample]:
    """Answers of about 60 words (dev summaries joined), each with 2,000 words in five passages, its own among them."""
    summaries = rows("factuality/summaries", data)
    paragraphs = [r["text"] for r in rows("text/paragraphs", data) if len(r["text"].split()) >= 80]
    samples: list[Sample] = []
    used = 0
    place = 0
    while len(samples) < count:
        words, passages = [], []
        while len(words) < WORDS:
            row = summaries[used % len(summaries)]
            used += 1
            words += row["output"].split()
            passages.append(row["context"])
        text = " ".join(words[:WORDS])
        size = CONTEXT_WORDS // PASSAGES
        chunks = [" ".join(passage.split()[:size]) for passage in passages[:PASSAGES]]
        while len(chunks) < PASSAGES:
            filler: list[str] = []
            while len(filler) < size:
                filler += paragraphs[place % len(paragraphs)].split()
                place += 1
            chunks.append(" ".join(filler[:size]))
        missing = CONTEXT_WORDS - sum(len(chunk.split()) for chunk in chunks)
        while missing > 0:
            extra = paragraphs[place % len(paragraphs)].split()[:missing]
            place += 1
            chunks[-1] += " " + " ".join(extra)
            missing -= len(extra)
        samples.append(Sample(text, chunks, id=str(len(samples))))
    return samples


def percentile(values: list[float], share: float) -> float:
    """The value at that share of the sorted list."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def warm(samples: list[Sample]) -> None:
    """Time each evaluation."""
    pipeline = GraphEval.local()
    for sample in samples[:3]:
        pipeline.evaluate(sample)
    times, parts, claims, pairs = [], [], [], []
    for sample in samples:
        began = time.perf_counter()
        evaluation = pipeline.evaluate(sample)
        times.append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        pipeline.extractor.extract([sample])
        parts.append(1000 * (time.perf_counter() - began))
        claims.append(len(evaluation.verdicts))
        pairs.append(evaluation.provenance.selection.get("pairs", 0))
    print(
        f"evaluate, warm: median {statistics.median(times):.0f} ms, p95 {percentile(times, 0.95):.0f} ms over "
        f"{len(times)} answers (extraction {statistics.median(parts):.0f} ms; "
        f"{statistics.mean(claims):.1f} claims and {statistics.mean(pairs):.1f} pairs an answer)"
    )
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def cold(sample: Sample, repeat: int) -> None:
    """Time `grapheval check` from the start of the process."""
    with tempfile.TemporaryDirectory() as folder:
        context = Path(folder) / "context.txt"
        context.write_text("\n\n".join(source.text for source in sample.sources), encoding="utf-8")
        command = [sys.executable, "-m", "grapheval", "check", "--context", str(context), "--answer", sample.answer]
        times = []
        for _ in range(repeat):
            began = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            times.append(time.perf_counter() - began)
    print(f"cold `grapheval check`: median {statistics.median(times):.2f} s of {repeat}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--repeat", type=int, default=60)
    given = parser.parse_args()
    samples = cases(given.data, given.repeat)
    warm(samples)
    cold(samples[0], 5)


if __name__ == "__main__":
    main()
