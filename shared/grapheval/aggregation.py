"""From the claims' verdicts to the answer's probability of being inconsistent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grapheval.types import Label, Verdict


@dataclass(frozen=True, slots=True)
class MaxAggregator:
    """The paper's rule: an answer is as inconsistent as its worst claim (arXiv 2407.10793, section 4).

    "At least one claim is above the threshold" is the same as "the largest probability is". Claims that were not
    judged, and claims on which the sources disagree, do not count.
    """

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "max"

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        """The largest `p_ungrounded`, in [0, 1]; None when no claim counts."""
        judged = [
            verdict.p_ungrounded
            for verdict in verdicts
            if verdict.p_ungrounded is not None and verdict.label not in (Label.UNVERIFIED, Label.CONFLICTING)
        ]
        return max(judged, default=None)
