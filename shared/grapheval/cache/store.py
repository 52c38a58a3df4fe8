"""A bounded table of texts by key in one SQLite file, for several threads and processes at once.

SQLite comes with Python and keeps the file whole whatever happens to the processes that use it. Values are JSON text:
nothing that is read from the file is ever executed or unpickled. A cache is a convenience, so whatever is wrong with
the file (locked, damaged, no room, not ours) is logged once, and the work goes on without it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grapheval.forks import renew_after_fork

logger = logging.getLogger(__name__)

DIRECTORY_VARIABLE = "GRAPHEVAL_CACHE_DIR"
"""Environment variable that names the directory of the default file."""

MAX_BYTES = 512 * 1024 * 1024
MAX_VALUE = 4 * 1024 * 1024
"""Characters of the longest value that is kept."""

_APPLICATION = 0x67724576
"""Marks the file as ours ("grEv"): no other program's database is touched."""
_VERSION = 1
_STEP = 500
"""Keys of one query."""
_STALE = 24 * 3600
"""Seconds after which a read renews an entry's date."""
_WAIT = 5.0
"""Seconds that a process waits for another one's write."""
_INHERITED: list[sqlite3.Connection] = []
"""Connections that came with a fork: they belong to the parent, so that they are neither used nor closed here."""


def default_cache_file() -> Path:
    """`results.sqlite3` in the user's cache directory, or in the one that `GRAPHEVAL_CACHE_DIR` names."""
    own = os.environ.get(DIRECTORY_VARIABLE)
    if own:
        return Path(own) / "results.sqlite3"
    from platformdirs import user_cache_path

    return user_cache_path("grapheval", appauthor=False) / "results.sqlite3"


class ResultCache:
    """Texts by key on disk.

    Opened on first use; can be shared by threads, used by several processes, forked and pickled. The file is readable
    by its owner only. Entries that were not used for longest are dropped when it reaches its size.

    Args:
        file: The file; made, with its directory, if need be. None = `default_cache_file()`. It must lie on a local
            disk: SQLite's write-ahead log does not work across a network.
        max_bytes: Largest size of what the file holds.
    """

    def __init__(self, file: str | Path | None = None, *, max_bytes: int = MAX_BYTES) -> None:
        self.file = Path(file) if file is not None else default_cache_file()
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._connection: sqlite3.Connection | None = None
        self._renew()
        renew_after_fork(self._renew)

    def _renew(self) -> None:
        self._lock = threading.Lock()
        if self._connection is not None:
            _INHERITED.append(self._connection)
        self._connection = None
        self._broken = False

    def __getstate__(self) -> dict[str, Any]:
        return {"file": self.file, "max_bytes": self.max_bytes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"ResultCache({str(self.file)!r}, max_bytes={self.max_bytes})"

    @property
    def working(self) -> bool:
        """Whether the file could be used so far."""
        return not self._broken

    def get(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        """The values of the keys that are there."""
        found: dict[bytes, str] = {}
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            try:
                database = self._open()
                if database is None:
                    return {}
                old = []
                today = int(time.time())
                for start in range(0, len(wanted), _STEP):
                    part = wanted[start : start + _STEP]
                    marks = ",".join("?" * len(part))
                    query = f"SELECT key, value, used FROM entries WHERE key IN ({marks})"  # noqa: S608 - only marks
                    for key, value, used in database.execute(query, part):
                        if isinstance(value, str) and isinstance(key, bytes):
                            found[key] = value
                            if not isinstance(used, int) or today - used > _STALE:
                                old.append((today, key))
                if old:
                    with database:
                        database.executemany("UPDATE entries SET used = ? WHERE key = ?", old)
            except sqlite3.Error as error:
                self._give_up(error)
            self.hits += len(found)
            self.misses += len(wanted) - len(found)
        return found

    def put(self, values: Mapping[bytes, str]) -> None:
        """Keep some values, all or none."""
        now = int(time.time())
        rows = [(key, value, now) for key, value in values.items() if len(value) <= MAX_VALUE]
        if not rows:
            return
        with self._lock:
            try:
                database = self._open()
                if database is None:
                    return
                with database:
                    database.executemany("INSERT OR REPLACE INTO entries (key, value, used) VALUES (?, ?, ?)", rows)
                self._bound(database)
            except sqlite3.Error as error:
                self._give_up(error)

    def drop(self, keys: Iterable[bytes]) -> None:
        """Forget some values: those that could not be read."""
        with self._lock:
            try:
                database = self._open()
                if database is not None:
                    with database:
                        database.executemany("DELETE FROM entries WHERE key = ?", [(key,) for key in keys])
            except sqlite3.Error as error:
                self._give_up(error)

    def __len__(self) -> int:
        """Number of entries."""
        with self._lock:
            try:
                database = self._open()
                return 0 if database is None else int(database.execute("SELECT count(*) FROM entries").fetchone()[0])
            except sqlite3.Error as error:
                self._give_up(error)
                return 0

    def __bool__(self) -> bool:
        return True

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    # ------------------------------------------------------------------------------------------------- internals

    def _open(self) -> sqlite3.Connection | None:
        if self._broken or self._connection is not None:
            return self._connection
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600))
            database = sqlite3.connect(self.file, timeout=_WAIT, check_same_thread=False)
        except (OSError, ValueError) as error:
            self._give_up(error)
            return None
        try:
            _patiently(_prepare, database)
        except BaseException:
            database.close()
            raise
        self._connection = database
        return database

    def _bound(self, database: sqlite3.Connection) -> None:
        """When there is too much, drop what was not used for longest, until a tenth is free."""
        pages, free, size = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        used = (pages - free) * size
        if used <= self.max_bytes:
            return
        with database:
            count = database.execute("SELECT count(*) FROM entries").fetchone()[0]
            database.execute(
                "DELETE FROM entries WHERE key IN (SELECT key FROM entries ORDER BY used, rowid LIMIT ?)",
                (count - int(count * 0.9 * self.max_bytes / used),),
            )

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        logger.warning("the cache %s cannot be used (%s): going on without it", self.file, error)


def _patiently(prepare: Callable[[sqlite3.Connection], None], database: sqlite3.Connection) -> None:
    """SQLite does not wait for its turn when it changes the kind of its journal, so this does."""
    until = time.monotonic() + _WAIT
    while True:
        try:
            prepare(database)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _prepare(database: sqlite3.Connection) -> None:
    """Make the table in a new file; refuse a file that is not ours."""
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    (mark,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if not names and mark in {0, _APPLICATION}:
        database.execute("PRAGMA journal_mode = WAL")
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.execute(
                "CREATE TABLE IF NOT EXISTS entries "
                "(key BLOB NOT NULL UNIQUE, value TEXT NOT NULL, used INTEGER NOT NULL)"
            )
            database.execute("CREATE INDEX IF NOT EXISTS by_use ON entries (used)")
            database.execute(f"PRAGMA application_id = {_APPLICATION}")
            database.execute(f"PRAGMA user_version = {_VERSION}")
    elif (
        mark != _APPLICATION or version != _VERSION or not names <= {"entries", "by_use", "sqlite_autoindex_entries_1"}
    ):
        msg = "it is another program's database, or of another version"
        raise sqlite3.DatabaseError(msg)
    database.execute("PRAGMA synchronous = NORMAL")
