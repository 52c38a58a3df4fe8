from __future__ import annotations

import json
from pathlib import Path

import pytest

from grapheval import Correction, CorrectionStatus, Evaluation, GraphEval, ModelError
from grapheval.cli.factory import Choices
from grapheval.testing import FakeExtractor, FakeVerifier

from .conftest import ANSWER, CLAIMS, CONTEXT, Result, Run, judge

GOOD = {"id": "a", "answer": ANSWER, "contexts": [CONTEXT], "question": "Where?"}


def write(path: Path, *lines: object) -> str:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return str(path)


def records(path: str) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "out.jsonl")


def test_one_line_out_per_line_in(run: Run, tmp_path: Path, out: str) -> None:
    source = write(
        tmp_path / "in.jsonl",
        GOOD,
        "{broken",
        "",
        {"id": 7, "response": "Oslo is the capital of Norway.", "retrieved_contexts": [CONTEXT], "user_input": "Q"},
        {"id": "c", "contexts": [CONTEXT]},
        {"id": "d", "answer": ANSWER, "contexts": []},
        [1, 2],
    )
    result = run("batch", source, out)
    assert result.code == 3
    got = records(out)
    assert [set(r) for r in got] == [{"id", "evaluation", "correction", "failure"}] * 6
    assert [r["id"] for r in got] == ["a", "2", 7, "c", "d", "7"]
    statuses = [r["evaluation"] and r["evaluation"]["status"] for r in got]
    assert statuses == ["inconsistent", None, "consistent", None, "no_context", None]
    assert got[1]["failure"]["stage"] == "input"
    assert got[1]["failure"]["message"].startswith("line 2: not valid JSON")
    assert "answer, response, output, actual_output" in got[3]["failure"]["message"]
    assert got[5]["failure"]["message"] == "line 7: a line must be a JSON object, not a list"
    assert Evaluation.from_dict(got[0]["evaluation"]).p_inconsistent == pytest.approx(0.98)
    assert "6 answers: " in result.err
    assert "3 failed (input_error 3)" in result.err


@pytest.mark.parametrize(
    "line",
    [
        {"answer": ANSWER, "contexts": CONTEXT},
        {"answer": ANSWER, "context": CONTEXT},
        {"response": ANSWER, "retrieved_contexts": [CONTEXT], "user_input": "Q"},
        {"output": ANSWER, "context": [CONTEXT], "query": "Q"},
        {"actual_output": ANSWER, "retrieval_context": [CONTEXT], "input": "Q", "context": ["the ideal one"]},
        {"answer": ANSWER, "contexts": [{"id": "x", "text": CONTEXT}]},
        {"answer": ANSWER, "contexts": [{"page_content": CONTEXT, "metadata": {}}]},
        {"answer": None, "response": ANSWER, "contexts": None, "context": CONTEXT},
    ],
)
def test_names_of_other_tools(run: Run, tmp_path: Path, out: str, line: dict[str, object]) -> None:
    assert run("batch", write(tmp_path / "in.jsonl", line), out).code == 0
    (record,) = records(out)
    assert record["id"] == "1"
    assert record["evaluation"]["status"] == "inconsistent"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"answer": 5}, '"answer" must be a string, not a number'),
        ({"answer": "x", "question": ["q"]}, '"question" must be a string, not a list'),
        ({"answer": "x", "contexts": 5}, "must be a string, a Source, a document"),
        ({"answer": "x", "contexts": ["ok", None]}, "context 2"),
        ({"id": {}, "answer": "x"}, '"id" must be a string or a number, not an object'),
        ('{"id": NaN, "answer": "x"}', '"id" must be a string or a number'),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "line 1: "),
        ("null", "not null"),
    ],
)
def test_lines_that_cannot_be_read(run: Run, tmp_path: Path, out: str, line: object, message: str) -> None:
    assert run("batch", write(tmp_path / "in.jsonl", line, GOOD), out).code == 3
    bad, good = records(out)
    assert message in bad["failure"]["message"]
    assert bad["evaluation"] is None
    assert good["failure"] is None


