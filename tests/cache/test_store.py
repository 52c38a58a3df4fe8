"""The file of the cache: several processes, damage, other people's files, its size."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from grapheval.cache import ResultCache, default_cache_file


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_what_is_put_is_there_also_for_another_one(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "results.sqlite3"
    cache = ResultCache(file)
    assert cache.get([key(1)]) == {}
    cache.put({key(1): "one", key(2): "zwei €"})
    assert cache.get([key(2), key(1), key(3), key(1)]) == {key(1): "one", key(2): "zwei €"}
    assert (cache.hits, cache.misses) == (2, 2)
    cache.close()
    assert ResultCache(file).get([key(1)]) == {key(1): "one"}
    assert len(pickle.loads(pickle.dumps(cache))) == 2
    cache.drop([key(1)])
    assert cache.get([key(1)]) == {}


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results.sqlite3")
    cache.put({key(1): "one"})
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHEVAL_CACHE_DIR", str(tmp_path))
    assert default_cache_file() == tmp_path / "results.sqlite3"
    monkeypatch.delenv("GRAPHEVAL_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert default_cache_file() == tmp_path / "xdg" / "grapheval" / "results.sqlite3"


def test_it_is_bounded_and_keeps_what_was_used_last(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results.sqlite3", max_bytes=400_000)
    for start in range(0, 2000, 100):
        cache.put({key(n): f"{n} " + "x" * 1000 for n in range(start, start + 100)})
    assert 100 <= len(cache) <= 400
    assert (tmp_path / "results.sqlite3").stat().st_size < 800_000
    assert len(cache.get([key(n) for n in range(1900, 2000)])) == 100
    assert cache.get([key(0)]) == {}
    cache.put({key(5000): "x" * 5_000_000})  # a value beyond all measure
    assert cache.get([key(5000)]) == {}


@pytest.mark.parametrize(
    "content", [b"not a database, but someone's notes\n" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_left_alone(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "notes"
    file.write_bytes(content)
    cache = ResultCache(file)
    with caplog.at_level(logging.WARNING, "grapheval"):
        cache.put({key(1): "one"})
        assert cache.get([key(1)]) == {}
    assert not cache.working
    assert len(caplog.records) == 1
    assert "going on without it" in caplog.text
    assert file.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "theirs.sqlite3"
    with sqlite3.connect(file) as theirs:
        theirs.execute("CREATE TABLE entries (key, value, used)")
        theirs.execute("INSERT INTO entries VALUES (1, 'theirs', 0)")
    theirs.close()
    before = file.read_bytes()
    cache = ResultCache(file)
    cache.put({key(1): "one"})
    assert not cache.working
    assert file.read_bytes() == before


def test_damage_in_the_middle_costs_the_cache_not_the_work(tmp_path: Path) -> None:
    file = tmp_path / "results.sqlite3"
    cache = ResultCache(file)
    cache.put({key(n): "x" * 500 for n in range(200)})
    cache.close()
    data = bytearray(file.read_bytes())
    for place in range(4096, len(data), 4096):
        data[place : place + 200] = b"\xfe" * 200
    file.write_bytes(bytes(data))
    again = ResultCache(file)
    again.get([key(n) for n in range(200)])
    again.put({key(1): "one"})
    assert again.get([key(7)]) in ({}, {key(7): "x" * 500})


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ResultCache(tmp_path / "file" / "results.sqlite3")
    cache.put({key(1): "one"})
    assert cache.get([key(1)]) == {}
    assert not cache.working


WORKER = """
import os, sys
from grapheval.cache import ResultCache
cache = ResultCache(sys.argv[1])
first = int(sys.argv[2])
for n in range(first, first + 400):
    cache.put({n.to_bytes(32, "big"): str(n)})
    assert cache.get([n.to_bytes(32, "big")]) == {n.to_bytes(32, "big"): str(n)}
    if n == first:
        print("begun", flush=True)
assert cache.working
print("done")
"""


def test_several_processes_at_once_one_of_them_killed(tmp_path: Path) -> None:
    file = tmp_path / "results.sqlite3"
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(file), str(1000 * n)], stdout=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    victim = workers.pop()
    assert victim.stdout is not None
    assert victim.stdout.readline() == "begun\n"
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    for worker in workers:
        out, _ = worker.communicate(timeout=300)
        assert out == "begun\ndone\n"
    cache = ResultCache(file)
    keys = [key(1000 * n + m) for n in range(2) for m in range(400)]
    assert cache.get(keys) == {k: str(int.from_bytes(k, "big")) for k in keys}
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_has_its_own_connection(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results.sqlite3")
    cache.put({key(1): "one"})
    child = os.fork()
    if child == 0:
        code = 1
        try:
            cache.put({key(2): "two"})
            code = 0 if cache.get([key(1), key(2)]) == {key(1): "one", key(2): "two"} else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert cache.get([key(2)]) == {key(2): "two"}
