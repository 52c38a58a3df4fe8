"""Accuracy of the local pipeline, in its default configuration, on the dev sets and (for reporting) the benchmarks.

    python -m tests.benchmarks.accuracy [--data DIR] [--sets begin-wow summaries …] [--limit N] [--raw] [--json FILE]

Balanced accuracy at 0.5; an answer that was not judged counts as wrong. `--raw` adds the verifier alone on the whole
answer (best window), which GraphEval has to beat.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grapheval import Claim, Evaluation, Failure, GraphEval
from grapheval.bench.metrics import score
from tests.benchmarks.data import BENCHMARKS, DEFAULT, DEV, Labelled, labelled


def probabilities(results: list[Evaluation | Failure]) -> list[float | None]:
    """`p_inconsistent` of each result; None where nothing was judged."""
    return [result.p_inconsistent if isinstance(result, Evaluation) else None for result in results]


def raw_probabilities(pipeline: GraphEval, items: list[Labelled]) -> list[float | None]:
    """The verifier alone: the whole answer as one claim against its best windows."""
    found: list[float | None] = []
    verifier = pipeline.verifier
    for item in items:
        claim = Claim(item.sample.answer)
        selected = pipeline.selector.select([claim], item.sample.sources, verifier.count_tokens, verifier.info)
        from grapheval.protocols import Pair

        judged = verifier.verify([Pair(window.text, claim.text) for window in selected.windows[0]])
        known = [j.p_entailment for j in judged if j.p_entailment is not None]
        found.append(1 - max(known) if known else None)
    return found


def measure(pipeline: GraphEval, name: str, data: Path, limit: int | None, *, raw: bool) -> dict[str, Any]:
    """Scores of one set."""
    items = labelled(name, data)[:limit]
    began = time.perf_counter()
    results = pipeline.evaluate_many([item.sample for item in items])
    seconds = time.perf_counter() - began
    labels, groups = [item.label for item in items], [item.group for item in items]
    row = {
        "set": name,
        "use": "dev" if name in DEV else "report only",
        **asdict(score(labels, probabilities(results), groups=groups)),
        "failures": sum(isinstance(result, Failure) for result in results),
        "answers_per_second": len(items) / seconds,
    }
    if raw:
        row["raw"] = asdict(score(labels, raw_probabilities(pipeline, items), groups=groups))
    return row


def line(row: dict[str, Any]) -> str:
    """One Markdown table row."""
    low, high = row["balanced_accuracy_ci"]["low"], row["balanced_accuracy_ci"]["high"]
    raw = f"{100 * row['raw']['balanced_accuracy']:.1f} / {100 * row['raw']['auc']:.1f}" if "raw" in row else ""
    return (
        f"| {row['set']} ({row['use']}) | {row['n']} | {100 * row['balanced_accuracy']:.1f} "
        f"[{100 * low:.1f}, {100 * high:.1f}] | {100 * row['auc']:.1f} | {100 * row['recall']:.1f} | "
        f"{100 * row['specificity']:.1f} | {row['unjudged']} | {row['answers_per_second']:.1f} | {raw} |"
    )


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--sets", nargs="+", default=[*DEV, *BENCHMARKS])
    parser.add_argument("--limit", type=int)
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
