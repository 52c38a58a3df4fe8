from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from grapheval import GraphEval
from grapheval.calibration import Settings
from grapheval.cli.factory import Choices, build
from grapheval.cli.run import run
from grapheval.testing import FakeExtractor, FakeVerifier


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Call = Callable[..., Result]
ANSWERS = [(f"Item{n} has a part.", 0.55 + 0.004 * n, int(n >= 50)) for n in range(100)]
"""Inconsistent exactly when p is above 0.748."""


def fakes(choices: Choices) -> GraphEval:
    return GraphEval(
        FakeExtractor(), FakeVerifier({text: 1 - p for text, p, _ in ANSWERS}), threshold=choices.threshold
    )


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("COLUMNS", "100")

    def inner(*argv: str, factory: Callable[[Choices], GraphEval] = fakes, stdin: bytes = b"") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"))
        code = run(argv, factory)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return inner


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.jsonl"
    lines = [
        json.dumps(
            {
                "answer": text,
                "contexts": [f"Context {n}."],
                "label": label if n % 2 else ("consistent", "inconsistent")[label],
            }
        )
        for n, (text, _, label) in enumerate(ANSWERS)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_calibrate_saves_settings_that_check_loads(call: Call, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "settings.json"
    result = call("calibrate", str(data), "--out", str(out))
    assert result.code == 0, result.err
    assert result.err == ""
    assert "Fitted on 100 labelled answers, 50 of them inconsistent." in " ".join(result.out.split())
    assert "There was enough data" in " ".join(result.out.split())
    assert f"grapheval check --settings {out}" in " ".join(result.out.split())
    settings = Settings.load(out)
    assert settings.report is not None
    assert settings.report.balanced_accuracy > 0.95
    assert settings.verifier == "fake@1"

    (tmp_path / "c.txt").write_text("Something.")
    seen: list[Choices] = []

    def watching(choices: Choices) -> GraphEval:
        seen.append(choices)
        return fakes(choices)

    checked = call("check", "-c", str(tmp_path / "c.txt"), "-a", "x", "--settings", str(out), factory=watching)
    assert checked.code in {0, 1}
    assert seen[0].settings == out
    assert seen[0].given_threshold is None


def test_json_is_the_settings_and_nothing_else(call: Call, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    result = call("calibrate", str(data), "-o", str(out), "--json", "--max-false-alarms", "0.2")
    assert json.loads(result.out) == json.loads(out.read_text())
    assert json.loads(result.out)["report"]["objective"] == "at most 20 % false alarms"


def test_not_enough_data_is_3_and_saved_all_the_same(call: Call, data: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    lines = data.read_text().splitlines()
    few.write_text("\n".join(lines[:12] + lines[-12:]))
    result = call("calibrate", str(few), "-o", str(tmp_path / "s.json"), "--quiet")
    assert (result.code, result.out, result.err) == (3, "", "")
    assert (tmp_path / "s.json").exists()


def test_standard_input(call: Call, data: Path, tmp_path: Path) -> None:
    result = call("calibrate", "-", "-o", str(tmp_path / "s.json"), "-q", stdin=data.read_bytes())
    assert result.code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there are no answers in"),
        (b'{"answer": "x", "contexts": []}', 'line 1: "label" must be 1 or "inconsistent"'),
        (b'{"answer": "x", "label": true}', 'line 1: "label" must be'),
        (b'{"answer": "x", "label": 2}', "not '2'"),
        (b'{"answer": "x", "label": [1]}', "not '[1]'"),
        (b'{"answer": "x", "label": "\\u001b[31mred"}', 'must be 1 or "inconsistent"'),
        (b'\n{"answer": 5, "label": 1}', 'line 2: "answer" must be a string'),
        (b"{", "line 1: not valid JSON"),
        (b"\xff\xfe\x00", "standard input"),
        (b'{"answer": "x", "label": 1}', "at least 10 answers of each kind"),
    ],
)
def test_bad_input_is_2_and_one_line(call: Call, tmp_path: Path, content: bytes, message: str) -> None:
    result = call("calibrate", "-", "-o", str(tmp_path / "s.json"), stdin=content)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err
    assert not (tmp_path / "s.json").exists()


def test_settings_meet_options(tmp_path: Path) -> None:
    """The real factory: what is given on the command line comes before what the file says."""
    path = tmp_path / "s.json"
    Settings(0.37).save(path)
    assert build(Choices(settings=path)).threshold == 0.37
    assert build(Choices(settings=path, given_threshold=0.6)).threshold == 0.6
    assert build(Choices()).threshold == 0.5


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--settings", "{}/nothing.json"], "no such file"),
        (["--settings", "{}/s.json", "--threshold", "1.5"], "threshold must lie between 0 and 1"),
        (["--settings", "{}/s.json", "--protocol", "paper"], "fitted for --protocol ours"),
        (["--settings", "{}/h.json"], "fitted for the verifier hhem@1, not for bundled"),
        (["--settings", "{}/c.txt"], "not valid JSON"),
    ],
)
def test_settings_that_do_not_fit_are_2(call: Call, tmp_path: Path, extra: list[str], message: str) -> None:
    Settings(0.37).save(tmp_path / "s.json")
    Settings(0.37, verifier="hhem@1").save(tmp_path / "h.json")
    (tmp_path / "c.txt").write_text("Something.")
    argv = [part.format(tmp_path) for part in extra]
    result = call("check", "-c", str(tmp_path / "c.txt"), "-a", "x", *argv, factory=build)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
