"""Lines of a batch: what other tools write is read, what ours writes is one schema."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grapheval.errors import InputError
from grapheval.io.contexts import json_type
from grapheval.io.reading import parse_json
from grapheval.types import Correction, Evaluation, Failure, Sample
from grapheval.types.sample import clean_text

ANSWER = ("answer", "response", "output", "actual_output")
CONTEXTS = ("contexts", "retrieved_contexts", "retrieval_context", "context")
QUESTION = ("question", "query", "user_input", "input")
"""Names under which other tools write the same thing; the first one that is there and not null counts."""

RecordId = str | int | float


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One line of the input.

    Args:
        number: 1-based, blank lines counted.
        id: As the line has it; without one, the line's number as a string.
        content: What is to be judged, or why the line cannot be read.
    """

    number: int
    id: RecordId
    content: Sample | Failure


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """One line of the output; the failed ones have neither evaluation nor correction."""

    id: RecordId
    evaluation: Evaluation | None = None
    correction: Correction | None = None
    failure: Failure | None = None

    def to_json(self) -> str:
        """The line, without its line end."""
        from grapheval.serialize import to_plain

        return dump(
            {
                "id": self.id,
                "evaluation": self.evaluation and self.evaluation.to_dict(),
                "correction": self.correction and self.correction.to_dict(),
                "failure": to_plain(self.failure),
            }
        )


def dump(value: Any, *, indent: int | None = None) -> str:
    """JSON that every reader takes: no NaN, no lone surrogate (they become U+FFFD)."""
    return clean_text(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent))


def read_line(number: int, text: str) -> BatchLine:
    """Read one line.

    Args:
        number: 1-based, for messages and as the id of a line without one.
        text: The line; bytes that are not UTF-8 stand in it as lone surrogates (`errors="surrogateescape"`).

    Returns:
        The line; whatever is wrong with it is a `Failure` of stage `input`.
    """
    try:
        if any("\udc80" <= c <= "\udcff" for c in text):
            msg = "not valid UTF-8"
            raise InputError(msg)
        record = parse_json(text, f"line {number}")
    except InputError as error:
        return broken_line(number, str(number), error)
    return read_record(number, record)


def read_record(number: int, record: object) -> BatchLine:
    """Read what a line, or a row of a table, holds.

    Args:
        number: 1-based, for messages and as the id of a record without one.
        record: An object with an answer and, if known, contexts, question and id.

    Returns:
        The line; whatever is wrong with it is a `Failure` of stage `input`.
    """
    name: RecordId = str(number)
    try:
        if not isinstance(record, Mapping):
            msg = f"a line must be a JSON object, not {json_type(record)}"
            raise InputError(msg)
        name = _id(record, name)
        return BatchLine(number, name, _sample(record, str(name)))
    except InputError as error:
        return broken_line(number, name, error)


def broken_line(number: int, name: RecordId, error: InputError) -> BatchLine:
    """A line that cannot be read."""
    message = str(error) if str(error).startswith(f"line {number}: ") else f"line {number}: {error}"
    return BatchLine(number, name, Failure(clean_text(str(name)), "input", error.code, message))


def _id(record: Mapping[str, Any], default: RecordId) -> RecordId:
    value = record.get("id")
    if value is None or value == "":
        return default
    if isinstance(value, bool) or not isinstance(value, str | int | float) or _no_number(value):
        msg = f'"id" must be a string or a number, not {json_type(value)}'
        raise InputError(msg)
    return clean_text(value) if isinstance(value, str) else value


def _no_number(value: str | int | float) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _sample(record: Mapping[str, Any], name: str) -> Sample:
    key = _first(record, ANSWER)
    if key is None:
        has = ", ".join(sorted(map(str, record))) or "nothing"
        msg = f"no answer: one of {', '.join(ANSWER)} is needed, the line has {has[:200]}"
        raise InputError(msg)
    answer = record[key]
    if not isinstance(answer, str):
        msg = f'"{key}" must be a string, not {json_type(answer)}'
        raise InputError(msg)
    asked = _first(record, QUESTION)
    question = record[asked] if asked is not None else None
    if question is not None and not isinstance(question, str):
        msg = f'"{asked}" must be a string, not {json_type(question)}'
        raise InputError(msg)
    given = _first(record, CONTEXTS)
    return Sample(answer, record[given] if given is not None else (), question, name)


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if record.get(name) is not None), None)
