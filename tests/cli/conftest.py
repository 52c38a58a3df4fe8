"""The program, run in this process on a pipeline of fakes."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from grapheval import GraphEval
from grapheval.cli.factory import Choices
from grapheval.cli.run import run
from grapheval.testing import FakeExtractor, FakeVerifier

ANSWER = "Oslo is the capital of Norway. Oslo has nine million inhabitants."
CLAIMS = [("Oslo", "is the capital of", "Norway"), ("Oslo", "has", "nine million inhabitants")]
CONTEXT = "Oslo is the capital of Norway. Oslo has about 700,000 inhabitants."


def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """The word "million" is contradicted, "harbour" not said, everything else supported."""
    if "million" in hypothesis:
        return (0.02, 0.08, 0.9)
    if "harbour" in hypothesis:
        return (0.1, 0.85, 0.05)
    return (0.97, 0.02, 0.01)


def fake_pipeline(choices: Choices) -> GraphEval:
    return GraphEval(FakeExtractor({ANSWER: CLAIMS}), FakeVerifier(judge), threshold=choices.threshold)


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(name="run")
def run_fixture(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")

    def call(*argv: str, factory: Callable[[Choices], GraphEval] = fake_pipeline, stdin: bytes = b"") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"))
        code = run(argv, factory)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def context(tmp_path: Path) -> str:
    path = tmp_path / "oslo.md"
    path.write_text(CONTEXT, encoding="utf-8")
    return str(path)
