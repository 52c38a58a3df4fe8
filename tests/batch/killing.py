"""Kills batches with SIGKILL at random moments and resumes them: run as a process of its own, single-threaded, so that
forking it is safe. Prints one JSON object; see test_kill.py.

    python killing.py FOLDER SUFFIX SEED KILLS LINES
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from grapheval import GraphEval
from grapheval.cli.run import run
from grapheval.testing import FakeExtractor, FakeVerifier

LONG = 400_000


def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
    time.sleep(0.0005)  # so that there are moments to be killed in
    return (0.02, 0.08, 0.9) if "seven" in hypothesis else (0.97, 0.02, 0.01)


def pipeline(_: object) -> GraphEval:
    return GraphEval(FakeExtractor(), FakeVerifier(judge))


def batch(source: Path, target: Path, cache: Path) -> int:
    """Start a batch in a child; the process id."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = run(["batch", str(source), str(target), "--resume", "--quiet", "--cache", str(cache)], pipeline)
        finally:
            os._exit(code)
    return child


def wait_for(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def content(target: Path) -> object:
    if target.suffix == ".parquet":
        import pyarrow.parquet

        return pyarrow.parquet.read_table(target).to_pylist()
    return target.read_bytes().decode()


def main() -> None:
    folder, suffix, seed, kills, lines = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:6])
    chance = random.Random(seed)
    source = folder / "in.jsonl"
    with source.open("w") as file:
        for number in range(lines):
            answer = f"Line {number} has {'seven' if number % 3 == 0 else 'nine'} words."
            if number % 10 == 5:
                answer += " word" * (LONG // 5)  # its record takes several writes to the disk
            record = {"id": number % (lines - 2), "answer": answer, "contexts": [f"Line {number} has nine words."]}
            file.write("{broken\n" if number == 7 else json.dumps(record) + "\n")
    whole = folder / f"whole{suffix}"
    if suffix == ".parquet":
        import pyarrow.parquet  # noqa: F401 - once, before the forks
    began = time.monotonic()
    code = wait_for(batch(source, whole, folder / "cache0"))
    length = time.monotonic() - began
    expected = content(whole)
    killed = half = finished = 0
    while killed < kills:
        target = folder / f"out{finished}{suffix}"
        journal = Path(f"{target}.part.jsonl") if suffix == ".parquet" else target
        cache = folder / f"cache{finished + 1}"
        while True:
            child = batch(source, target, cache)
            if killed < kills:
                time.sleep(chance.uniform(0, 0.7 * length))
                os.kill(child, signal.SIGKILL)
            ended = wait_for(child)
            if ended != -signal.SIGKILL:
                assert ended in (code, 0), ended  # 0 where a run before had already written the line that is broken
                break
            killed += 1
            if journal.exists():
                text = journal.read_bytes()
                half += not text.endswith(b"\n") and bool(text)
        assert content(target) == expected, f"after {killed} kills"
        assert not Path(f"{target}.part.jsonl").exists()
        finished += 1
    print(json.dumps({"code": code, "killed": killed, "half": half, "finished": finished, "lines": lines}))


if __name__ == "__main__":
    main()
