"""The judgements of an answer's sentences as one judgement of the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grapheval.guard.standing import Frame
from grapheval.types import Claim, Coverage, Evaluation, Provenance, Reason, Span, Status, TripleParts, Verdict


@dataclass(frozen=True, slots=True)
class Part:
    """The judgement of one sentence.

    Args:
        evaluation: Its spans point into the text that was read: the lookback, then the sentence.
        boundary: Where the sentence begins in that text.
        start: Where it begins in the answer.
        lookback_fits: Whether the lookback stands before it in the answer, character for character.
    """

    evaluation: Evaluation
    boundary: int
    start: int
    lookback_fits: bool

    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts, with spans that point into the answer; a place that the answer does not have is None."""
        return tuple(replace(verdict, claim=self.claim(verdict.claim)) for verdict in self.evaluation.verdicts)

    def claim(self, claim: Claim) -> Claim:
        """The claim, with spans that point into the answer."""
        parts = claim.parts
        moved = TripleParts(self._move(parts.subject), self._move(parts.relation), self._move(parts.object))
        return replace(claim, span=self._move(claim.span), parts=moved)

    def coverage(self) -> Coverage:
        """What no triple of the sentence covers."""
        covered = self.evaluation.coverage
        return Coverage(self._own(covered.sentences), self._own(covered.numbers), self._own(covered.names))

    def _own(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        moved = [self._move(span) for span in spans if span.end > self.boundary]
        return tuple(span for span in moved if span is not None)

    def _move(self, span: Span | None) -> Span | None:
        if span is None or (span.start < self.boundary and not self.lookback_fits):
            return None
        shift = self.start - self.boundary
        return Span(span.start + shift, span.end + shift)


def combined(parts: Sequence[Part], frame: Frame) -> Evaluation:
    """One evaluation: probabilities aggregated over all claims, the status by the usual precedence.

    Args:
        parts: The sentences' judgements, in order.
        frame: The pipeline's settings.
    """
    verdicts = tuple(verdict for part in parts for verdict in part.verdicts())
    p_inconsistent = frame.aggregator.aggregate(verdicts)
    status, reason = _status([part.evaluation for part in parts])
    if p_inconsistent is not None and p_inconsistent > frame.threshold:
        status, reason = Status.INCONSISTENT, None
    covers = [part.coverage() for part in parts]
    return Evaluation(
        status=status,
        reason=reason,
        p_inconsistent=p_inconsistent,
        verdicts=verdicts,
        coverage=Coverage(
            sentences=tuple(span for cover in covers for span in cover.sentences),
            numbers=tuple(span for cover in covers for span in cover.numbers),
            names=tuple(span for cover in covers for span in cover.names),
        ),
        threshold=frame.threshold,
        provenance=_sum([part.evaluation.provenance for part in parts], frame.provenance),
    )


def _status(evaluations: Sequence[Evaluation]) -> tuple[Status, Reason | None]:
    for status in (Status.PARTIAL, Status.NO_CONTEXT, Status.CONSISTENT, Status.ABSTAINED):
        found = next((evaluation for evaluation in evaluations if evaluation.status is status), None)
        if found is not None:
            return status, found.reason
    if any(evaluation.status is Status.INCONSISTENT for evaluation in evaluations):
        return Status.CONSISTENT, None  # the aggregator sees it otherwise over the whole answer
    return Status.NO_CLAIMS, Reason.NOTHING_TO_CHECK


def _sum(pieces: Sequence[Provenance], empty: Provenance) -> Provenance:
    def total(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
        summed: Counter[str] = Counter()
        for count in counts:
            summed.update(count)
        return dict(summed)

    base = pieces[0] if pieces else empty
    return replace(
        base, selection=total([piece.selection for piece in pieces]), usage=total([piece.usage for piece in pieces])
    )
