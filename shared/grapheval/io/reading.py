"""Reads text that people hand in: files of unknown encoding, or standard input (once)."""

from __future__ import annotations

import codecs
import io
import json
import sys
from pathlib import Path
from typing import Any, BinaryIO

from grapheval.errors import InputError

MAX_BYTES = 256 * 1024 * 1024
"""Longer input is refused: nobody wrote that much, and an endless device must not hang the program."""

STDIN = "-"
"""The name that stands for standard input."""

_PIECE = 1 << 20

_BINARY = {
    b"%PDF": "a PDF: extract its text first",
    b"PK\x03\x04": "a zip archive or an office document: save it as plain text first",
    b"\x1f\x8b": "compressed: unpack it first",
}


class InputReader:
    """Reads texts by name; standard input, named `-`, at most once.

    Args:
        stdin: Where `-` is read from; None = the process's standard input.
    """

    def __init__(self, stdin: BinaryIO | None = None) -> None:
        self._stdin = stdin
        self._used = False

    def text(self, name: str) -> str:
        """The text of a file, or of standard input.

        Args:
            name: A path, or `-`.

        Returns:
            The decoded text (UTF-8, or UTF-16 with a byte order mark), line ends as they are, without the mark.

        Raises:
            InputError: It cannot be read, or is not text; the message names it and says why.
        """
        if name == STDIN:
            return decode(self._stdin_bytes(), "standard input")
        return decode(read_bytes(Path(name)), name)

    def _stdin_bytes(self) -> bytes:
        if self._used:
            msg = "standard input (-) can be read only once"
            raise InputError(msg)
        self._used = True
        return _limited(self._stdin if self._stdin is not None else stdin_bytes(), "standard input")


def stdin_bytes() -> BinaryIO:
    """The process's standard input, undecoded.

    Raises:
        InputError: There is none (a detached process).
    """
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        msg = "there is no standard input to read"
        raise InputError(msg)
    binary: BinaryIO = stream
    return binary


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: It is missing, a directory, forbidden, or longer than `MAX_BYTES`.
    """
    try:
        with path.open("rb") as file:
            return _limited(file, str(path))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(why_unreadable(str(path), error)) from error


def why_unreadable(name: str, error: OSError | ValueError) -> str:
    """One sentence for a person."""
    if isinstance(error, FileNotFoundError):
        return f"{name}: no such file"
    if isinstance(error, IsADirectoryError):
        return f"{name} is a directory, not a file"
    if isinstance(error, PermissionError):
        return f"{name}: permission denied"
    return f"{name}: {getattr(error, 'strerror', None) or error}"


def _limited(file: BinaryIO, name: str) -> bytes:
    """All of it, piece by piece, so that Ctrl-C is heard while a pipe keeps us waiting."""
    pieces, length = [], 0
    while piece := file.read1(_PIECE) if isinstance(file, io.BufferedReader) else file.read(_PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_BYTES:
            msg = f"{name} is longer than {MAX_BYTES // 2**20} MiB"
            raise InputError(msg)
    return b"".join(pieces)


def decode(data: bytes, name: str) -> str:
    """Bytes to text.

    Raises:
        InputError: The bytes are no text in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
    """
    encoding = encoding_of(data)
    if encoding == "utf-8-sig":
        refuse_binary(data, name)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        label = encoding.removesuffix("-sig").upper()
        msg = f"{name} is not valid {label} (byte {error.start:,}): convert it to UTF-8"
        raise InputError(msg) from error


def encoding_of(data: bytes) -> str:
    """The encoding that a byte order mark tells; UTF-8 without one."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig"


def refuse_binary(data: bytes, name: str) -> None:
    """Say what a file is that is no text.

    Raises:
        InputError: It is none.
    """
    for magic, what in _BINARY.items():
        if data.startswith(magic):
            msg = f"{name} is {what}"
            raise InputError(msg)
    if b"\0" in data:
        msg = f"{name} is not text: it holds NUL bytes (a binary file, or UTF-16 without a byte order mark?)"
        raise InputError(msg)


def parse_json(text: str, where: str) -> Any:
    """JSON from outside.

    Args:
        text: The document.
        where: What the message calls it: `"notes.json"`, `"line 3"`.

    Raises:
        InputError: It is not valid JSON, or nested so deeply that it cannot be read.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        msg = f"{where}: not valid JSON: {error.msg} ({place})"
        raise InputError(msg) from error
    except RecursionError as error:
        msg = f"{where}: JSON that is nested too deeply"
        raise InputError(msg) from error
    except ValueError as error:  # a number of thousands of digits
        msg = f"{where}: not readable JSON: {error}"
        raise InputError(msg) from error
