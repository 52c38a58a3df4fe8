"""Reads what `check --json` and `batch` wrote, for reports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grapheval.errors import InputError
from grapheval.io.batch import BatchLine
from grapheval.io.parquet import is_parquet, read_records
from grapheval.io.reading import InputReader, why_unreadable
from grapheval.io.target import read_back
from grapheval.report.many_page import Item
from grapheval.serialize import from_plain
from grapheval.types import Correction, Evaluation, Failure, Sample

_LONGEST = 64 * 1024 * 1024  # bytes of a line


def read_single(name: str) -> Evaluation | Correction | None:
    """What `check --json` wrote: one evaluation, or the correction that it holds; None for anything else.

    Raises:
        InputError: It cannot be read, or is an evaluation with something wrong in it.
    """
    if is_parquet(name):
        return None
    try:
        with Path(name).open("rb") as file:
            first = file.readline(_LONGEST)
    except (OSError, ValueError) as error:
        raise InputError(why_unreadable(name, error)) from error
    if not first.strip() or read_back(first) is not None:
        return None
    try:
        document = json.loads(InputReader().text(name))
    except (json.JSONDecodeError, RecursionError):
        return None
    if not isinstance(document, Mapping) or not {"status", "verdicts"} <= document.keys():
        return None
    correction = document.get("correction")
    return from_plain(Evaluation, document) if correction is None else from_plain(Correction, correction)


def read_judged(name: str, answers: Iterator[BatchLine] | None = None) -> Iterator[Item]:
    """The records of a batch, one after the other; what is not one becomes a failure in its place.

    Args:
        name: A file of JSON lines, or a Parquet table (`.parquet`, `.pq`).
        answers: The lines of the batch's input, for texts and questions that records do not carry.

    Raises:
        InputError: The file cannot be read, or the input belongs to another batch.
    """
    for number, record in enumerate(_records(name), start=1):
        item = _item(number, record)
        if answers is None:
            yield item
            continue
        line = next(answers, None)
        if line is None or str(line.id) != item.id:
            found = "ends there" if line is None else f"has {line.id!r}"
            msg = f"{name} does not belong to these answers: record {number} is for id {item.id!r}, their file {found}"
            raise InputError(msg)
        sample = line.content if isinstance(line.content, Sample) else None
        yield Item(
            item.id,
            item.evaluation,
            item.correction,
            item.failure,
            None if sample is None else sample.answer,
            None if sample is None else sample.question,
        )


def _records(name: str) -> Iterator[Any]:
    if is_parquet(name):
        yield from read_records(name)
        return
    try:
        with Path(name).open("rb") as file:
            while line := file.readline(_LONGEST):
                if line.strip():
                    yield read_back(line)
    except (OSError, ValueError) as error:
        raise InputError(why_unreadable(name, error)) from error


def _item(number: int, record: dict[str, Any] | None) -> Item:
    if record is None:
        return _broken(str(number), f"line {number} is not a record of a batch")
    name = str(record["id"])
    try:
        found = [
            None if record[key] is None else from_plain(cls, record[key])
            for key, cls in (("evaluation", Evaluation), ("correction", Correction), ("failure", Failure))
        ]
    except InputError as error:
        return _broken(name, f"line {number}: {error}")
    evaluation, correction, failure = found
    if evaluation is None and failure is None:
        return _broken(name, f"line {number} holds neither an evaluation nor a failure")
    return Item(name, evaluation, correction, failure)  # type: ignore[arg-type]


def _broken(name: str, message: str) -> Item:
    return Item(name, failure=Failure(name, "report", "input_error", message))
