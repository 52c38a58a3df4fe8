from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grapheval import Evaluation, GraphEval, Label, ModelError, Status
from grapheval.cli.factory import Choices, build
from grapheval.paper import as_paper
from grapheval.testing import FakeExtractor, FakeVerifier
from tests.tools.openai_stub import OpenAIStub

from .conftest import ANSWER, CLAIMS, CONTEXT, Run, fake_pipeline, judge


def test_inconsistent_is_1_and_shows_everything(run: Run, context: str) -> None:
    result = run("check", "--context", context, "--answer", ANSWER)
    assert result.code == 1
    assert result.err == ""
    assert "[Oslo has nine million inhabitants ✗2]." in result.out
    assert "Oslo → is the capital of → Norway" in result.out
    assert "oslo.md" in result.out
    assert "Oslo has about 700,000 inhabitants." in " ".join(result.out.split())
    assert "✗ inconsistent  1 of 2 claims is not grounded in the context" in result.out


def test_consistent_is_0(run: Run, context: str) -> None:
    result = run("check", "--context", context, "--answer", "Oslo is the capital of Norway.")
    assert result.code == 0
    assert "✓ consistent" in result.out


@pytest.mark.parametrize(("answer", "status"), [("", "no_claims"), (" \n", "no_claims"), ("Hello!", "no_claims")])
def test_unjudged_is_3(run: Run, context: str, answer: str, status: str) -> None:
    def nothing(choices: Choices) -> GraphEval:
        return GraphEval(FakeExtractor({"Hello!": []}), FakeVerifier(judge))

    result = run("check", "--context", context, "--answer", answer, "--json", factory=nothing)
    assert result.code == 3
    assert json.loads(result.out)["status"] == status
    assert json.loads(result.out)["p_inconsistent"] is None


def test_empty_context_file_is_no_context(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"")
    result = run("check", "--context", str(empty), "--answer", ANSWER)
    assert result.code == 3
    assert "no context" in result.out


def test_json_is_the_evaluation_and_nothing_else(run: Run, context: str) -> None:
    result = run("check", "-c", context, "-a", ANSWER, "--json")
    document = json.loads(result.out)
    evaluation = Evaluation.from_dict(document)
    assert evaluation.to_dict() == document
    assert evaluation.status is Status.INCONSISTENT
    assert [v.label for v in evaluation.verdicts] == [Label.SUPPORTED, Label.CONTRADICTED]
    assert result.err == ""


def test_json_survives_hostile_text(run: Run, tmp_path: Path) -> None:
    passages = tmp_path / "p.json"
    passages.write_text('[{"id": "a\\ud800", "text": "Oslo \\u0000 \\u001b[m \\udfff is big."}]')
    result = run("check", "-c", str(passages), "-a", "Oslo \x1b[m\x07 is \ud83d big.", "--json")
    assert result.code == 0
    document = json.loads(result.out)
    assert document["verdicts"][0]["claim"]["text"] == "Oslo \x1b[m\x07 is \ufffd big."
    result.out.encode("utf-8")  # no lone surrogate is left


def test_quiet_writes_nothing(run: Run, context: str) -> None:
    result = run("check", "-c", context, "-a", ANSWER, "--quiet")
    assert (result.code, result.out, result.err) == (1, "", "")


def test_threshold_reaches_the_pipeline(run: Run, context: str) -> None:
    result = run("check", "-c", context, "-a", ANSWER, "--threshold", "0.999")
    assert result.code == 0


@pytest.mark.parametrize("threshold", ["0", "1", "1.5", "nan", "x"])
def test_threshold_out_of_range_is_2(run: Run, context: str, threshold: str) -> None:
    result = run("check", "-c", context, "-a", ANSWER, "--threshold", threshold)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "threshold" in result.err


