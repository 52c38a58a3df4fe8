"""The loop takes back what did not help, and keeps the rest."""

from __future__ import annotations

import pytest

from grapheval import Claim, Evaluation, Label, Sample, Span, Status, Verdict
from grapheval.correction.edits import Change
from grapheval.correction.loop import Asks, Work, drive, repair_plan
from grapheval.types import CorrectionStatus, Finding, FindingKind

ANSWER = "A is 1. B is 2. C is 3."
_PLACES = ((0, 7), (8, 15), (16, 23))


class Swapping:
    """Replaces digits by others, all in one round."""

    def __init__(self, table: dict[str, str]) -> None:
        self.table = table

    def propose(self, work: Work) -> Asks:
        for old, new in reversed(self.table.items()):
            place = work.sample.answer.index(old)
            work.edit([Change(place, place + 1, new)], work.flagged[0].claim)
        return
        yield


def judge(*false: str):  # type: ignore[no-untyped-def]
    """Sentences that hold one of the characters are flagged."""

    def evaluate(sample: Sample) -> Evaluation:
        calls.append(sample.answer)
        verdicts = []
        for start, end in _PLACES:
            text = sample.answer[start:end]
            wrong = any(mark in text for mark in false)
            label = Label.UNSUPPORTED if wrong else Label.SUPPORTED
            verdicts.append(Verdict(Claim(text, None, Span(start, end)), label, 0.9 if wrong else 0.1, None, wrong))
        worst = max(v.p_ungrounded or 0.0 for v in verdicts)
        status = Status.INCONSISTENT if worst > 0.5 else Status.CONSISTENT
        return Evaluation(status, None, worst, tuple(verdicts))

    calls: list[str] = []
    evaluate.calls = calls  # type: ignore[attr-defined]
    return evaluate


def correct(table: dict[str, str], *false: str):  # type: ignore[no-untyped-def]
    evaluate = judge(*false)
    sample = Sample(ANSWER)
    plan = repair_plan(sample, evaluate(sample), Swapping(table), undo=True)
    return drive(plan, None, evaluate), evaluate.calls[1:]


def test_an_edit_that_leaves_its_sentence_flagged_is_taken_back_and_the_rest_stays() -> None:
    correction, judged = correct({"1": "7", "2": "8"}, "1", "2", "8")
    assert (correction.answer, correction.status) == ("A is 7. B is 2. C is 3.", CorrectionStatus.PARTIAL)
    assert judged == ["A is 7. B is 8. C is 3.", "A is 7. B is 2. C is 3."]
    assert [(edit.old, edit.new) for edit in correction.edits] == [("1", "7")]


def test_nothing_is_judged_twice_where_all_edits_help() -> None:
    correction, judged = correct({"1": "7", "2": "8"}, "1", "2")
    assert (correction.status, judged) == (CorrectionStatus.CORRECTED, ["A is 7. B is 8. C is 3."])


def test_where_no_edit_helps_the_original_is_kept() -> None:
    correction, judged = correct({"1": "7"}, "1", "7")
    assert (correction.answer, correction.edits) == (ANSWER, ())
    assert (correction.status, judged) == (CorrectionStatus.REVERTED, ["A is 7. B is 2. C is 3."])


def test_an_edit_that_makes_a_fine_claim_flagged_is_taken_back() -> None:
    evaluate = judge("1")

    def spoilt(sample: Sample) -> Evaluation:
        judged: Evaluation = judge("1", "C")(sample) if "7" in sample.answer else evaluate(sample)
        return judged

    sample = Sample(ANSWER)
    plan = repair_plan(sample, evaluate(sample), Swapping({"1": "7"}), undo=True)
    assert drive(plan, None, spoilt).answer == ANSWER


def _with_findings(p_after: float, left: tuple[FindingKind, ...]):  # type: ignore[no-untyped-def]
    """The first sentence stays flagged; what a rule finds in it, and its probability, depend on the text."""

    def evaluate(sample: Sample) -> Evaluation:
        repaired = "7" in sample.answer
        kinds = left if repaired else (FindingKind.NUMBER,)
        found = tuple(Finding(kind, "1", (), "") for kind in kinds)
        p = p_after if repaired else 0.8
        claim = Claim(sample.answer[:7], None, Span(0, 7))
        verdict = Verdict(claim, Label.UNSUPPORTED, p, None, True, findings=found)
        return Evaluation(Status.INCONSISTENT, None, p, (verdict,))

    return evaluate


@pytest.mark.parametrize(
    ("p_after", "left", "kept"),
    [
        (0.8, (), True),  # the number that stood nowhere is gone, and nothing is less probable
        (0.6, (), True),
        (0.9, (), False),  # less probable than before
        (0.6, (FindingKind.NUMBER,), False),  # as wrong as before
    ],
)
def test_an_edit_of_a_sentence_that_stays_flagged_is_kept_if_a_rule_finds_it_better(
    p_after: float, left: tuple[FindingKind, ...], kept: bool
) -> None:
    evaluate = _with_findings(p_after, left)
    sample = Sample(ANSWER)
    plan = repair_plan(sample, evaluate(sample), Swapping({"1": "7"}), undo=True)
    correction = drive(plan, None, evaluate)
    assert correction.answer == (ANSWER.replace("1", "7") if kept else ANSWER)
    assert correction.status is (CorrectionStatus.PARTIAL if kept else CorrectionStatus.REVERTED)
