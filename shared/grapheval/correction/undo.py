"""Which edits of a round helped: the others are taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grapheval.correction.edits import Change, Draft
from grapheval.types import Action, Evaluation, Span

if TYPE_CHECKING:
    from grapheval.correction.loop import Work


def helping(work: Work, after: Evaluation) -> Draft:
    """The round's edits without those of sentences in which something is flagged still, or now.

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
        if edit.action is Action.DROP and not edit.new:
            place = Span(edit.start, edit.end)
        else:
            place = work.around(edit.start, edit.end)
        now = work.draft.now(place)
        if _flagged_in(after, now):
            useless.add(number)
    if not useless:
        return work.draft
    kept = Draft(work.sample.answer)
    for number, edit in reversed(list(enumerate(work.draft.edits))):
        if number not in useless:
            kept.change(Change(edit.start, edit.end, edit.new), edit.claim, edit.evidence, edit.action)
    return kept


def _flagged_in(evaluation: Evaluation, place: Span) -> int:
    spans = [v.claim.span for v in evaluation.flagged if v.claim.span is not None]
    return sum(span.start < place.end and place.start < span.end for span in spans)
