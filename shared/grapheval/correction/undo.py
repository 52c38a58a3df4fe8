"""Which edits of a round helped: the others are taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grapheval.correction.edits import Change, Draft
from grapheval.types import Action, Evaluation, FindingKind, Label, Span, Verdict

if TYPE_CHECKING:
    from grapheval.correction.loop import Work


SLACK = 0.01
"""A probability that rises by no more than this has not risen."""
CLEARLY = 0.03
"""By how much the worst claim's probability must fall where nothing else tells that a sentence is better."""


def helping(work: Work, after: Evaluation) -> Draft:
    """The round's edits without those of sentences that they have made no better.

    A sentence is better if nothing in it is flagged any more. It is better, too, if no more of its claims are flagged
    than before, the worst of them no less probable, and

    - fewer numbers, dates, negations and the like in them differ from the sources by rule (names do not count: any name
      of the sources would do), or
    - the sources contradicted it before, contradict it no more, and it is clearly more probable.

    Args:
        work: The round.
        after: The judgement of the text with all of the round's edits.

    Returns:
        The round's own draft where every edit helped. Without any edit where a claim that was fine, and that the
        edits leave as it is, is flagged now.
    """
    fine = {v.claim.text for v in work.evaluation.verdicts if not v.flagged}
    if any(v.claim.text in fine for v in after.flagged):
        return Draft(work.sample.answer)
    useless = set()
    for number, edit in enumerate(work.draft.edits):
        place = work.around(edit.start, edit.end)
        rest = work.sample.answer[place.start : edit.start] + work.sample.answer[edit.end : place.end]
        if not any(char.isalnum() for char in rest):
            place = Span(edit.start, edit.end)  # all of a sentence
        was, now = _flagged_in(work.evaluation, place), _flagged_in(after, work.draft.now(place))
        if not _better(was, now, dropped=edit.action is Action.DROP):
            useless.add(number)
    if not useless:
        return work.draft
    kept = Draft(work.sample.answer)
    for number, edit in reversed(list(enumerate(work.draft.edits))):
        if number not in useless:
            kept.change(Change(edit.start, edit.end, edit.new), edit.claim, edit.evidence, edit.action)
    return kept


def _flagged_in(evaluation: Evaluation, place: Span) -> list[Verdict]:
    return [
        v
        for v in evaluation.flagged
        if v.claim.span is not None and v.claim.span.start < place.end and place.start < v.claim.span.end
    ]


def _better(before: Sequence[Verdict], after: Sequence[Verdict], *, dropped: bool) -> bool:
    """Whether what is flagged in a sentence is less than before."""
    if not after:
        return True
    if dropped or len(after) > len(before):
        return False
    if found_by_rule(after) < found_by_rule(before):
        return _worst(after) <= _worst(before) + SLACK
    was, now = ({v.label for v in verdicts} for verdicts in (before, after))
    contrary = Label.CONTRADICTED in was and Label.CONTRADICTED not in now
    return contrary and _worst(after) <= _worst(before) - CLEARLY


def found_by_rule(verdicts: Sequence[Verdict]) -> int:
    """How much but names the explicit comparison finds missing or different, each thing counted once."""
    found = {(finding.kind, finding.stated) for verdict in verdicts for finding in verdict.findings}
    return sum(kind is not FindingKind.NAME for kind, _ in found)


def _worst(verdicts: Sequence[Verdict]) -> float:
    return max((v.p_ungrounded for v in verdicts if v.p_ungrounded is not None), default=1.0)
