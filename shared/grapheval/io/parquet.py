"""Batches as Parquet tables, in and out (extra `parquet`).

A Parquet file is only readable once its end is written, so records are kept in a file of JSON lines beside it until
all are there; then the table is written under another name and put in its place at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grapheval.errors import InputError
from grapheval.extras import require
from grapheval.io.batch import BatchLine, BatchRecord, dump, read_record
from grapheval.io.reading import why_unreadable
from grapheval.io.target import OutputError, Seen, Target, match, read_back

SUFFIXES = (".parquet", ".pq")
JOURNAL = ".part.jsonl"
"""What the name of the file with the records so far ends on."""

_ROWS = 64
"""Rows that are decoded at once."""
_GROUP = 4096
"""Rows of a row group in the output."""
_GROUP_BYTES = 64 * 1024 * 1024


def is_parquet(name: str) -> bool:
    """Whether a file is a Parquet table, by its name."""
    return name.lower().endswith(SUFFIXES)


@contextmanager
def open_table(name: str) -> Iterator[Iterator[BatchLine]]:
    """The rows of a table as the lines of a batch: its columns are the names of a line's fields.

    Raises:
        InputError: It cannot be opened, or is no Parquet.
        MissingExtraError: The extra `parquet` is not installed.
    """
    pyarrow = require("pyarrow", extra="parquet")
    parquet = require("pyarrow.parquet", extra="parquet")
    try:
        before = os.stat(name)
        table = parquet.ParquetFile(name)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise InputError(_why(name, error)) from error
    with table:
        yield _rows(table, name, before, (OSError, ValueError, pyarrow.ArrowException))


def _rows(table: Any, name: str, before: os.stat_result, broken: tuple[type[Exception], ...]) -> Iterator[BatchLine]:
    number = 0
    try:
        for batch in table.iter_batches(batch_size=_ROWS, use_threads=False):
            for row in batch.to_pylist():
                number += 1
                yield read_record(number, row)
        now = os.stat(name)
    except broken as error:
        if isinstance(error, InputError):
            raise
        msg = f"{_why(name, error)} (after row {number:,})"
        raise InputError(msg) from error
    if now.st_ino == before.st_ino and (now.st_mtime_ns, now.st_size) != (before.st_mtime_ns, before.st_size):
        msg = f"{name} was changed while it was read: run again without --resume"
        raise InputError(msg)


def _why(name: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError):
        return why_unreadable(name, error)
    text = " ".join(str(error).split())
    return f"{name} is not a readable Parquet file: {text[:200]}"


def count_rows(name: str) -> int | None:
    """How many rows a table has, None where it cannot be read."""
    parquet = require("pyarrow.parquet", extra="parquet")
    try:
        return int(parquet.read_metadata(name).num_rows)
    except (OSError, ValueError):
        return None


class TableTarget:
    """A Parquet table that is put in its place when all records are there.

    Args:
        name: The table's path.
        resume: Go on with the records that an earlier run left beside it, or with the table itself.
    """

    def __init__(self, name: str, *, resume: bool = False) -> None:
        require("pyarrow.parquet", extra="parquet")
        self.name = name
        self._resume = resume
        self._journal = Target(name + JOURNAL, resume=resume)
        self._from_table = False

    def __enter__(self) -> Self:
        """Open it.

        Raises:
            InputError: It cannot be written.
        """
        if Path(self.name).is_dir():
            msg = f"{self.name} is a directory, not a file"
            raise InputError(msg)
        self._from_table = self._resume and not Path(self._journal.name).exists() and Path(self.name).exists()
        self._journal.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it; what is not finished stays beside it."""
        self._journal.__exit__(kind, error, trace)
        if self._from_table:
            Path(self._journal.name).unlink(missing_ok=True)

    @property
    def kept_in(self) -> str:
        """The file that holds what is written so far."""
        return self._journal.name

    def skip(self, lines: Iterator[BatchLine], seen: Seen | None = None) -> int:
        """As `Target.skip`; the records of a finished table become the beginning of the next one."""
        if not self._from_table:
            return self._journal.skip(lines, seen)
        number = 0
        for record in read_records(self.name):
            number += 1
            line = next(lines, None)
            as_text = line and BatchLine(line.number, str(line.id), line.content)
            match(self.name, number, record["id"], as_text)
            record["id"] = line.id if line else record["id"]
            self._journal.append(dump(record))
            if seen is not None:
                seen(record)
        self._journal.finish()
        self._from_table = False
        return number

    def write(self, record: BatchRecord) -> None:
        """Keep one record.

        Raises:
            OutputError: There is no room, or the file cannot be written for another cause.
        """
        self._journal.write(record)

    def finish(self) -> None:
        """Write the table and put it in its place.

        Raises:
            OutputError: It cannot be written; the records stay beside it.
        """
        self._journal.finish()
        fresh = Path(f"{self.name}.new")
        try:
            write_table(Path(self._journal.name), fresh)
            os.replace(fresh, self.name)
            Path(self._journal.name).unlink()
        except OSError as error:
            fresh.unlink(missing_ok=True)
            msg = f"cannot write {why_unreadable(self.name, error)}; the records are in {self._journal.name}"
            raise OutputError(msg) from error


