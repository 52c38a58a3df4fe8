"""Stage A: general inference on public pairs whose licences let derived weights be passed on."""

from __future__ import annotations

from pathlib import Path

from training.rows import Row, read_pairs

SHARES = {"mnli": 1.0, "snli": 1.0, "conjnli": 1.0, "fm2": 1.0, "wice": 1.0, "infotabs": 0.34}
"""Share of each source in the training split; InfoTabS (tables as text) only in part."""


def stage_a_rows(data: Path) -> list[Row]:
    """Return the training rows of stage A."""
    return read_pairs(data / "nli" / "pairs.jsonl.gz", split="train", shares=SHARES, redistributable_only=True)
