"""`grapheval batch` within a budget, against a real local server: it stops, keeps what was paid for, and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapheval.cli.run import run
from tests.tools.openai_stub import Body, OpenAIStub


def triples(body: Body) -> str:
    number = str(body["messages"][-1]["content"]).rpartition("number ")[2].partition(" ")[0]
    return f'[["House number {number}", "is", "red"]]'


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHEVAL_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "in.jsonl"
    rows = [{"id": n, "answer": f"House number {n} is red.", "contexts": f"House number {n} is red."} for n in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_budget_stops_the_batch_and_resume_goes_on(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = source.with_name("out.jsonl")
    with OpenAIStub(triples) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        arguments = ["batch", str(source), str(target), "--llm", "openai:tiny", "--no-cache"]
        assert run([*arguments, "--max-calls", "2", "--answer-timeout", "60"]) == 3
        assert "the budget is used up: 2 lines are written, --resume goes on from there" in capsys.readouterr().err
        assert len(target.read_text(encoding="utf-8").splitlines()) == 2
        assert run([*arguments, "--resume", "--calls-per-minute", "6000"]) == 0
    assert len(stub.requests) == 4
    records = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [(record["id"], record["failure"]) for record in records] == [(n, None) for n in range(4)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--max-calls", "5"], "--max-calls bounds a language model: add --llm"),
        (["--max-tokens", "5", "--llm", "openai:x", "--engine", "ray"], "cannot hold over several workers"),
        (["--answer-timeout", "0"], "--answer-timeout must be a positive number"),
        (["--max-calls", "-1", "--llm", "openai:x"], "max_calls must be a positive number"),
        (["--engine", "ray", "--cache", "file"], "--engine ray has no --cache"),
    ],
)
def test_bounds_that_cannot_hold_are_refused(
    source: Path, options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["batch", str(source), str(source.with_name("out.jsonl")), *options]) == 2
    assert says in capsys.readouterr().err
    assert not source.with_name("out.jsonl").exists()
