"""Accuracy of the local pipeline, in its default configuration, on the dev sets and (for reporting) the benchmarks.

    python -m tests.benchmarks.accuracy [--data DIR] [--sets begin-wow summaries …] [--limit N] [--raw] [--json FILE]

Balanced accuracy at 0.5; an answer that was not judged counts as wrong. `--raw` adds the verifier alone on the whole
answer (best window), which GraphEval has to beat. A quick look without a cache: `figures_accuracy` prints everything.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grapheval import Evaluation, Failure, GraphEval
from grapheval.bench.metrics import score
from grapheval.bench.raw import raw_detector
from tests.benchmarks.data import BENCHMARKS, DEFAULT, DEV
from tests.benchmarks.figures_accuracy.sets import USES, cases


def probabilities(results: list[Evaluation | Failure]) -> list[float | None]:
    """`p_inconsistent` of each result; None where nothing was judged."""
    return [result.p_inconsistent if isinstance(result, Evaluation) else None for result in results]


def measure(pipeline: GraphEval, name: str, data: Path, limit: int | None, *, raw: bool) -> dict[str, Any]:
    """Scores of one set."""
    items = cases(name, data, limit)
    samples = [item.sample for item in items]
    began = time.perf_counter()
    results = pipeline.evaluate_many(samples)
    seconds = time.perf_counter() - began
    labels, groups = [item.label for item in items], [item.group for item in items]
    row = {
        "set": name,
        "use": USES[name],
        **asdict(score(labels, probabilities(results), groups=groups)),
        "failures": sum(isinstance(result, Failure) for result in results),
        "answers_per_second": len(items) / seconds,
    }
    if raw:
        alone = raw_detector(pipeline).evaluate_many(samples)
        row["raw"] = asdict(score(labels, probabilities(alone), groups=groups))
    return row


def line(row: dict[str, Any]) -> str:
    """One Markdown table row."""

    def percent(share: float | None) -> str:
        return "–" if share is None else f"{100 * share:.1f}"

    interval = row["balanced_accuracy_ci"]
    between = "" if interval is None else f" [{percent(interval['low'])}, {percent(interval['high'])}]"
    raw = f"{percent(row['raw']['balanced_accuracy'])} / {percent(row['raw']['auc'])}" if "raw" in row else ""
    return (
        f"| {row['set']} ({row['use']}) | {row['n']} | {percent(row['balanced_accuracy'])}{between} | "
        f"{percent(row['auc'])} | {percent(row['recall'])} | {percent(row['specificity'])} | {row['unjudged']} | "
        f"{row['answers_per_second']:.1f} | {raw} |"
    )


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--sets", nargs="+", choices=list(USES), default=[*DEV, *BENCHMARKS], metavar="NAME")
    parser.add_argument("--limit", type=int, help="answers of each set: the same ones always, spread over the set")
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    pipeline = GraphEval.local()
    print(f"threshold {pipeline.threshold}; {pipeline.provenance()}\n")
    print(
        "| set | n | balanced accuracy [95 %] | AUC | recall | specificity | unjudged | answers/s | raw (acc / AUC) |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    measured = []
    for name in given.sets:
        measured.append(measure(pipeline, name, given.data, given.limit, raw=given.raw))
        print(line(measured[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
