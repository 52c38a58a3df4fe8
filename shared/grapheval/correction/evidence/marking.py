"""Marks behind sentences that stay although the sources do not support them."""

from __future__ import annotations

from dataclasses import replace

from grapheval.correction.edits import Change, Draft
from grapheval.correction.evidence.answer import pieces_of, read_pieces
from grapheval.types import Action, Claim, Correction, CorrectionStatus, Evaluation, Sample, Span, TripleParts


def marked(sample: Sample, correction: Correction, mark: str) -> Correction:
    """A correction with a mark behind each sentence that is still flagged.

    The text without the marks is what was judged; places in `after` point into the text with them.

    Args:
        sample: The original answer.
        correction: Its repair.
        mark: The text of the mark.
    """
    evaluation = correction.after if correction.edits and correction.after is not None else correction.before
    answer = correction.answer
    pieces = read_pieces(answer)
    places: dict[int, Claim] = {}
    for verdict in evaluation.flagged:
        for piece in pieces_of(verdict.claim, pieces)[-1:]:
            places.setdefault(piece.span.end, verdict.claim)
    if not places:
        return correction
    draft = Draft(sample.answer)
    for edit in reversed(correction.edits):
        draft.change(Change(edit.start, edit.end, edit.new), edit.claim, edit.evidence, edit.action)
    for place in sorted(places, reverse=True):
        draft.change(Change(place, place, mark), places[place], (), Action.MARK)
    ends = sorted(places)
    after = _shifted(evaluation, ends, len(mark))
    return replace(correction, answer=draft.text, edits=draft.edits, after=after, status=CorrectionStatus.PARTIAL)


def _shifted(evaluation: Evaluation, ends: list[int], length: int) -> Evaluation:
    def move(span: Span | None) -> Span | None:
        if span is None:
            return None
        return Span(
            span.start + length * sum(end <= span.start for end in ends),
            span.end + length * sum(end < span.end for end in ends),
        )

    def moved(claim: Claim) -> Claim:
        parts = claim.parts
        places = TripleParts(move(parts.subject), move(parts.relation), move(parts.object))
        return replace(claim, span=move(claim.span), parts=places)

    covered = evaluation.coverage
    return replace(
        evaluation,
        verdicts=tuple(replace(verdict, claim=moved(verdict.claim)) for verdict in evaluation.verdicts),
        coverage=replace(
            covered,
            sentences=tuple(s for span in covered.sentences if (s := move(span)) is not None),
            numbers=tuple(s for span in covered.numbers if (s := move(span)) is not None),
            names=tuple(s for span in covered.names if (s := move(span)) is not None),
        ),
    )
