"""Files of lines: input that is read as it comes, output that a crash leaves whole."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from grapheval.errors import InputError
from grapheval.io.batch import BatchLine, BatchRecord, RecordId, read_line
from grapheval.io.reading import STDIN, encoding_of, refuse_binary, stdin_bytes, why_unreadable

_PEEK = 8192


@contextmanager
def open_source(name: str) -> Iterator[Iterator[BatchLine]]:
    """The lines of a JSONL file (or of standard input, `-`), read as they are asked for; blank ones are left out.

    Raises:
        InputError: It cannot be opened, or is no text.
    """
    if name == STDIN:
        yield _lines(stdin_bytes(), "standard input")
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        raise InputError(why_unreadable(name, error)) from error
    with file:
        yield _lines(file, name)


def _lines(file: BinaryIO, name: str) -> Iterator[BatchLine]:
    buffered = cast("io.BufferedReader", file)  # what `open` and the process give; a BytesIO would lack `peek`
    head = buffered.peek(_PEEK)[:_PEEK]
    encoding = encoding_of(head)
    if encoding == "utf-8-sig":
        refuse_binary(head, name)
    errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
    text = io.TextIOWrapper(buffered, encoding, errors, newline="\n")
    try:
        return (read_line(number, line) for number, line in enumerate(_detached(text), start=1) if line.strip())
    except OSError as error:
        raise InputError(why_unreadable(name, error)) from error


def _detached(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines, without closing what is not ours to close."""
    try:
        yield from text
    finally:
        text.detach()


def count_lines(name: str) -> int | None:
    """How many lines a file has, for progress; None where only reading it would tell."""
    path = Path(name)
    if name == STDIN or not path.is_file():
        return None
    with path.open("rb") as file:
        return sum(bool(line.strip()) for line in file)


def same_file(source: str, target: str) -> bool:
    """Whether input and output are one file."""
    try:
        return STDIN not in {source, target} and os.path.samefile(source, target)
    except (OSError, ValueError):
        return False


class Target:
    """Where records go: whole lines, flushed one by one.

    Args:
        name: A path, or `-` for standard output.
        resume: Keep the whole lines that the file already has, cut a half-written last one off.
    """

    def __init__(self, name: str, *, resume: bool = False) -> None:
        self._name = name
        self._resume = resume
        self._file: BinaryIO | None = None
        self._ids: list[RecordId] = []

    def __enter__(self) -> Self:
        """Open it.

        Raises:
            InputError: It cannot be written, or what it has is no output of a batch.
        """
        if self._name == STDIN:
            return self
        path = Path(self._name)
        try:
            self._ids = _keep_whole_lines(path) if self._resume and path.exists() else []
            self._file = path.open("ab" if self._resume else "wb")
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(why_unreadable(self._name, error)) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        if self._file is not None:
            self._file.close()

    def skip(self, lines: Iterator[BatchLine]) -> int:
        """Pass over the input lines whose records are there already.

        Returns:
            How many these are.

        Raises:
            InputError: The records belong to another input.
        """
        for number, done in enumerate(self._ids, start=1):
            line = next(lines, None)
            if line is None or line.id != done:
                found = "the input ends there" if line is None else f"the input has {line.id!r}"
                msg = f"{self._name} does not belong to this input: its line {number} is for id {done!r}, {found}"
                raise InputError(msg)
        return len(self._ids)

    def write(self, record: BatchRecord) -> None:
        """Append one record, all of it."""
        data = record.to_json().encode() + b"\n"
        stream = self._file
        if stream is None:
            stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(data.decode())
            return
        stream.write(data)
        stream.flush()


def _keep_whole_lines(path: Path) -> list[RecordId]:
    """The ids of the records in a file, which is cut after the last whole one.

    Raises:
        InputError: Something in it is no record, and not just the last line.
    """
    ids: list[RecordId] = []
    whole = 0
    with path.open("r+b") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break  # half-written: the run was killed in the middle of it
            name = _record_id(line)
            if name is None:
                msg = f"{path}: line {number} is not a record of a batch, so it cannot be resumed"
                raise InputError(msg)
            ids.append(name)
            whole += len(line)
        file.truncate(whole)
    return ids


def _record_id(line: bytes) -> RecordId | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not {"id", "evaluation", "correction", "failure"} <= record.keys():
        return None
    name = record["id"]
    return name if isinstance(name, str | int | float) else None
