"""Premise-hypothesis rows: what they look like on disk and how they are read."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILMENT = 0, 1, 2, 3
"""Class indices. `NOT_ENTAILMENT` is no class of the model: it stands for "neutral or contradiction"."""

LABELS = ("entailment", "neutral", "contradiction")
"""Names of the model's classes, in the order of its logits."""

_INDEX = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": 3}


@dataclass(frozen=True, slots=True)
class Row:
    """One training or evaluation pair.

    Attributes:
        premise: The text that is taken as true.
        hypothesis: The claim that is judged against it.
        label: `ENTAILMENT`, `NEUTRAL`, `CONTRADICTION` or `NOT_ENTAILMENT`.
        source: Data set or generator family that the row comes from.
    """

    premise: str
    hypothesis: str
    label: int
    source: str


def label_index(name: str) -> int:
    """Return the index of a label's name.

    Raises:
        ValueError: If the name is not one of the four known ones.
    """
    try:
        return _INDEX[name]
    except KeyError:
        raise ValueError(f"unknown label {name!r}; expected one of {sorted(_INDEX)}") from None


def data_root(path: str | Path | None) -> Path:
    """Return the data folder: the argument, `GRAPHEVAL_DATA`, or `../shared/data` beside the project."""
    if path is not None:
        return Path(path)
    if "GRAPHEVAL_DATA" in os.environ:
        return Path(os.environ["GRAPHEVAL_DATA"])
    return Path(__file__).resolve().parents[2].parent / "shared" / "data"


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON Lines file, gzipped or not.

    Raises:
        ValueError: If a line is not a JSON object; the message names the line.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as handle:
        for number, line in enumerate(handle, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
            if not isinstance(value, dict):
                raise ValueError(f"{path}, line {number}: expected an object")
            yield value


def learnable(document: str) -> bool:
    """Whether claims may be made up about a document of the development summaries.

    Half of the documents, chosen by a checksum, lend text; the other half stays unseen, so that figures on it show
    what text from elsewhere will see.
    """
    return hashlib.sha256(document.encode("utf-8")).digest()[0] % 2 == 0


def read_pairs(
    path: Path,
    *,
    split: str,
    shares: Mapping[str, float] | None = None,
    redistributable_only: bool = False,
) -> list[Row]:
    """Read pairs of one split.

    Args:
        path: File in the format of `nli/pairs.jsonl.gz` (see the recipe's README).
        split: `train` or `dev`.
        shares: Share of each source to keep, 0 to 1; sources that are not named are left out. None keeps all.
            The kept rows are the first ones of an even stride, so the choice is the same on every machine.
        redistributable_only: Keep only rows whose licence lets derived weights be passed on.

    Returns:
        The rows in file order.
    """
    seen: dict[str, float] = {}
    rows: list[Row] = []
    for item in read_jsonl(path):
        if item["split"] != split or (redistributable_only and not item["redistributable"]):
            continue
        source = str(item["source"])
        share = 1.0 if shares is None else shares.get(source, 0.0)
        before = seen.get(source, 0.0)
        seen[source] = before + share
        if int(before + share + 1e-9) == int(before + 1e-9):
            continue
        rows.append(Row(str(item["premise"]), str(item["hypothesis"]), label_index(str(item["label"])), source))
    return rows


def read_rows(path: Path) -> list[Row]:
    """Read rows that `write_rows` wrote."""
    return [
        Row(str(r["premise"]), str(r["hypothesis"]), label_index(str(r["label"])), str(r["source"]))
        for r in read_jsonl(path)
    ]


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write rows as gzipped JSON Lines with the fields source, premise, hypothesis, label.

    The file's bytes depend on the rows alone (no time stamp, no file name in the gzip header).
    """
    names = (*LABELS, "not_entailment")
    with path.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as handle:
        for row in rows:
            item = {
                "source": row.source,
                "premise": row.premise,
                "hypothesis": row.hypothesis,
                "label": names[row.label],
            }
            handle.write((json.dumps(item, ensure_ascii=False) + "\n").encode("utf-8"))
