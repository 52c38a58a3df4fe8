from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from grapheval import InputError, Source
from grapheval.io import reading
from grapheval.io.contexts import read_contexts
from grapheval.io.reading import InputReader


def sources(path: Path) -> list[tuple[str, str]]:
    return [(s.id.replace(str(path.parent) + "/", ""), s.text) for s in read_contexts([str(path)], InputReader())]


def test_a_text_is_one_source_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(b"\xef\xbb\xbf# Title\r\n\r\nText.")
    assert sources(path) == [("notes.md", "# Title\r\n\r\nText.")]


def test_json_passages(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        json.dumps(["one", {"text": "two", "id": "b"}, {"page_content": "three"}, {"text": "four", "id": 4}])
    )
    assert sources(path) == [("p.json:1", "one"), ("b", "two"), ("p.json:3", "three"), ("4", "four")]
    path.write_text('{"text": "alone"}')
    assert sources(path) == [("p.json", "alone")]
    path.write_text("")
    assert sources(path) == []


@pytest.mark.parametrize("name", ["p.jsonl", "p.ndjson", "P.JSONL"])
def test_json_lines_passages(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"text": "one", "id": "a"}\n\n"two"\r\n{"text": "three", "id": ""}', newline="")
    assert sources(path) == [("a", "one"), (f"{name}:3", "two"), (f"{name}:4", "three")]


def test_repeated_ids_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"text": "one", "id": "a"}\n{"text": "two", "id": "a"}\n')
    assert [name for name, _ in sources(path)] == ["a", "a#2"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.json", "{", "p.json: not valid JSON"),
        ("p.json", "5", "p.json: a passage is a string or an object"),
        ("p.json", '[{"title": "x"}]', 'p.json, item 1: a mapping needs the key "text"'),
        ("p.json", '[{"text": 5}]', 'p.json, item 1: "text" must be a string'),
        ("p.jsonl", '"fine"\n{"text": \n', "p.jsonl, line 2: not valid JSON"),
        ("p.jsonl", '"fine"\nnull\n', 'p.jsonl, line 2: a passage is a string or an object with "text", not null'),
        ("p.json", "[" * 100_000, "nested too deeply"),
        ("p.json", "9" * 5000, "not readable JSON"),
    ],
)
def test_bad_passages_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as error:
        sources(path)
    assert message in str(error.value)


def test_standard_input_is_read_once() -> None:
    reader = InputReader(io.BytesIO("café".encode()))
    assert read_contexts(["-"], reader) == (Source("café", "stdin"),)
    with pytest.raises(InputError, match="only once"):
        reader.text("-")


def test_endless_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="longer than"):
        InputReader().text("/dev/zero")
