"""Batches that are killed with SIGKILL, many times, at random moments: no line is lost or doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("killing.py")


@pytest.mark.parametrize(("suffix", "kills"), [(".jsonl", 40), (".parquet", 15)])
def test_killed_at_any_moment_no_line_is_lost_or_doubled(tmp_path: Path, suffix: str, kills: int) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path), suffix, "7", str(kills), "60"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": "shared"}
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["code"] == 3  # one line of the input is broken
    assert report["killed"] >= kills
    assert report["finished"] >= 1
