"""Reading a benchmark set from a file; the formats stand in `grapheval.bench.formats`."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grapheval.bench.formats import READERS, form_of
from grapheval.bench.sets import BenchmarkRow, KnownSet, known_set
from grapheval.errors import InputError

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set that was read.

    Args:
        known: Which set it is.
        rows: In the file's order.
        sha256: Of the file as it lies on disk.
        form: Which of the three formats it had.
        total: Rows of the file, before any limit.
    """

    known: KnownSet
    rows: tuple[BenchmarkRow, ...]
    sha256: str
    form: str
    total: int

    @property
    def remark(self) -> str | None:
        """How the file differs from the complete public set, None where it does not."""
        if self.total != self.known.size:
            return f"the file holds {self.total} rows, the complete set {self.known.size}"
        if len(self.rows) < self.total:
            return None  # a limit was asked for: the shares differ by design
        found = sum(row.label for row in self.rows)
        if found != self.known.inconsistent:
            return f"{found} rows are inconsistent, in the complete set {self.known.inconsistent}"
        return None


def find_file(known: KnownSet, path: Path) -> Path:
    """The set's file: `path` itself, or, where that is a directory, the file in it that goes by a known name.

    Raises:
        InputError: There is no such file.
    """
    if path.is_file():
        return path
    if path.is_dir():
        for name in known.files:
            if (path / name).is_file():
                return path / name
        msg = f"{path} holds no file of {known.title}; looked for {', '.join(known.files)}"
        raise InputError(msg)
    msg = f"no such file: {path}"
    raise InputError(msg)


def read_benchmark(
    name: str, path: str | Path, *, articles: str | Path | None = None, limit: int | None = None
) -> Benchmark:
    """Read a benchmark set.

    Args:
        name: `summeval`, `qags-c` or `qags-x`.
        path: The file, or a directory that holds it under one of its usual names.
        articles: Directory of CNN/DailyMail `.story` files, for SummEval annotations without the articles.
        limit: Keep this many rows: always the same ones, spread over the file, and a larger limit keeps them all.

    Raises:
        InputError: The file cannot be read, is not of a known format, or is of another set.
    """
    known = known_set(name)
    if limit is not None and limit < 1:
        msg = f"the limit must be at least 1, not {limit}"
        raise InputError(msg)
    file = find_file(known, Path(path))
    try:
        raw = file.read_bytes()
        text = (gzip.decompress(raw) if raw.startswith(_GZIP_MAGIC) else raw).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        msg = f"cannot read {file}: {error}"
        raise InputError(msg) from error
    rows: list[BenchmarkRow] = []
    form = ""
    for place, item in _objects(text, file):
        form = form or form_of(item, known, place)
        rows.append(READERS[form](item, known, place, len(rows), Path(articles) if articles else None))
    if not rows:
        msg = f"{file} holds no rows"
        raise InputError(msg)
    ids = {row.id for row in rows}
    if len(ids) < len(rows):
        msg = f"{file}: {len(rows) - len(ids)} rows repeat the id of another row"
        raise InputError(msg)
    return Benchmark(known, _limited(rows, limit), hashlib.sha256(raw).hexdigest(), form, len(rows))


def _objects(text: str, file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file}, line {number}"
        try:
            item = json.loads(line)
        except ValueError as error:
            msg = f"{place}: not JSON ({error})"
            raise InputError(msg) from error
        if not isinstance(item, dict):
            msg = f"{place}: must be a JSON object, not {type(item).__name__}"
            raise InputError(msg)
        yield place, item


def _limited(rows: list[BenchmarkRow], limit: int | None) -> tuple[BenchmarkRow, ...]:
    if limit is None or limit >= len(rows):
        return tuple(rows)
    # By the hash of the id: the same rows everywhere, spread over the articles, nested for growing limits.
    chosen = sorted(rows, key=lambda row: hashlib.sha256(row.id.encode("utf-8", "replace")).digest())[:limit]
    kept = {row.id for row in chosen}
    return tuple(row for row in rows if row.id in kept)
