"""Runs over small sets with stages whose figures can be worked out by hand."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from grapheval import (
    Claim,
    Correction,
    CorrectionStatus,
    Evaluation,
    Failure,
    GraphEval,
    InputError,
    ModelError,
    Reason,
    Sample,
    Source,
    Span,
)
from grapheval.bench.datasets import Benchmark
from grapheval.bench.markdown import render
from grapheval.bench.raw import OnlyClaim, WholeAnswer, raw_detector
from grapheval.bench.report import SetFigures, make_report, set_figures
from grapheval.bench.results import RowResult
from grapheval.bench.runner import BATCH, run
from grapheval.bench.sets import KNOWN_SETS, BenchmarkRow
from grapheval.protocols import Judgement, Pair, Passage, Selected, VerifierInfo, Window
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Verdict
from grapheval.types.correction import Usage
from grapheval.verification.plain import BestWindow


class EachSource:
    """A selector that takes every source as one window, for every claim."""

    unread = 0

    @property
    def info(self) -> str:
        return "each-source"

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        windows = tuple(
            Window(s.text, (Passage(s.id, Span(0, len(s.text))),), count_tokens([s.text])[0]) for s in sources
        )
        return Selected((windows,) * len(claims), {"windows": len(windows), "unread_chars": self.unread})


class Highest:
    """An answer is as ungrounded as its most ungrounded claim."""

    @property
    def info(self) -> str:
        return "highest"

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        return max((v.p_ungrounded for v in verdicts if v.p_ungrounded is not None), default=None)


CONTEXT = "Ada sails. Bo sings. Cy paints."
ROWS = (
    BenchmarkRow("a", "Ada sails.", CONTEXT, 0),
    BenchmarkRow("b", "Bo sings and Bo flies.", CONTEXT, 1),
    BenchmarkRow("c", "Cy sleeps.", CONTEXT, 1),
    BenchmarkRow("d", "Ada dives.", CONTEXT, 1),
    BenchmarkRow("e", "Hello!", CONTEXT, 0),
)
TRIPLES = {
    "Ada sails.": [("Ada", "sails", "boats")],
    "Bo sings and Bo flies.": [("Bo", "sings", "songs"), ("Bo", "flies", "planes")],
    "Cy sleeps.": [("Cy", "sleeps", "late")],
    "Ada dives.": [("Ada", "dives", "deep")],
    "Hello!": [],
}
ENTAILED: dict[str, float | tuple[float, float, float] | Reason] = {
    # triples
    "Ada sails boats": 0.9,
    "Bo sings songs": 0.8,
    "Bo flies planes": 0.2,
    "Cy sleeps late": 0.1,
    "Ada dives deep": Reason.CLAIM_TOO_LONG,
    # whole answers
    "Ada sails.": 0.9,
    "Bo sings and Bo flies.": 0.6,
    "Cy sleeps.": 0.4,
    "Ada dives.": 0.3,
    "Hello!": 0.7,
}


def _pipeline(verifier: FakeVerifier | None = None, extractor: FakeExtractor | None = None) -> GraphEval:
    return GraphEval(
        extractor=extractor or FakeExtractor(TRIPLES),
        verifier=verifier or FakeVerifier(ENTAILED),
        selector=EachSource(),
        folder=BestWindow(),
        aggregator=Highest(),
    )


def _benchmark(rows: Sequence[BenchmarkRow] = ROWS) -> Benchmark:
    return Benchmark(KNOWN_SETS["qags-c"], tuple(rows), "0" * 64, "prepared", len(rows))


@dataclass
class Rewriter:
    """A corrector with a table of repairs."""

    table: dict[str, str]
    fail: Exception | None = None
    given: list[str] = field(default_factory=list)

    @property
    def info(self) -> str:
        return "rewriter"

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        self.given.append(sample.answer)
        if self.fail is not None:
            raise self.fail
        answer = self.table.get(sample.answer, sample.answer)
        if answer == sample.answer:
            return Correction(answer, (), before, None, CorrectionStatus.FAILED)
        after = evaluate(Sample(answer, sample.contexts))
        return Correction(answer, (), before, after, CorrectionStatus.CORRECTED, usage=Usage(2, 30, 4))


def _figures(rows: Sequence[RowResult], pipeline: GraphEval, **more: GraphEval) -> SetFigures:
    made = {"raw": raw_detector(pipeline).provenance(), "grapheval": pipeline.provenance()}
    return set_figures(_benchmark(), rows, made, protocol="ours", resamples=200)


def test_raw_verifier_and_grapheval_side_by_side() -> None:
    pipeline = _pipeline()
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline})
    p: dict[str, object] = {
        row.id: (row.detectors["raw"].p_inconsistent, row.detectors["grapheval"].p_inconsistent) for row in rows
    }
    assert p["a"] == (pytest.approx(0.1), pytest.approx(0.1))
    assert p["b"] == (pytest.approx(0.4), pytest.approx(0.8))
    assert p["d"] == (pytest.approx(0.7), None)
    assert p["e"] == (pytest.approx(0.3), None)
    raw, ours = _figures(rows, pipeline).detectors
    # Raw: a, e right of two consistent ones; c, d right, b wrong of three inconsistent ones.
    assert raw.scores.balanced_accuracy == pytest.approx((1 + 2 / 3) / 2)
    # GraphEval: b, c right; d unverified and e without claims count as wrong.
    assert ours.scores.balanced_accuracy == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert ours.scores.unjudged == 2
    assert ours.statuses == {"consistent": 1, "inconsistent": 2, "no_claims": 1, "partial": 1}
    assert ours.reasons == {"claim_too_long": 1, "nothing_to_check": 1}
    assert ours.claims == 5
    assert raw.made_of["extractor"] == "whole-answer"
    assert raw.made_of["verifier"] == ours.made_of["verifier"] == "fake@1"


def test_the_gain_is_that_of_the_accuracies() -> None:
    pipeline = _pipeline()
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline})
    figures = _figures(rows, pipeline)
    assert figures.gain is not None
    assert figures.gain.value == pytest.approx((1 / 2 + 2 / 3) / 2 - (1 + 2 / 3) / 2)


def test_failures_are_kept_and_count_as_wrong() -> None:
    pipeline = _pipeline(extractor=FakeExtractor(fail=ModelError("no server", retryable=True)))
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline})
    failed = rows[0].detectors["grapheval"]
    assert failed.p_inconsistent is None
    assert failed.failure == Failure("a", "extract", "model_error", "no server", retryable=True)
    raw, ours = _figures(rows, pipeline).detectors
    assert ours.statuses == {"failed": 5}
    assert ours.scores.balanced_accuracy == 0
    assert raw.scores.unjudged == 0


def test_a_cut_context_is_counted() -> None:
    pipeline = _pipeline()
    selector = EachSource()
    selector.unread = 40
    pipeline.selector = selector
    (row,) = run(_benchmark(ROWS[:1]), {"grapheval": pipeline})
    assert row.detectors["grapheval"].cut
    verdict = BestWindow().fold(
        Claim("x"), [Window("w", (), 1)], [Judgement(0.9, reason=Reason.CONTEXT_CUT)], (), threshold=0.5
    )
    assert verdict.reason is Reason.CONTEXT_CUT
    assert not verdict.flagged


def test_the_best_window_decides_and_order_does_not() -> None:
    windows = [Window("w1", (Passage("1", Span(0, 2)),), 1), Window("w2", (Passage("2", Span(0, 2)),), 1)]
    sources = (Source("w1", "1"), Source("w2", "2"))
    judgements = [Judgement(0.2), Judgement(0.8)]
    one = BestWindow().fold(Claim("x"), windows, judgements, sources, 0.5)
    two = BestWindow().fold(Claim("x"), windows[::-1], judgements[::-1], sources, 0.5)
    assert one == two
    assert one.p_ungrounded == pytest.approx(0.2)
    assert [e.source_id for e in one.evidence] == ["2"]
    nothing = BestWindow().fold(Claim("x"), windows, [Judgement(None, reason=Reason.TIMEOUT)] * 2, sources, 0.5)
    assert nothing.p_ungrounded is None
    assert nothing.reason is Reason.TIMEOUT


def test_the_whole_answer_is_one_claim_with_its_place() -> None:
    (found, empty) = WholeAnswer().extract([Sample("  Two. Sentences.\n"), Sample("   ")])
    (claim,) = found.claims
    assert claim.text == "Two. Sentences."
    assert claim.span == Span(2, 17)
    assert empty.claims == ()
    assert OnlyClaim().aggregate([]) is None


def test_repairs_are_scored_on_the_flagged_answers_only() -> None:
    pipeline = _pipeline()
    good = Rewriter({"Bo sings and Bo flies.": "Ada sails."})
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline}, {"good": good})
    assert good.given == ["Bo sings and Bo flies.", "Cy sleeps."]
    (figures,) = _figures(rows, pipeline).correctors
    assert figures.flagged == 2
    assert figures.believed == 0.5
    assert figures.changed == 1
    assert figures.statuses == {"corrected": 1, "failed": 1}
    assert figures.usage == {"calls": 2, "input_tokens": 30, "output_tokens": 4}
    assert figures.rouge is not None
    assert figures.rouge.rouge1 == pytest.approx((0 + 1) / 2)  # no word shared; left alone
    assert figures.rouge_changed is not None
    assert figures.rouge_changed.rouge1 == 0


def test_an_emptied_answer_is_not_believed() -> None:
    pipeline = _pipeline()
    rows = run(_benchmark(), {"grapheval": pipeline}, {"emptier": Rewriter({"Cy sleeps.": "Hello!"})})
    repaired = rows[2].correctors["emptier"]
    assert repaired.changed
    assert repaired.status == "corrected"
    assert not repaired.believed


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [(ModelError("busy", retryable=True, code="timeout"), "timeout", True), (KeyError("bug"), "model_error", False)],
)
def test_a_corrector_that_raises_costs_its_answer_only(error: Exception, code: str, retryable: bool) -> None:
    rows = run(_benchmark(), {"grapheval": _pipeline()}, {"bad": Rewriter({}, error)})
    failure = rows[1].correctors["bad"].failure
    assert failure is not None
    assert (failure.stage, failure.code, failure.retryable) == ("correct", code, retryable)
    assert rows[1].retryable is retryable
    assert rows[0].correctors == {}


def test_correctors_need_the_detector() -> None:
    with pytest.raises(InputError, match="grapheval"):
        run(_benchmark(), {"raw": raw_detector(_pipeline())}, {"good": Rewriter({})})


# ------------------------------------------------------------------------------------------------------- resuming


def _many(n: int) -> Benchmark:
    return _benchmark([BenchmarkRow(str(i), f"Claim {i}.", CONTEXT, i % 2) for i in range(n)])


@dataclass
class Stopping(FakeVerifier):
    """A verifier during which the user stops the program."""

    stop_after: int = 0

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        if self.stop_after and len(self.pairs) >= self.stop_after:
            raise KeyboardInterrupt
        return FakeVerifier.verify(self, pairs)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "out" / "rows.jsonl"
    n = 3 * BATCH
    stopping = _pipeline(Stopping(stop_after=2 * BATCH))
    with pytest.raises(KeyboardInterrupt):
        run(_many(n), {"grapheval": stopping}, file=file)
    assert len(file.read_text().splitlines()) == 1 + 2 * BATCH
    verifier = FakeVerifier()
    told: list[int] = []
    rows = run(_many(n), {"grapheval": _pipeline(verifier)}, file=file, resume=True, progress=told.append)
    assert len(verifier.pairs) == BATCH
    assert told == [2 * BATCH, BATCH]
    assert rows == run(_many(n), {"grapheval": _pipeline()})
    run(_many(n), {"grapheval": _pipeline(Stopping(stop_after=1))}, file=file, resume=True)  # nothing left to do


def test_a_damaged_last_line_runs_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "rows.jsonl"
    whole = run(_many(5), {"grapheval": _pipeline()}, file=file)
    file.write_bytes(file.read_bytes()[:-30])
    verifier = FakeVerifier()
    with caplog.at_level(logging.WARNING):
        again = run(_many(5), {"grapheval": _pipeline(verifier)}, file=file, resume=True)
    assert again == whole
    assert len(verifier.pairs) == 1
    assert "1 damaged lines" in caplog.text
    assert all(json.loads(line) for line in file.read_text().splitlines())
    assert len(file.read_text().splitlines()) == 6


@pytest.mark.parametrize("garbage", [b"\xff\xfe\n", b"[1, 2]\n", b'{"id": "0"}\n', b"\n\n"])
def test_damaged_lines_in_between_run_again(tmp_path: Path, garbage: bytes) -> None:
    file = tmp_path / "rows.jsonl"
    whole = run(_many(3), {"grapheval": _pipeline()}, file=file)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], lines[1], garbage, lines[3]]))
    assert run(_many(3), {"grapheval": _pipeline()}, file=file, resume=True) == whole


def test_passing_failures_run_again_and_lasting_ones_do_not(tmp_path: Path) -> None:
    for retryable in (True, False):
        file = tmp_path / f"{retryable}.jsonl"
        failing = _pipeline(extractor=FakeExtractor(fail=ModelError("no", retryable=retryable)))
        run(_many(2), {"grapheval": failing}, file=file)
        rows = run(_many(2), {"grapheval": _pipeline()}, file=file, resume=True)
        assert (rows[0].detectors["grapheval"].failure is None) is retryable


def test_a_larger_limit_keeps_what_is_there(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    run(_many(3), {"grapheval": _pipeline()}, file=file)
    verifier = FakeVerifier()
    assert len(run(_many(8), {"grapheval": _pipeline(verifier)}, file=file, resume=True)) == 8
    assert len(verifier.pairs) == 5


def test_results_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    run(_many(2), {"grapheval": _pipeline()}, file=file)
    with pytest.raises(InputError, match=r"already holds results.*--resume"):
        run(_many(2), {"grapheval": _pipeline()}, file=file)
    with pytest.raises(InputError, match=r"another run.*protocol"):
        run(_many(2), {"grapheval": _pipeline()}, file=file, resume=True, protocol="paper")
    with pytest.raises(InputError, match=r"another run.*detectors"):
        run(_many(2), {"raw": raw_detector(_pipeline())}, file=file, resume=True)
    with pytest.raises(InputError, match=r"another run.*correctors"):
        run(_many(2), {"grapheval": _pipeline()}, {"x": Rewriter({})}, file=file, resume=True)
    file.write_text("something else\n")
    with pytest.raises(InputError, match="not a file of bench results"):
        run(_many(2), {"grapheval": _pipeline()}, file=file, resume=True)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InputError, match="cannot write"):
        run(_many(2), {"grapheval": _pipeline()}, file=blocked / "rows.jsonl")


# -------------------------------------------------------------------------------------------------------- reports


def test_the_report_holds_the_papers_rows_and_ours() -> None:
    pipeline = _pipeline()
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline}, {"good": Rewriter({})})
    report = make_report([_figures(rows, pipeline)], resamples=200)
    text = render(report)
    assert "| HHEM (paper) | 63.5 |" in text
    assert "| TrueTeacher + GraphEval (paper) | 78.1 |" in text
    assert "| **fake (ours)** | **83.3** [" in text
    assert "| **fake + GraphEval, fake (ours)** | **58.3** [" in text
    assert "Gain in balanced accuracy: -25.0 points [" in text
    assert "| good | 2 | 0.0 [0.0, 0.0] | 0 | 100.0 | 100.0 | 100.0 | 0 |" in text
    assert "the file holds 5 rows, the complete set 235" in text
    assert "recalled from the publication" in text
    plain = report.to_dict()
    assert plain == json.loads(json.dumps(plain))
    assert plain["sets"][0]["detectors"][1]["scores"]["unjudged"] == 2
    assert plain["paper"][0]["raw"]["qags-x"] == 75.5


def test_gains_of_several_sets_are_weighted_by_size() -> None:
    pipeline = _pipeline()
    rows = run(_benchmark(), {"raw": raw_detector(pipeline), "grapheval": pipeline})
    one = _figures(rows, pipeline)
    report = make_report([one, one])
    (weighted,) = report.weighted
    assert weighted.value == pytest.approx(-0.25)
    assert weighted.standard_error == pytest.approx(0)
    assert "GraphEval gains -25.0 points" in render(report)
    assert make_report([one]).weighted == ()
