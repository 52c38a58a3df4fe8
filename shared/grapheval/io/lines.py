"""JSON Lines that are read as they come: in bounded memory, with an eye on files that change meanwhile."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from grapheval.errors import InputError
from grapheval.io.batch import BatchLine, broken_line, read_line
from grapheval.io.reading import STDIN, encoding_of, refuse_binary, stdin_bytes, why_unreadable

MAX_LINE = 64 * 1024 * 1024
"""Characters of the longest line that is read; a longer one fails by itself."""

_PEEK = 8192
_PIECE = 1 << 20


@contextmanager
def open_lines(name: str) -> Iterator[Iterator[BatchLine]]:
    """The lines of a JSONL file (or of standard input, `-`), read as they are asked for; blank ones are left out.

    Yields:
        The lines. Asking for one raises `InputError` where the file cannot be read on, or was changed meanwhile:
        text that is appended is read, other changes are errors.

    Raises:
        InputError: It cannot be opened, or is no text.
    """
    if name == STDIN:
        yield _lines(stdin_bytes(), "standard input", None)
        return
    try:
        file = Path(name).open("rb", buffering=0)  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        raise InputError(why_unreadable(name, error)) from error
    with file:
        try:
            watched = Watched(file, name)
        except OSError as error:  # a directory opens on some systems
            raise InputError(why_unreadable(name, error)) from error
        yield _lines(io.BufferedReader(watched, _PIECE), name, watched)


def _lines(file: BinaryIO, name: str, watched: Watched | None) -> Iterator[BatchLine]:
    buffered = cast("io.BufferedReader", file)  # what `open` and the process give; a BytesIO would lack `peek`
    try:
        head = buffered.peek(_PEEK)[:_PEEK]
    except OSError as error:
        raise InputError(why_unreadable(name, error)) from error
    encoding = encoding_of(head)
    if encoding == "utf-8-sig":
        refuse_binary(head, name)
    errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
    return _read(io.TextIOWrapper(buffered, encoding, errors, newline="\n"), name, watched)


def _read(text: io.TextIOWrapper, name: str, watched: Watched | None) -> Iterator[BatchLine]:
    number = 0
    try:
        while line := text.readline(MAX_LINE):
            number += 1
            if len(line) == MAX_LINE and not line.endswith("\n"):
                _skip_rest(text)
                error = InputError(f"longer than {MAX_LINE:,} characters")
                yield broken_line(number, str(number), error)
            elif line.strip():
                yield read_line(number, line)
        if watched is not None:
            watched.check()
    except OSError as error:
        raise InputError(why_unreadable(name, error)) from error
    finally:
        text.detach()  # what is not ours to close stays open


def _skip_rest(text: io.TextIOWrapper) -> None:
    while (piece := text.readline(_PIECE)) and not piece.endswith("\n"):
        pass


class Watched(io.RawIOBase):
    """A file that notices when what was read from it is changed.

    Args:
        file: The open file.
        name: For the message.
    """

    def __init__(self, file: io.FileIO, name: str) -> None:
        self._file = file
        self._name = name
        self._read = 0
        self._hash = hashlib.blake2b()
        self._before = os.fstat(file.fileno())

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview, /) -> int | None:  # type: ignore[override]
        """Read, and remember the fingerprint of what was read."""
        count = self._file.readinto(buffer)
        if count:
            self._hash.update(buffer[:count])
            self._read += count
        if stat.S_ISREG(self._before.st_mode) and os.fstat(self._file.fileno()).st_size < self._read:
            self._complain()
        return count

    def check(self) -> None:
        """See whether what was read still stands there.

        Raises:
            InputError: It does not.
        """
        now = os.fstat(self._file.fileno())
        if not stat.S_ISREG(now.st_mode):
            return
        if (now.st_mtime_ns, now.st_size) == (self._before.st_mtime_ns, self._before.st_size):
            return
        again = hashlib.blake2b()
        left = self._read
        with open(self._name, "rb") as file:
            if os.fstat(file.fileno()).st_ino != now.st_ino:  # replaced as a whole: what was read is the old file
                return
            while left and (piece := file.read(min(_PIECE, left))):
                again.update(piece)
                left -= len(piece)
        if left or again.digest() != self._hash.digest():
            self._complain()

    def _complain(self) -> None:
        msg = (
            f"{self._name} was changed while it was read: what is written may belong to neither version, "
            "so run again without --resume"
        )
        raise InputError(msg)


def count_lines(name: str) -> int | None:
    """How many lines a file has, for progress; None where only reading it would tell."""
    path = Path(name)
    if name == STDIN or not path.is_file():
        return None
    with path.open("rb") as file:
        return sum(bool(line.strip()) for line in file)
