"""`grapheval bench` from its arguments to its files; only the model and the extractor are fakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grapheval import Claim, GraphEval, Sample, Span, Triple
from grapheval.cli.factory import Choices
from grapheval.cli.run import run
from grapheval.paper import TriplesOnly, as_paper
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Extraction

TRIPLES = {
    "Ida bakes bread.": [("Ida", "bakes", "bread")],
    "Ida bakes bread. Ida sells cars.": [("Ida", "bakes", "bread"), ("Ida", "sells", "cars")],
    "Ida sells cars.": [("Ida", "sells", "cars")],
}
ROWS = [
    {"id": "1", "context": "Ida bakes bread in Bergen.", "output": "Ida bakes bread.", "label": 0},
    {"id": "2", "context": "Ida bakes bread in Bergen.", "output": "Ida bakes bread. Ida sells cars.", "label": 1},
    {"id": "3", "context": "Ida bakes bread in Bergen.", "output": "Ida sells cars.", "label": 1},
]


def _judge(_premise: str, hypothesis: str) -> float:
    """Cars are ungrounded, but bread beside them makes the model overlook them."""
    return 0.9 if "bread" in hypothesis else 0.1


class Factory:
    """Records what was asked for and builds a pipeline from fakes."""

    def __init__(self) -> None:
        self.choices: list[Choices] = []
        self.verifier = FakeVerifier(_judge)

    def __call__(self, choices: Choices) -> GraphEval:
        self.choices.append(choices)
        return GraphEval(FakeExtractor(TRIPLES), self.verifier, threshold=choices.threshold)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("summeval.jsonl", "qags_c.jsonl"):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return tmp_path


def _figures(text: str) -> dict[tuple[str, str, str], Any]:
    return {
        (one["name"], one["protocol"], detector["name"]): detector["scores"]
        for one in json.loads(text)["sets"]
        for detector in one["detectors"]
    }


def test_json_holds_raw_and_grapheval(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = run(["bench", "qags-c", "--data", str(data / "qags_c.jsonl"), "--json"], Factory())
    shown = capsys.readouterr()
    assert status == 0, shown.err
    assert shown.err == ""
    found = _figures(shown.out)
    assert found["qags-c", "ours", "raw"]["recall"] == 0.5
    assert found["qags-c", "ours", "raw"]["balanced_accuracy"] == 0.75
    assert found["qags-c", "ours", "grapheval"]["balanced_accuracy"] == 1


def test_several_sets_under_both_protocols(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    argv = ["bench", "summeval", "qags-c", "--data", str(data), "--protocol", "both", "--out", str(out)]
    assert run(argv, Factory()) == 0
    text = capsys.readouterr().out
    assert "| **fake + GraphEval, fake (paper)** | **100.0** [" in text
    assert "| **fake + GraphEval, fake (ours)** | **100.0** [" in text
    assert "Protocol paper: GraphEval gains +25.0 points" in text
    assert (out / "report.md").read_text(encoding="utf-8") == text
    found = _figures((out / "report.json").read_text(encoding="utf-8"))
    assert len(found) == 8
    rows = sorted(path.name for path in out.glob("*.jsonl"))
    assert rows == [
        f"{name}.{protocol}.rows.jsonl" for name in ("qags-c", "summeval") for protocol in ("ours", "paper")
    ]


def test_a_second_run_resumes_without_judging_again(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["bench", "qags-c", "--data", str(data), "--out", str(tmp_path / "out")]
    assert run(argv, Factory()) == 0
    first = capsys.readouterr().out
    assert run(argv, Factory()) == 2
    assert "--resume" in capsys.readouterr().err
    again = Factory()
    assert run([*argv, "--resume"], again) == 0
    assert capsys.readouterr().out == first
    assert again.verifier.pairs == []


def test_the_limit_and_the_options_reach_the_pipeline(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    factory = Factory()
    argv = ["bench", "qags-c", "--data", str(data), "--limit", "2", "--threshold", "0.3", "--verifier", "hhem"]
    assert run(argv, factory) == 0
    assert "2 of 3 answers" in capsys.readouterr().out
    assert factory.choices == [Choices(None, "hhem", None, "ours", 0.3, False)]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["qags-c", "--data", "{}/missing.jsonl"], "no such file"),
        (["qags-q", "--data", "{}"], "no benchmark is called 'qags-q'"),
        (["qags-c", "qags-x", "--data", "{}/qags_c.jsonl"], "2 sets and 1 files"),
        (["qags-c", "qags-c", "--data", "{}"], "named twice"),
        (["qags-c", "--data", "{}", "--resume"], "nothing to resume"),
        (["qags-c", "--data", "{}", "--limit", "0"], "limit"),
        (["qags-c", "--data", "{}", "--protocol", "mine"], "protocol"),
        (["qags-c", "--data", "{}", "--correct"], "has no corrector"),
        (["qags-c"], "--data"),
    ],
)
def test_bad_usage_is_one_line_and_status_two(
    data: Path, capsys: pytest.CaptureFixture[str], extra: list[str], message: str
) -> None:
    assert run(["bench", *(part.replace("{}", str(data)) for part in extra)], Factory()) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_papers_protocol_reads_the_whole_context_and_checks_triples_only() -> None:
    class Mixed:
        info = "mixed"

        def extract(self, samples: list[Sample]) -> list[Extraction]:
            triple = Triple("Ida", "bakes", "bread")
            claims = (Claim("Ida bakes bread", triple, Span(0, 3)), Claim("A sentence.", None, Span(4, 5)))
            return [Extraction(claims if s.answer != "x" else claims[1:]) for s in samples]

    verifier = FakeVerifier({"Ida bakes bread": 0.7}, words_per_window=5)
    pipeline = as_paper(GraphEval(Mixed(), verifier))  # type: ignore[arg-type]
    context = "Some words that come first. " * 20 + "Ida bakes bread."
    found = pipeline.evaluate("An answer.", context)
    assert [pair.hypothesis for pair in verifier.pairs] == ["Ida bakes bread"]
    assert verifier.pairs[0].premise == context
    assert found.p_inconsistent == pytest.approx(0.3)
    assert pipeline.evaluate("x", context).status.value == "no_claims"
    assert TriplesOnly(FakeExtractor()).batch_size == 16
