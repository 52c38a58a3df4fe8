"""Where the benchmark scripts find their data, and the labelled sets as samples.

The data is not part of the project. `--data` or the environment variable GRAPHEVAL_DATA names its folder; by default
it is looked for beside the project.
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grapheval import Sample

ROOT = Path(__file__).resolve().parents[2]
DEFAULT = Path(os.environ.get("GRAPHEVAL_DATA", ROOT.parent / "shared" / "data"))

BENCHMARKS = ("qags-c", "qags-x", "summeval")
"""For reporting only: nothing is ever tuned on them."""
DEV = ("begin-wow", "summaries")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sample with people's judgement: 1 = inconsistent; `group` names answers that share a context."""

    sample: Sample
    label: int
    group: str


def rows(name: str, data: Path = DEFAULT) -> list[dict[str, Any]]:
    """The rows of one gzipped JSON Lines file, for example `rows("nli/pairs")`."""
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def labelled(name: str, data: Path = DEFAULT) -> list[Labelled]:
    """A labelled set: `begin-wow`, `summaries` (dev), `qags-c`, `qags-x`, `summeval` (reporting only)."""
    if name == "begin-wow":
        found = [r for r in rows("nli/pairs", data) if r["source"] == "begin-wow" and r["split"] == "dev"]
        return [
            Labelled(Sample(r["hypothesis"], r["premise"], id=str(i)), int(r["label"] != "entailment"), r["premise"])
            for i, r in enumerate(found)
        ]
    if name == "summaries":
        # Goyal'21 leaves the error type empty where its annotators found none.
        return [
            Labelled(Sample(r["output"], r["context"], id=str(i)), int(r["error_type"] not in {"correct", ""}), r["id"])
            for i, r in enumerate(rows("factuality/summaries", data))
        ]
    return [
        Labelled(Sample(r["output"], r["context"], id=r["id"]), r["label"], r["context"])
        for r in rows(f"benchmarks/{name.replace('-', '_')}", data)
    ]
