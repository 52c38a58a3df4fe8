"""The training data's formats: what is read, what is refused, what is left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from training.rows import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT, Row, read_jsonl, read_pairs, read_rows, write_rows
from training.stage_a import SHARES


def pairs_file(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "pairs.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as handle:
        handle.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def row(number: int, **changes: object) -> dict[str, object]:
    return {
        "source": "mnli",
        "licence": "free",
        "redistributable": True,
        "split": "train",
        "premise": f"Premise {number}.",
        "hypothesis": "Claim.",
        "label": "entailment",
    } | changes


def test_only_the_split_and_the_licence_asked_for_are_read(tmp_path: Path) -> None:
    path = pairs_file(tmp_path, [row(1), row(2, split="dev"), row(3, redistributable=False), row(4, source="rte")])
    found = read_pairs(path, split="train", shares={"mnli": 1.0}, redistributable_only=True)
    assert found == [Row("Premise 1.", "Claim.", ENTAILMENT, "mnli")]


def test_a_share_takes_an_even_stride(tmp_path: Path) -> None:
    path = pairs_file(tmp_path, [row(n) for n in range(8)])
    found = read_pairs(path, split="train", shares={"mnli": 0.25})
    assert [r.premise for r in found] == ["Premise 3.", "Premise 7."]


def test_not_entailment_is_a_label_of_its_own(tmp_path: Path) -> None:
    path = pairs_file(tmp_path, [row(1, label="not_entailment"), row(2, label="contradiction")])
    assert [r.label for r in read_pairs(path, split="train")] == [NOT_ENTAILMENT, CONTRADICTION]


def test_an_unknown_label_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown label 'maybe'"):
        read_pairs(pairs_file(tmp_path, [row(1, label="maybe")]), split="train")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n{"a": \n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        list(read_jsonl(path))


def test_rows_survive_a_round_trip_and_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [Row("Überall.", "“Ja”", CONTRADICTION, "syn-name"), Row("A.", "B.", NOT_ENTAILMENT, "syn-word")]
    first, second = tmp_path / "a.gz", tmp_path / "b.gz"
    write_rows(first, rows)
    write_rows(second, rows)
    assert read_rows(first) == rows
    assert first.read_bytes() == second.read_bytes()


def test_stage_a_names_only_sources_with_licences_that_allow_shipping() -> None:
    assert set(SHARES) == {"mnli", "snli", "conjnli", "fm2", "wice", "infotabs"}
