"""The files of a batch, by their names: JSON lines, or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.io.lines import count_lines, open_lines
from grapheval.io.parquet import TableTarget, count_rows, is_parquet, open_table
from grapheval.io.target import Seen, Target


class Output(Protocol):
    """Where records go."""

    @property
    def kept_in(self) -> str:
        """The file that holds what is written so far."""
        ...

    def skip(self, lines: Iterator[BatchLine], seen: Seen | None = None) -> int:
        """Pass over the input lines whose records are there already."""
        ...

    def write(self, record: BatchRecord) -> None:
        """Append one record."""
        ...

    def finish(self) -> None:
        """What is to be done when all records are written."""
        ...


def open_source(name: str) -> AbstractContextManager[Iterator[BatchLine]]:
    """The lines of a file; one that ends on `.parquet` or `.pq` is a table, `-` is standard input.

    Raises:
        InputError: It cannot be opened, or is not what its name says.
        MissingExtraError: The extra `parquet` is needed and not installed.
    """
    return open_table(name) if is_parquet(name) else open_lines(name)


def open_target(name: str, *, resume: bool) -> AbstractContextManager[Output]:
    """Where records go; see `open_source` for the names.

    Raises:
        MissingExtraError: The extra `parquet` is needed and not installed.
    """
    return TableTarget(name, resume=resume) if is_parquet(name) else Target(name, resume=resume)


def count(name: str) -> int | None:
    """How many lines a file has, for progress; None where only reading it would tell."""
    return count_rows(name) if is_parquet(name) else count_lines(name)
