"""Where the records of a batch go: whole lines, one by one, so that a crash at any moment leaves nothing half."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from grapheval.errors import GraphEvalError, InputError
from grapheval.io.batch import BatchLine, BatchRecord, RecordId
from grapheval.io.reading import STDIN, why_unreadable

Seen = Callable[[dict[str, Any]], None]

_SYNC = 4 * 1024 * 1024
"""Bytes between two writes through to the disk, for the sake of machines that lose their power."""


class OutputError(GraphEvalError):
    """The output cannot be written any further; what is written is whole."""

    code = "output_error"


class Target:
    """A file of JSON lines.

    While it is open, no other process can open it as a `Target`.

    Args:
        name: A path, or `-` for standard output.
        resume: Keep the whole lines that the file already has, cut a half-written last one off.
    """

    def __init__(self, name: str, *, resume: bool = False) -> None:
        self.name = name
        self._resume = resume
        self._file: io.FileIO | None = None
        self._regular = False
        self._length = 0
        self._unsynced = 0

    def __enter__(self) -> Self:
        """Open it.

        Raises:
            InputError: It cannot be written, or another process writes it.
        """
        if self.name == STDIN:
            return self
        try:
            self._file = _open(self.name)
            self._regular = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
            if self._regular:
                _lock(self._file, self.name)
                if not self._resume:
                    self._file.truncate(0)
                self._length = self._file.seek(0, os.SEEK_END)
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(why_unreadable(self.name, error)) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        if self._file is not None:
            self._file.close()

    def skip(self, lines: Iterator[BatchLine], seen: Seen | None = None) -> int:
        """Pass over the input lines whose records are there already.

        Args:
            lines: The input, from its beginning.
            seen: Called with each record that is there.

        Returns:
            How many these are.

        Raises:
            InputError: Something in the file is no record, or the records belong to another input; it is not touched.
        """
        if self._file is None or not self._resume or not self._length:
            return 0
        number = whole = 0
        with open(self.name, "rb") as file:
            for text in file:
                if not text.endswith(b"\n"):
                    break  # half-written: the run was killed in the middle of it
                number += 1
                record = read_back(text)
                if record is None:
                    msg = f"{self.name}: line {number} is not a record of a batch, so it cannot be resumed"
                    raise InputError(msg)
                match(self.name, number, record["id"], next(lines, None))
                if seen is not None:
                    seen(record)
                whole += len(text)
        self._file.truncate(whole)
        self._length = self._file.seek(0, os.SEEK_END)
        return number

    def write(self, record: BatchRecord) -> None:
        """Append one record, all of it or nothing.

        Raises:
            OutputError: There is no room, or the file cannot be written for another cause.
        """
        self.append(record.to_json())

    def append(self, line: str) -> None:
        """Append one line, given without its line end, all of it or nothing.

        Raises:
            OutputError: There is no room, or the file cannot be written for another cause.
        """
        data = line.encode() + b"\n"
        if self._file is None:
            _to_stdout(data)
            return
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
            self._length += len(data)
            self._unsynced += len(data)
            if self._unsynced > _SYNC:
                self.sync()
        except OSError as error:
            self._take_back()
            msg = f"cannot write {why_unreadable(self.name, error)}"
            raise OutputError(msg) from error

    def sync(self) -> None:
        """Have everything on the disk itself.

        Raises:
            OSError: The disk is full or broken.
        """
        if self._file is not None and self._regular:
            os.fsync(self._file.fileno())
            self._unsynced = 0

    def finish(self) -> None:
        """What is to be done when all records are written.

        Raises:
            OutputError: The file cannot be written.
        """
        try:
            self.sync()
        except OSError as error:
            msg = f"cannot write {why_unreadable(self.name, error)}"
            raise OutputError(msg) from error

    @property
    def kept_in(self) -> str:
        """The file that holds what is written so far."""
        return self.name

    def _take_back(self) -> None:
        """Cut off what was written of a line for which there was no room."""
        if self._file is None or not self._regular:
            return
        try:
            self._file.truncate(self._length)
        except OSError:  # then the next run with `resume` does it
            return


def _open(name: str) -> io.FileIO:
    """For reading and appending, made if need be, not emptied."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        number = os.open(name, flags, 0o666)
    except OSError:
        if not Path(name).exists() or Path(name).is_file():
            raise
        number = os.open(name, os.O_WRONLY)  # a device or a pipe that cannot be read
    return io.FileIO(number, "ab", closefd=True)


def _lock(file: io.FileIO, name: str) -> None:
    """Keep other processes from writing to the same file; the lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # not on this operating system
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        msg = f"{name} is being written by another process"
        raise InputError(msg) from error
    except OSError:  # a file system without locks
        return


def _to_stdout(data: bytes) -> None:
    stream: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(data.decode())
        return
    try:
        stream.write(data)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        msg = f"cannot write {why_unreadable('standard output', error)}"
        raise OutputError(msg) from error


def match(name: str, number: int, done: RecordId, line: BatchLine | None) -> None:
    """See that a record belongs to a line of the input.

    Raises:
        InputError: It does not.
    """
    if line is None or line.id != done:
        found = "the input ends there" if line is None else f"the input has {line.id!r}"
        msg = f"{name} does not belong to this input: its line {number} is for id {done!r}, {found}"
        raise InputError(msg)


def read_back(line: bytes) -> dict[str, Any] | None:
    """A record of a batch as plain data, None if it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not {"id", "evaluation", "correction", "failure"} <= record.keys():
        return None
    return record if isinstance(record["id"], str | int | float) else None


def same_file(source: str, target: str) -> bool:
    """Whether input and output are one file."""
    try:
        return STDIN not in {source, target} and os.path.samefile(source, target)
    except (OSError, ValueError):
        return False