def test_several_files_after_one_flag(run: Run, context: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Bergen is a town.")
    third = tmp_path / "third.txt"
    third.write_text("Tromsø is a town.")
    seen: list[tuple[str, ...]] = []

    class Spy(FakeExtractor):
        def extract(self, samples):  # type: ignore[no-untyped-def]
            seen.append(tuple(source.id for source in samples[0].sources))
            return super().extract(samples)

    def spying(choices: Choices) -> GraphEval:
        return GraphEval(Spy({ANSWER: CLAIMS}), FakeVerifier(judge))

    run("check", "--context", context, str(other), "--answer", ANSWER, f"--context={third}", factory=spying)
    assert seen == [(context, str(other), str(third))]


def test_answer_and_context_from_stdin(run: Run, context: str, tmp_path: Path) -> None:
    assert run("check", "-c", context, "--answer-file", "-", stdin=ANSWER.encode()).code == 1
    assert run("check", "-c", context, "--answer", "-", stdin=ANSWER.encode()).code == 1
    assert run("check", "-c", "-", "--answer", ANSWER, stdin=CONTEXT.encode()).code == 1
    twice = run("check", "-c", "-", "--answer", "-", stdin=CONTEXT.encode())
    assert twice.code == 2
    assert twice.err == "grapheval: error: standard input (-) can be read only once\n"


def test_question_is_handed_on(run: Run, context: str) -> None:
    asked: list[str | None] = []

    class Spy(FakeExtractor):
        def extract(self, samples):  # type: ignore[no-untyped-def]
            asked.append(samples[0].question)
            return super().extract(samples)

    run(
        "check",
        "-c",
        context,
        "-a",
        "Oslo",
        "--question",
        "The capital?",
        factory=lambda _: GraphEval(Spy(), FakeVerifier(judge)),
    )
    assert asked == ["The capital?"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\x00\xfe\x01", "NUL bytes"),
        (b"caf\xe9", "not valid UTF-8 (byte 3)"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04....", "zip"),
        (b"\xff\xfea", "not valid UTF-16"),
    ],
)
def test_what_is_no_text_is_2(run: Run, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    result = run("check", "-c", str(path), "-a", ANSWER)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("name", ["missing.txt", ".", "a\0b", "x" * 5000])
def test_unreadable_files_are_2(run: Run, tmp_path: Path, name: str) -> None:
    result = run("check", "-c", str(tmp_path / name), "-a", ANSWER)
    assert result.code == 2
    assert result.err.startswith("grapheval: error: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_understood(run: Run, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(ANSWER.encode(encoding))
    assert run("check", "-c", str(path), "--answer-file", str(path)).code == 1


def test_overlong_answer_is_2(run: Run, context: str, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("word " * 2_000_000)
    result = run("check", "-c", context, "--answer-file", str(path))
    assert result.code == 2
    assert "10,000,000 characters" in result.err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["check"], "--context"),
        (["check", "-c", "x"], "one answer is needed"),
        (["check", "-c", "x", "-a", "y", "-f", "z"], "one answer is needed"),
        (["check", "-c", "x", "-a", "y", "--nonsense"], "--nonsense"),
        (["check", "-c", "x", "-a", "y", "--extractor", "magic"], "magic"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_usage_is_2_with_one_line(run: Run, argv: list[str], message: str) -> None:
    result = run(*argv)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
    assert result.out == ""


def test_no_command_shows_the_help(run: Run) -> None:
    result = run()
    assert result.code == 2
    assert "check" in result.out
    assert result.err == ""


def test_correct_without_corrector_is_2(run: Run, context: str) -> None:
    result = run("check", "-c", context, "-a", ANSWER, "--correct")
    assert result.code == 2
    assert "corrector" in result.err
    assert result.err.count("\n") == 1


def test_model_failure_is_4(run: Run, context: str) -> None:
    def broken(choices: Choices) -> GraphEval:
        return GraphEval(FakeExtractor(fail=ModelError("the server\nis away")), FakeVerifier())

    result = run("check", "-c", context, "-a", ANSWER, factory=broken)
    assert (result.code, result.out) == (4, "")
    assert result.err == "grapheval: failed: the server is away\n"


def test_a_bug_is_4_without_a_trace_unless_asked(run: Run, context: str) -> None:
    def buggy(choices: Choices) -> GraphEval:
        raise KeyError("lost")

    result = run("check", "-c", context, "-a", ANSWER, factory=buggy)
    assert result.code == 4
    assert result.err == "grapheval: failed: KeyError: 'lost' (--debug shows where)\n"
    with pytest.raises(KeyError):
        run("check", "-c", context, "-a", ANSWER, "--debug", factory=buggy)


def test_interruption_is_130(run: Run, context: str) -> None:
    def interrupted(choices: Choices) -> GraphEval:
        raise KeyboardInterrupt

    result = run("check", "-c", context, "-a", ANSWER, factory=interrupted)
    assert result.code == 130
    assert result.err == "grapheval: interrupted\n"


def test_llm_without_model_is_2(run: Run, context: str) -> None:
    for extra in (["--extractor", "llm"], ["--verifier", "llm"]):
        result = run("check", "-c", context, "-a", ANSWER, *extra, factory=build)
        assert result.code == 2
        assert "--llm PROVIDER:MODEL" in result.err


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIStub]:
    def reply(body: dict[str, Any]) -> str:
        prompt = json.dumps(body["messages"])
        if len(stub.requests) == 1:
            return json.dumps([list(triple) for triple in CLAIMS])
        if len(stub.requests) == 2:
            return '["Oslo", "has", "700,000 inhabitants"]'
        return ANSWER.replace("nine million", "700,000") if ANSWER in prompt else json.dumps([CLAIMS[0]])

    with OpenAIStub(reply) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield stub


def served_pipeline(choices: Choices) -> GraphEval:
    pipeline = build(choices)
    pipeline.verifier = FakeVerifier(judge)
    return pipeline


def test_correct_with_an_llm(run: Run, context: str, served: OpenAIStub) -> None:
    argv = ["check", "-c", context, "-a", ANSWER, "--llm", "openai:small", "--correct"]
    result = run(*argv, "--json", factory=served_pipeline)
    document = json.loads(result.out)
    correction = document.pop("correction")
    assert Evaluation.from_dict(document) == Evaluation.from_dict(correction["before"])
    assert correction["answer"] == "Oslo is the capital of Norway. Oslo has 700,000 inhabitants."
    assert (result.code, correction["status"], correction["after"]["status"]) == (0, "corrected", "consistent")
    assert len(served.requests) >= 3

    served.requests.clear()
    shown = run(*argv, factory=served_pipeline)
    assert shown.code == 0
    assert "[-nine million-]{+700,000+}" in shown.out
    assert "corrected  nothing is flagged any more" in shown.out


def test_the_papers_protocol_needs_no_llm(run: Run, context: str) -> None:
    def with_fakes(choices: Choices) -> GraphEval:
        assert choices.protocol == "paper"
        return as_paper(fake_pipeline(choices))

    result = run("check", "-c", context, "-a", ANSWER, "--protocol", "paper", "--json", factory=with_fakes)
    assert json.loads(result.out)["provenance"]["selector"] == "whole-context"
