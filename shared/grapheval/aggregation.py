"""From the claims' verdicts to the answer's probability of being inconsistent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grapheval.types import Label, Verdict

_LEAST = 1e-6


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
        return max(_counting(verdicts), default=None)


@dataclass(frozen=True, slots=True)
class SoftMaxAggregator:
    """The worst claims decide, and the more claims there are, the surer they must be.

    The log odds of the claims are averaged so that the largest weigh most (the logarithm of the mean of their
    exponentials): one claim keeps its probability, claims that agree keep theirs however many they are, and one
    doubtful claim among many good ones counts for less than it would alone, by at most `temperature` times the
    logarithm of their number. Chance doubts about single claims thus do not add up over a long answer, while a claim
    that is surely wrong makes it inconsistent. A flagged claim of which the explicit comparison found something missing
    or different (`Verdict.findings`) is no chance doubt: it decides by itself, as under the maximum. The result lies
    between the mean and the maximum.

    Args:
        temperature: 0 is the maximum; at 0.4 a claim that is flagged clearly (0.66 among five claims) still decides.
    """

    temperature: float = 0.4

    @property
    def info(self) -> str:
        """Name and setting, for provenance."""
        return f"soft-max(temperature={self.temperature:g})"

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        """The soft maximum of `p_ungrounded`, in [0, 1]; None when no claim counts."""
        judged = _counting(verdicts)
        if not judged or self.temperature <= 0.0:
            return max(judged, default=None)
        if min(judged) == max(judged):
            return judged[0]
        odds = [_log_odds(p) for p in judged]
        largest = max(odds)
        mean = math.fsum(math.exp((value - largest) / self.temperature) for value in odds) / len(odds)
        soft = 1.0 / (1.0 + math.exp(-(largest + self.temperature * math.log(mean))))
        return max(soft, *_counting([verdict for verdict in verdicts if verdict.flagged and verdict.findings]), 0.0)


def _counting(verdicts: Sequence[Verdict]) -> list[float]:
    """The probabilities of the claims that count."""
    return [
        verdict.p_ungrounded
        for verdict in verdicts
        if verdict.p_ungrounded is not None and verdict.label not in (Label.UNVERIFIED, Label.CONFLICTING)
    ]


def _log_odds(p: float) -> float:
    p = min(1.0 - _LEAST, max(_LEAST, p))
    return math.log(p / (1.0 - p))
