"""`grapheval report` and `check --html`, run in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapheval import GraphEval
from grapheval.cli.run import run
from grapheval.testing import FakeExtractor, FakeVerifier

ANSWER = "Oslo has nine million inhabitants."


def factory(_: object) -> GraphEval:
    extractor = FakeExtractor({ANSWER: [("Oslo", "has", "nine million inhabitants")]})
    return GraphEval(extractor, FakeVerifier({"Oslo has nine million inhabitants": (0.02, 0.08, 0.9)}))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    file = tmp_path / "in.jsonl"
    records = [{"id": f"q{n}", "answer": ANSWER, "contexts": ["Oslo is small."], "question": "Q?"} for n in range(3)]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert run(["batch", str(file), str(tmp_path / "out.jsonl"), "-q"], factory) == 0
    return file


def test_a_batch_becomes_a_page(lines: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(["report", str(tmp_path / "out.jsonl"), str(page), "--answers", str(lines), "--title", "Week 12"]) == 0
    assert f"3 answers, report in {page}" in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert "<title>Week 12</title>" in text
    assert '"id":["q0","q1","q2"]' in text
    assert run(["report", str(tmp_path / "out.jsonl"), str(page), "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_one_answer_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    context, page = tmp_path / "c.md", tmp_path / "page.html"
    context.write_text("Oslo is small.", encoding="utf-8")
    arguments = ["check", "-c", str(context), "-a", ANSWER, "--json", "--html", str(page)]
    assert run(arguments, factory) == 1
    judged = tmp_path / "one.json"
    judged.write_text(capsys.readouterr().out, encoding="utf-8")
    assert "nine million" in page.read_text(encoding="utf-8")
    assert run(["report", str(judged), "-"]) == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("missing.jsonl", "page.html", "missing.jsonl: no such file"),
        ("out.jsonl", "out.jsonl", "is input and output at once"),
        ("out.jsonl", ".", "is a directory"),
        ("out.jsonl", "nowhere/page.html", "cannot write the report"),
    ],
)
def test_bad_input_is_one_line(
    lines: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, target: str, said: str
) -> None:
    assert run(["report", str(tmp_path / source), str(tmp_path / target)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert lines.exists()


def test_answers_of_another_batch_are_refused(lines: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "x", "answer": "a"}\n', encoding="utf-8")
    assert lines.exists()
    assert run(["report", str(tmp_path / "out.jsonl"), str(tmp_path / "p.html"), "--answers", str(other)]) == 2
    assert "does not belong to these answers" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()
