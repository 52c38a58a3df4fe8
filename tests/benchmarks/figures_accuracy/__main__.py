"""Every accuracy figure in one run: `make figures-accuracy`.

    python -m tests.benchmarks.figures_accuracy [--data DIR] [--limit N] [--sets NAME …] [--sections NAME …]
        [--ablate NAME …] [--cache FILE] [--out DIR]

Dev sets and (for reporting only) the benchmarks with the pipeline as it ships; the verifier alone on the whole answer
against GraphEval on top of it, with the weighted gain and its standard error; every part changed alone; localisation;
the verifier's own accuracy; the cross-validated fit; the speed of the same configuration. Balanced accuracy at 0.5; an
answer that was not judged counts as wrong; intervals are bootstrapped over contexts.

The verifier's scores are kept in `--cache`, filed under the checksum of the model: what was judged once, in this run or
an earlier one, costs nothing again, and an interrupted run goes on where it was. Progress goes to standard error, the
report to standard output and, with `--out`, as report.md and report.json into a folder.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any

from grapheval import GraphEval
from grapheval.cache import ResultCache, cached
from tests.benchmarks.data import BENCHMARKS, DEFAULT, ROOT
from tests.benchmarks.figures_accuracy.configurations import Workbench
from tests.benchmarks.figures_accuracy.run import Run
from tests.benchmarks.figures_accuracy.sections import SECTIONS
from tests.benchmarks.figures_accuracy.sets import DEV, USES

ABLATED = ("summaries", "begin-wow", "rag-answers")
"""Where parts are taken out: dev sets, as a look at the benchmarks would be a choice."""


def positive(text: str) -> int:
    """A number of answers."""
    number = int(text)
    if number < 1:
        msg = f"must be at least 1, not {number}"
        raise argparse.ArgumentTypeError(msg)
    return number


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--sets", nargs="+", choices=list(USES), default=[*DEV, *BENCHMARKS], metavar="NAME")
    parser.add_argument("--sections", nargs="+", choices=list(SECTIONS), default=list(SECTIONS), metavar="NAME")
    parser.add_argument("--ablate", nargs="+", choices=list(USES), default=list(ABLATED), metavar="NAME")
    parser.add_argument("--limit", type=positive, help="answers of each set: the same ones always, spread over the set")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "figures-accuracy.sqlite")
    parser.add_argument("--out", type=Path, help="folder for report.md and report.json")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Measure and print; the exit status is 1 if the data is not there."""
    asked = arguments(given)
    if not asked.data.is_dir():
        print(f"no data in {asked.data}: name its folder with --data or GRAPHEVAL_DATA", file=sys.stderr)
        return 1
    base = GraphEval.local()
    cache = ResultCache(asked.cache)
    known = len(cache)
    if not cache.working:
        print(f"cannot keep scores in {asked.cache}: name another file with --cache", file=sys.stderr)
        return 1
    verifier = cached(base, cache).verifier
    lines: list[str] = []

    def say(text: str) -> None:
        lines.append(text)
        print(f"{text}\n", flush=True)

    run = Run(
        data=asked.data,
        sets=asked.sets,
        ablate=[name for name in asked.ablate if name in asked.sets],
        limit=asked.limit,
        base=base,
        verifier=verifier,
        bench=Workbench(base, verifier),
        say=say,
    )
    made: dict[str, Any] = {"provenance": dataclasses.asdict(base.provenance()), "limit": asked.limit}
    say(f"# Accuracy\n\n{_provenance(base)}" + (f" At most {asked.limit} answers a set." if asked.limit else ""))
    began = time.perf_counter()
    for name in asked.sections:
        title, section = SECTIONS[name]
        say(f"## {title}")
        made[name] = section(run)
        _write(asked.out, lines, made)  # after each section: what is measured is kept
    print(
        f"{time.perf_counter() - began:.0f} s; {cache.misses} of {cache.hits + cache.misses} pairs judged by the "
        f"model, the others remembered ({known} scores were known before)",
        file=sys.stderr,
    )
    cache.close()
    return 0


def _provenance(pipeline: GraphEval) -> str:
    found = pipeline.provenance()
    return (
        f"grapheval {found.version}; extractor {found.extractor}; verifier {found.verifier}; selector "
        f"{found.selector}; aggregator {found.aggregator}; threshold {found.threshold}."
    )


def _write(folder: Path | None, lines: list[str], made: dict[str, Any]) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    (folder / "report.json").write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
