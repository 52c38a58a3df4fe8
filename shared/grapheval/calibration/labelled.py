"""Labelled answers: the lines of a batch with people's judgement of each answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grapheval.errors import InputError
from grapheval.io.batch import read_line
from grapheval.io.reading import InputReader, parse_json
from grapheval.types import Failure, Sample

_WORDS = {"inconsistent": 1, "consistent": 0}


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """An answer and what people say of it.

    Args:
        sample: The answer with its contexts.
        label: 1 = inconsistent (something in it is not grounded in the context), 0 = consistent.
    """

    sample: Sample
    label: int

    def __post_init__(self) -> None:
        if isinstance(self.label, bool) or self.label not in {0, 1}:
            msg = f"a label is 1 (inconsistent) or 0 (consistent), not {self.label!r}"
            raise InputError(msg)


def read_labelled(name: str) -> list[LabelledSample]:
    """The labelled answers of a JSON Lines file, `-` for standard input.

    Each line is a line of `grapheval batch` with `label`: 1 or "inconsistent", 0 or "consistent". True and false are
    refused: tools disagree on what they mean.

    Raises:
        InputError: The file cannot be read, or a line is none; the message names the first one.
    """
    found = []
    for number, text in enumerate(InputReader().text(name).split("\n"), start=1):
        if not text.strip():
            continue
        content = read_line(number, text).content
        if isinstance(content, Failure):
            raise InputError(content.message)
        found.append(LabelledSample(content, _label(parse_json(text, f"line {number}"), number)))
    if not found:
        msg = f"there are no answers in {'standard input' if name == '-' else name}"
        raise InputError(msg)
    return found


def _label(record: Mapping[str, Any], number: int) -> int:
    value = record.get("label")
    if isinstance(value, str):
        value = _WORDS.get(value.strip().lower(), value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in {0, 1}:
        has = "it is missing" if "label" not in record else f"not {str(value)[:60]!r}"
        msg = f'line {number}: "label" must be 1 or "inconsistent", 0 or "consistent": {has}'
        raise InputError(msg)
    return int(value)


def group_of(sample: Sample) -> str:
    """A name that answers to the same contexts share: they are not independent of each other."""
    digest = hashlib.sha256()
    for source in sample.sources:
        digest.update(source.text.encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()


def fingerprint(items: Sequence[LabelledSample]) -> str:
    """SHA-256 of labelled answers, whatever file they came from."""
    digest = hashlib.sha256()
    for item in items:
        for text in (item.sample.answer, item.sample.question or "", group_of(item.sample), str(item.label)):
            digest.update(text.encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()
