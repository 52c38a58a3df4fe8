"""The program as people start it: a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from grapheval import Evaluation

from .conftest import CONTEXT

PROGRAM = [sys.executable, "-m", "grapheval"]
ENVIRONMENT = {**os.environ, "COLUMNS": "100", "OMP_NUM_THREADS": "1"}


def program(*argv: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *argv], input=stdin, capture_output=True, timeout=300, env=ENVIRONMENT, check=False
    )


def test_check_judges_offline(tmp_path: Path) -> None:
    (tmp_path / "oslo.md").write_text(CONTEXT)
    done = program("check", "-c", str(tmp_path / "oslo.md"), "-a", "Oslo is the capital of Norway.", "--json")
    assert done.stderr == b""
    evaluation = Evaluation.from_dict(json.loads(done.stdout))
    assert done.returncode == {"consistent": 0, "inconsistent": 1}[evaluation.status.value]
    assert evaluation.provenance.extractor.startswith("local")
    assert evaluation.provenance.verifier.startswith("bundled")


def test_demo_finds_what_is_wrong() -> None:
    done = program("demo")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "✗ inconsistent" in text
    assert "Thomas Reed" in text.split("Claims")[1]  # the evidence against Paul Stone
    assert "grapheval check --context" in text
    assert "\x1b" not in text


def test_unreadable_input_is_one_line(tmp_path: Path) -> None:
    done = program("check", "--context", str(tmp_path / "nothing.md"), "--answer", "x")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"grapheval: error: {tmp_path / 'nothing.md'}: no such file\n"


def test_a_closed_pipe_is_quiet() -> None:
    with subprocess.Popen(
        [*PROGRAM, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_interruption_is_one_line_and_130() -> None:
    argv = [*PROGRAM, "check", "--context", "-", "--answer", "x"]
    with subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        # A suite that a shell runs in the background inherits "ignore Ctrl-C", and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"half a context " * 100_000)  # more than a pipe holds: comes back once it is being read
        process.stdin.flush()
        while process.poll() is None:  # a signal between two system calls is heard only with the next one
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
        assert process.stderr.read() == b"grapheval: interrupted\n"
        assert process.returncode == 130


def test_frameworks_that_are_installed_stay_unloaded() -> None:
    code = (
        "import sys, grapheval.cli.quick as quick\n"
        "quick.import_spacy()\n"
        "print('spacy' in sys.modules, [m for m in ('torch', 'tensorflow', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == "True []"


def test_spacys_own_command_line_stays_unloaded_and_can_be_loaded() -> None:
    code = (
        "import sys, grapheval.cli.quick as quick\n"
        "quick.import_spacy()\n"
        "import spacy\n"
        "print([name for name in sys.modules if name.startswith(('spacy.cli', 'requests'))])\n"
        "print(spacy.info(silent=True)['spacy_version'] == spacy.__version__, hasattr(sys.modules['spacy.cli'], 'train_cli'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.splitlines() == ["[]", "True True"]
