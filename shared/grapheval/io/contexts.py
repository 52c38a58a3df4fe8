"""Context files: text and Markdown as one source each, JSON and JSONL as many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from grapheval.errors import InputError
from grapheval.io.reading import STDIN, InputReader, parse_json
from grapheval.types import Source, to_sources
from grapheval.types.sample import clean_text

_JSON_LINES = {".jsonl", ".ndjson"}


def read_contexts(names: Sequence[str], reader: InputReader) -> tuple[Source, ...]:
    """The sources in some files.

    Args:
        names: Paths, or `-` for standard input (plain text). By their suffix: `.json` holds a passage or a list of
            passages, `.jsonl` and `.ndjson` one passage a line, anything else is a text. A passage is a string, or an
            object with `text` and, if it has a name, `id`.
        reader: Does the reading.

    Returns:
        The sources with unique ids: their own, else the file's name, else the file's name and the place in it.

    Raises:
        InputError: Something cannot be read; the message names file and place.
    """
    return to_sources([source for name in names for source in _read(name, reader)])


def _read(name: str, reader: InputReader) -> Iterator[Source]:
    text = reader.text(name)
    suffix = PurePath(name).suffix.lower()
    label = clean_text("stdin" if name == STDIN else name)
    if suffix in _JSON_LINES:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                where = f"{label}, line {number}"
                yield _passage(parse_json(line, where), where, f"{label}:{number}")
    elif suffix == ".json":
        document = parse_json(text, label) if text.strip() else []
        if isinstance(document, list):
            for number, item in enumerate(document, start=1):
                yield _passage(item, f"{label}, item {number}", f"{label}:{number}")
        else:
            yield _passage(document, label, label)
    else:
        yield Source(text, label)


def _passage(item: Any, where: str, default_id: str) -> Source:
    if not isinstance(item, str | Mapping):
        msg = f'{where}: a passage is a string or an object with "text", not {json_type(item)}'
        raise InputError(msg)
    try:
        (source,) = to_sources([item])
    except InputError as error:
        msg = f"{where}: {str(error).removeprefix('context 1: ')}"
        raise InputError(msg) from error
    own = isinstance(item, Mapping) and item.get("id") not in {None, ""}
    return Source(source.text, source.id if own else default_id, source.metadata)


def json_type(value: object) -> str:
    """What JSON calls the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