def test_bytes_that_are_no_utf8_fail_their_line_only(run: Run, tmp_path: Path, out: str) -> None:
    source = tmp_path / "in.jsonl"
    good = json.dumps(GOOD).encode()
    source.write_bytes(b"\xef\xbb\xbf" + good + b'\n{"answer": "caf\xe9"}\n' + good + b"\r\n" + good)
    assert run("batch", str(source), out).code == 3
    assert [bool(r["failure"]) for r in records(out)] == [False, True, False, False]
    assert records(out)[1]["failure"]["message"] == "line 2: not valid UTF-8"


def test_utf16_input(run: Run, tmp_path: Path, out: str) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes((json.dumps(GOOD) + "\n").encode("utf-16"))
    assert run("batch", str(source), out).code == 0


def test_lone_surrogates_come_out_as_valid_json(run: Run, tmp_path: Path, out: str) -> None:
    source = write(
        tmp_path / "in.jsonl", '{"id": "\\ud800", "answer": "Oslo \\udfff is big.", "contexts": ["Oslo is big."]}'
    )
    run("batch", source, out)
    assert records(out)[0]["id"] == "\ufffd"


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"%PDF-1.7"])
def test_binary_input_is_2(run: Run, tmp_path: Path, out: str, content: bytes) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(content)
    result = run("batch", str(source), out)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert not Path(out).exists()


def test_missing_input_and_unwritable_output_are_2(run: Run, tmp_path: Path, out: str) -> None:
    assert run("batch", str(tmp_path / "none.jsonl"), out).code == 2
    assert not Path(out).exists()
    source = write(tmp_path / "in.jsonl", GOOD)
    assert run("batch", source, str(tmp_path / "no" / "out.jsonl")).code == 2
    assert run("batch", source, str(tmp_path)).code == 2


def test_input_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", GOOD)
    result = run("batch", source, source)
    assert result.code == 2
    assert json.loads(Path(source).read_text()) == GOOD


def test_empty_input_is_an_empty_output(run: Run, tmp_path: Path, out: str) -> None:
    result = run("batch", write(tmp_path / "in.jsonl"), out)
    assert (result.code, Path(out).read_bytes()) == (0, b"")


def test_duplicate_ids_are_allowed_and_reported(run: Run, tmp_path: Path, out: str) -> None:
    result = run("batch", write(tmp_path / "in.jsonl", GOOD, GOOD, {**GOOD, "id": "b"}), out)
    assert result.code == 0
    assert "1 id occurs more than once: a" in result.err
    assert len(records(out)) == 3


def test_standard_input_and_output(run: Run) -> None:
    result = run("batch", "-", "-", "--quiet", stdin=json.dumps(GOOD).encode())
    assert result.code == 0
    assert json.loads(result.out)["id"] == "a"
    assert result.err == ""


def failing_on(word: str, error: Exception):  # type: ignore[no-untyped-def]
    class Picky(FakeVerifier):
        def verify(self, pairs):  # type: ignore[no-untyped-def]
            if any(word in pair.hypothesis for pair in pairs):
                raise error
            return super().verify(pairs)

    return lambda _: GraphEval(FakeExtractor({ANSWER: CLAIMS}), Picky(judge))


@pytest.mark.parametrize("error", [ModelError("away", retryable=True), RuntimeError("a bug")])
@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_failing_answer_stops_no_other(run: Run, tmp_path: Path, out: str, error: Exception, workers: str) -> None:
    lines = [{**GOOD, "id": str(n)} for n in range(40)]
    lines[17]["answer"] = "Oslo has a harbour."
    result = run(
        "batch", write(tmp_path / "in.jsonl", *lines), out, "--workers", workers, factory=failing_on("harbour", error)
    )
    assert result.code == 3
    got = records(out)
    assert [r["id"] for r in got] == [str(n) for n in range(40)]
    assert [r["id"] for r in got if r["failure"]] == ["17"]
    assert got[17]["failure"]["stage"] == "verify"