def write_table(journal: Path, table: Path) -> None:
    """Write records of JSON lines as a table, row group by row group.

    Raises:
        OSError: The table cannot be written.
    """
    pyarrow = require("pyarrow", extra="parquet")
    parquet = require("pyarrow.parquet", extra="parquet")
    schema = _schema(pyarrow)
    with journal.open("rb") as lines, parquet.ParquetWriter(table, schema, compression="zstd") as writer:
        rows: list[dict[str, Any]] = []
        size = 0
        for line in lines:
            record = read_back(line)
            if record is None:
                msg = f"{journal} holds a line that is no record"
                raise OSError(msg)
            rows.append(_row(record))
            size += len(line)
            if len(rows) == _GROUP or size > _GROUP_BYTES:
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
                rows, size = [], 0
        if rows:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
    with table.open("rb") as written:
        os.fsync(written.fileno())


def _schema(pyarrow: Any) -> Any:
    text = pyarrow.string()
    return pyarrow.schema(
        {
            "id": text,
            "status": text,
            "reason": text,
            "p_inconsistent": pyarrow.float64(),
            "groundedness": pyarrow.float64(),
            "claims": pyarrow.int64(),
            "flagged": pyarrow.list_(text),
            "corrected_answer": text,
            "evaluation": pyarrow.large_string(),
            "correction": pyarrow.large_string(),
            "failure": text,
        }
    )


def _row(record: dict[str, Any]) -> dict[str, Any]:
    evaluation = record["evaluation"] or {}
    correction = record["correction"] or {}
    verdicts = evaluation.get("verdicts") or []
    whole = {name: record[name] and dump(record[name]) for name in ("evaluation", "correction", "failure")}
    return {
        "id": str(record["id"]),
        "status": evaluation.get("status"),
        "reason": evaluation.get("reason"),
        "p_inconsistent": evaluation.get("p_inconsistent"),
        "groundedness": evaluation.get("groundedness"),
        "claims": len(verdicts) if evaluation else None,
        "flagged": [v["claim"]["text"] for v in verdicts if v["flagged"]] if evaluation else None,
        "corrected_answer": correction.get("answer"),
        **whole,
    }


def read_records(name: str) -> Iterator[dict[str, Any]]:
    """The records of a table that `write_table` made."""
    pyarrow = require("pyarrow", extra="parquet")
    parquet = require("pyarrow.parquet", extra="parquet")
    columns = ["id", "evaluation", "correction", "failure"]
    try:
        with parquet.ParquetFile(name) as table:
            if not set(columns) <= set(table.schema_arrow.names):
                msg = f"{name} is not a table of a batch, so it cannot be resumed"
                raise InputError(msg)
            for batch in table.iter_batches(batch_size=_ROWS, columns=columns, use_threads=False):
                for row in batch.to_pylist():
                    yield {k: v if k == "id" else v and json.loads(v) for k, v in row.items()}
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(_why(name, error)) from error
