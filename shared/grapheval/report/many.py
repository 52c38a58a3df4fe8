"""What many evaluations come to: the rate with its interval, the distribution of scores, statuses, sources."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from grapheval.types import Correction, Evaluation, Failure, Label, Stance, Status

BINS = 20
"""Bars of the histogram of p(inconsistent)."""


@dataclass(slots=True)
class SourceCounts:
    """How often a source decided a claim.

    Args:
        answers: Answers in which it did.
        inconsistent: Those of them that are inconsistent.
        supports: Passages of it that support a claim.
        contradicts: Passages of it that contradict one.
    """

    answers: int = 0
    inconsistent: int = 0
    supports: int = 0
    contradicts: int = 0


@dataclass(slots=True)
class Tally:
    """Sums over answers, one at a time, in constant memory but for the sources' names.

    Args:
        statuses: Answers by status.
        failures: Failures by code.
        labels: Claims by label.
        histogram: Answers by p(inconsistent), `BINS` equal bins over [0, 1].
        corrections: Repairs by status.
        sources: By source id.
        thresholds: Answers by the threshold that they were judged with.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    histogram: list[int] = field(default_factory=lambda: [0] * BINS)
    corrections: Counter[str] = field(default_factory=Counter)
    sources: dict[str, SourceCounts] = field(default_factory=dict)
    thresholds: Counter[float] = field(default_factory=Counter)

    def add(self, evaluation: Evaluation | None, correction: Correction | None, failure: Failure | None) -> None:
        """Count one answer."""
        if failure is not None:
            self.failures[failure.code] += 1
        if correction is not None:
            self.corrections[correction.status.value] += 1
        if evaluation is None:
            return
        self.statuses[evaluation.status.value] += 1
        self.thresholds[evaluation.threshold] += 1
        self.labels.update(_label(v.flagged, v.label) for v in evaluation.verdicts)
        if evaluation.p_inconsistent is not None:
            self.histogram[min(int(evaluation.p_inconsistent * BINS), BINS - 1)] += 1
        wrong = evaluation.status is Status.INCONSISTENT
        passages = [evidence for verdict in evaluation.verdicts for evidence in verdict.evidence]
        for name in {evidence.source_id for evidence in passages}:
            counts = self.sources.setdefault(name, SourceCounts())
            counts.answers += 1
            counts.inconsistent += wrong
        for evidence in passages:
            counts = self.sources[evidence.source_id]
            counts.supports += evidence.stance is Stance.SUPPORTS
            counts.contradicts += evidence.stance is Stance.CONTRADICTS

    @property
    def total(self) -> int:
        """Answers, failures included."""
        return self.statuses.total() + self.failures.total()

    @property
    def judged(self) -> int:
        """Answers that came to a verdict: consistent or inconsistent."""
        return self.statuses[Status.CONSISTENT.value] + self.inconsistent

    @property
    def inconsistent(self) -> int:
        """Answers with something ungrounded."""
        return self.statuses[Status.INCONSISTENT.value]


def _label(flagged: bool, label: Label) -> str:
    return "doubtful" if flagged and label is Label.SUPPORTED else label.value