def test_a_bug_outside_the_stages_fails_its_line_only(run: Run, tmp_path: Path, out: str) -> None:
    class Broken:
        info = "broken"

        def aggregate(self, verdicts):  # type: ignore[no-untyped-def]
            if len(verdicts) == 1:
                raise ZeroDivisionError("a bug")
            return 0.1

    pipeline = GraphEval(FakeExtractor({ANSWER: CLAIMS}), FakeVerifier(judge), aggregator=Broken())
    lines = [GOOD, {**GOOD, "answer": "Oslo is big."}, GOOD]
    assert run("batch", write(tmp_path / "in.jsonl", *lines), out, factory=lambda _: pipeline).code == 3
    assert [r["failure"] and r["failure"]["code"] for r in records(out)] == [None, "internal_error", None]


def resumed(run: Run, tmp_path: Path, out: str, kept: bytes) -> Result:
    Path(out).write_bytes(kept)
    return run("batch", str(tmp_path / "in.jsonl"), out, "--resume")


def test_resume_goes_on_where_it_stopped(run: Run, tmp_path: Path, out: str) -> None:
    source = write(tmp_path / "in.jsonl", *({**GOOD, "id": str(n)} for n in range(5)))
    run("batch", source, out)
    whole = Path(out).read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (
        b"",
        lines[0],
        b"".join(lines[:3]),
        b"".join(lines[:3]) + lines[3][:-1],
        whole[: len(lines[0]) + 10],
        whole,
    ):
        result = resumed(run, tmp_path, out, kept)
        assert result.code == 0
        assert Path(out).read_bytes() == whole
    assert "0 answers (5 were there already); all 5: 5 inconsistent" in result.err


def test_resume_refuses_a_file_of_another_input(run: Run, tmp_path: Path, out: str) -> None:
    write(tmp_path / "in.jsonl", GOOD)
    foreign = b'{"id": "z", "evaluation": null, "correction": null, "failure": null}\n'
    for kept in (foreign, b"notes\n", b'{"id": "a"}\n', foreign.replace(b"z", b"a") * 2):
        result = resumed(run, tmp_path, out, kept)
        assert result.code == 2
        assert Path(out).read_bytes() == kept
    assert run("batch", str(tmp_path / "in.jsonl"), "-", "--resume").code == 2


def test_without_resume_an_old_output_is_replaced(run: Run, tmp_path: Path, out: str) -> None:
    source = write(tmp_path / "in.jsonl", GOOD)
    Path(out).write_text("old\n")
    assert run("batch", source, out).code == 0
    assert len(records(out)) == 1


def test_interruption_keeps_what_is_written(run: Run, tmp_path: Path, out: str) -> None:
    lines = [{**GOOD, "id": str(n)} for n in range(400)]
    lines[317]["answer"] = "Oslo has a harbour."
    source = write(tmp_path / "in.jsonl", *lines)
    result = run("batch", source, out, factory=failing_on("harbour", KeyboardInterrupt()))
    assert result.code == 130
    kept = len(records(out))
    assert 0 < kept < 317
    assert f"interrupted: {kept} lines are written, --resume goes on from there" in result.err
    assert run("batch", source, out, "--resume").code == 0
    assert [r["id"] for r in records(out)] == [str(n) for n in range(400)]


class NineToSeven:
    """Repairs "nine million" and raises for everything with a harbour."""

    info = "nine-to-seven"

    def correct(self, sample, before, evaluate):  # type: ignore[no-untyped-def]
        if "harbour" in sample.answer:
            raise ModelError("no repair")
        if not before.flagged:
            return Correction(sample.answer, (), before, None, CorrectionStatus.UNCHANGED)
        return Correction("Oslo is the capital of Norway.", (), before, None, CorrectionStatus.CORRECTED)


def test_correct(run: Run, tmp_path: Path, out: str) -> None:
    def correcting(choices: Choices) -> GraphEval:
        assert choices.correct
        return GraphEval(FakeExtractor({ANSWER: CLAIMS}), FakeVerifier(judge), corrector=NineToSeven())

    lines = [GOOD, {**GOOD, "answer": "Oslo is the capital of Norway."}, {**GOOD, "answer": "Oslo has a harbour."}]
    assert run("batch", write(tmp_path / "in.jsonl", *lines), out, "--correct", factory=correcting).code == 3
    got = records(out)
    assert [r["correction"] and r["correction"]["status"] for r in got] == ["corrected", "unchanged", None]
    assert got[2]["evaluation"]["status"] == "inconsistent"
    assert got[2]["failure"]["stage"] == "correct"
