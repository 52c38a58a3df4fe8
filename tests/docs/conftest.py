"""The reader's desk: a folder with the files that the pages name, and a language model that answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grapheval.calibration import Settings
from grapheval.testing import FakeLLM
from tests.tools.openai_stub import OpenAIStub

CONTEXT = "Marie Curie was born in Warsaw in 1867. She moved to Paris in 1891 to study physics at the Sorbonne."
ANSWER = "Marie Curie was born in Vienna in 1911."
TOWNS = {"Aldham": 1204, "Brenwick": 1311, "Corley": 1420, "Dunmere": 1533, "Eastby": 1608, "Farrow": 1650}
TOWNS |= {"Garston": 1702, "Holm": 1755, "Ickley": 1801, "Jarrow": 1833, "Kelby": 1871, "Lorne": 1902}

GIVEN: dict[str, Any] = {"answer": ANSWER, "context": CONTEXT, "my_model": FakeLLM(["<triples>[]</triples>"])}
"""Names that pages use as the reader's own."""


def replied(body: dict[str, Any]) -> str:
    """What a language model says when it is asked for triples, for a better triple, for a better text."""
    asked = body["messages"][0]["content"]
    if "knowledge graph" in asked:
        return '<triples>[["Marie Curie", "was born in", "Vienna"], ["Marie Curie", "was born in", "1911"]]</triples>'
    if re.match(r"A triple\b", asked):
        return '<triple>["Marie Curie", "was born in", "Warsaw in 1867"]</triple>'
    return "<text>Marie Curie was born in Warsaw in 1867.</text>"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An own folder as the working directory, with `notes.md`, `answers.jsonl` and the others."""
    _write(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    with OpenAIStub(replied) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OLLAMA_HOST", server.url.removesuffix("/v1"))
        yield tmp_path


def _write(folder: Path) -> None:
    for name in ("notes.md", "notes.txt", "docs/life.md", "docs/prizes.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{CONTEXT}\n", encoding="utf-8")
    (folder / "answer.txt").write_text(f"{ANSWER}\n", encoding="utf-8")
    answers = [{"id": f"q{n}", "answer": ANSWER, "contexts": [CONTEXT]} for n in range(2)]
    _lines(folder / "answers.jsonl", answers)
    _table(folder / "answers.parquet", answers)
    labelled = [
        {
            "answer": f"{town} was founded in {year + 77 * label}.",
            "contexts": [f"It was founded in {year}."],
            "label": label,
        }
        for town, year in TOWNS.items()
        for label in (0, 1)
    ]
    _lines(folder / "labelled.jsonl", labelled)
    Settings(0.4).save(folder / "settings.json")
    for label in ("cnndm", "xsum"):
        _lines(folder / f"mturk_{label}.jsonl", [_voted("yes", "Warsaw"), _voted("no", "Paris")])
    (folder / "DIR").mkdir()
    for label in ("cnndm", "xsum"):
        _lines(folder / "DIR" / f"mturk_{label}.jsonl", [_voted("yes", "Warsaw"), _voted("no", "Paris")])
    rows = [
        {
            "id": town,
            "decoded": f"Marie Curie was born in {town}.",
            "text": CONTEXT,
            "expert_annotations": [{"consistency": mark}],
        }
        for town, mark in (("Warsaw", 5), ("Paris", 1))
    ]
    _lines(folder / "DIR" / "model_annotations.aligned.paired.jsonl", rows)


def _voted(vote: str, town: str) -> dict[str, Any]:
    sentence = {"sentence": f"Marie Curie was born in {town}.", "responses": [{"response": vote}]}
    return {"article": CONTEXT, "summary_sentences": [sentence]}


def _lines(file: Path, items: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")


def _table(file: Path, items: list[dict[str, Any]]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(items), file)
