"""Results of a run on disk, one JSON line per answer, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grapheval.bench.results import RowResult
from grapheval.errors import InputError
from grapheval.serialize import from_plain, to_plain

_log = logging.getLogger(__name__)


class Store:
    """A file of results whose first line says which run they belong to.

    Args:
        path: The file; its directory is made if need be.
        run: What the results depend on: set, file, protocol, models, prompts. Results of another run are not mixed in.
        resume: Go on with a file that is there. Without it, such a file is left alone and refused.

    Raises:
        InputError: The file is there and `resume` was not asked for, or it holds another run's results, or it cannot
            be read or written.
    """

    def __init__(self, path: Path, run: Mapping[str, Any], *, resume: bool) -> None:
        self.path = path
        self.results: dict[str, RowResult] = {}
        plain = json.loads(json.dumps(run))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size:
                if not resume:
                    msg = f"{path} already holds results: continue them with --resume, or choose another --out"
                    raise InputError(msg)
                self._load(plain)
            # Written anew without damaged lines, beside the old file, so that an interruption loses nothing.
            fresh = path.with_name(path.name + ".new")
            fresh.write_text(_line({"run": plain}) + "".join(map(_row_line, self.results.values())), encoding="utf-8")
            os.replace(fresh, path)
        except OSError as error:
            msg = f"cannot write {path}: {error}"
            raise InputError(msg) from error

    def _load(self, run: Mapping[str, Any]) -> None:
        lines = self.path.read_bytes().split(b"\n")
        found = _parse(lines[0])
        if not isinstance(found, dict) or "run" not in found:
            msg = f"{self.path} is not a file of bench results: choose another --out"
            raise InputError(msg)
        if found["run"] != run:
            differing = sorted(key for key in {*run, *found["run"]} if run.get(key) != found["run"].get(key))
            msg = (
                f"{self.path} holds the results of another run (other {', '.join(differing)}): choose another --out,"
                " or remove the file"
            )
            raise InputError(msg)
        damaged = 0
        for raw in lines[1:]:
            if not raw.strip():
                continue
            data = _parse(raw)
            try:
                row = from_plain(RowResult, data if isinstance(data, dict) else {})
            except InputError:
                damaged += 1
                continue
            self.results[row.id] = row
        if damaged:
            _log.warning("%s: %d damaged lines, their answers run again", self.path, damaged)

    def add(self, rows: Sequence[RowResult]) -> None:
        """Append results and see them on disk before going on."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(map(_row_line, rows)))
            file.flush()
            os.fsync(file.fileno())
        self.results |= {row.id: row for row in rows}


def _row_line(row: RowResult) -> str:
    return _line(to_plain(row))


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _parse(raw: bytes) -> Any:
    """The JSON of a line, None for a line that a crash cut off."""
    try:
        return json.loads(raw.decode("utf-8"))
    except ValueError:
        return None
