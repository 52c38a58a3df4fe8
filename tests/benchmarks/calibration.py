"""What calibrating the local pipeline on labelled answers gives, on the dev sets.

    python -m tests.benchmarks.calibration [--data DIR] [--sets begin-wow summaries] [--sizes 50 200 all]

For each set and number of labelled answers (whole contexts, drawn with a fixed seed): cross-validated balanced accuracy
with and without calibration, what was fitted, and whether it was enough data. The answers are judged once.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from grapheval import Failure, GraphEval, InputError
from grapheval.calibration import LabelledSample
from grapheval.calibration.fitting import calibrated_from
from tests.benchmarks.data import DEFAULT, DEV, labelled


def main() -> None:
    """Print one line for each set and size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--sets", nargs="+", default=list(DEV))
    parser.add_argument("--sizes", nargs="+", default=["50", "200", "all"])
    parser.add_argument("--limit", type=int, help="the first answers of each set only, to try it")
    given = parser.parse_args()
    pipeline = GraphEval.local()
    for name in given.sets:
        items = labelled(name, given.data)[: given.limit]
        results = pipeline.evaluate_many([item.sample for item in items])
        failures = sum(isinstance(result, Failure) for result in results)
        print(f"{name}: {len(items)} answers, {failures} failures")
        groups = sorted({item.group for item in items})
        random.Random(0).shuffle(groups)
        order = {group: place for place, group in enumerate(groups)}
        rows = sorted(range(len(items)), key=lambda i: (order[items[i].group], i))
        for size in given.sizes:
            chosen = rows if size == "all" else rows[: int(size)]
            answers = [LabelledSample(items[i].sample, items[i].label) for i in chosen]
            try:
                made = calibrated_from(pipeline, answers, [results[i] for i in chosen])
            except InputError as error:
                print(f"  {size}: {error}")
                continue
            print(f"  {size}: {made.report.summary}")


if __name__ == "__main__":
    main()
