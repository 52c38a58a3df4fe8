"""Monotone maps from what a pipeline says about a claim to a probability that fits people's labels.

A map looks at one claim's `p_ungrounded` and at how many claims the answer has. It is applied to every claim before
the answer's probability is taken from them, so that claims, answer and threshold stay on one scale: a claim is flagged
exactly when its mapped probability is above the threshold, and an answer is inconsistent exactly when one is.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

from grapheval.errors import InputError
from grapheval.types import Verdict

LEAST = 1e-4
"""Probabilities are kept this far from 0 and 1 before their log odds are taken."""


@runtime_checkable
class ProbabilityMap(Protocol):
    """A map that never falls when `p` rises, and never rises with the number of claims."""

    @property
    def info(self) -> str:
        """Name and numbers, for provenance."""
        ...

    def apply(self, p: float, claims: int) -> float:
        """The mapped probability.

        Args:
            p: `p_ungrounded` of a claim, in [0, 1].
            claims: How many claims the answer has, at least 1.
        """
        ...

    def cut(self, threshold: float, claims: int) -> float:
        """The `p` in [0, 1] above which the mapped probability is above `threshold`; 1 when none is."""
        ...


@dataclass(frozen=True, slots=True)
class LogisticMap:
    """Platt's map, with a term for the number of claims.

    `sigmoid(slope * logit(p) + offset + per_log_claims * ln(claims))`. The worst of many claims looks bad by chance:
    a negative `per_log_claims` takes that back, so that false alarms do not compound over long answers.

    Args:
        slope: Above 0.
        offset: Any number.
        per_log_claims: At most 0.
        kind: Which map this is, in the settings file.

    Raises:
        InputError: A number is out of range.
    """

    slope: float = 1.0
    offset: float = 0.0
    per_log_claims: float = 0.0
    kind: Literal["logistic"] = "logistic"

    def __post_init__(self) -> None:
        numbers = (self.slope, self.offset, self.per_log_claims)
        if not all(math.isfinite(number) for number in numbers) or self.slope <= 0 or self.per_log_claims > 0:
            msg = f"a logistic map needs slope > 0 and per_log_claims <= 0, not {numbers}"
            raise InputError(msg)

    @property
    def info(self) -> str:
        """Name and numbers, for provenance."""
        claims = f" {self.per_log_claims:+.3g}*ln(claims)" if self.per_log_claims else ""
        return f"logistic({self.slope:.3g}*logit(p) {self.offset:+.3g}{claims})"

    def apply(self, p: float, claims: int) -> float:
        """The mapped probability."""
        return sigmoid(self.slope * logit(p) + self._shift(claims))

    def cut(self, threshold: float, claims: int) -> float:
        """The `p` above which the mapped probability is above `threshold`."""
        p = sigmoid((logit(threshold) - self._shift(claims)) / self.slope)
        return 0.0 if p < LEAST else 1.0 if p > 1.0 - LEAST else p

    def _shift(self, claims: int) -> float:
        return self.offset + self.per_log_claims * math.log(max(1, claims))


@dataclass(frozen=True, slots=True)
class IsotonicMap:
    """A rising line through points: whatever shape the labels ask for. It needs many of them.

    Args:
        x: `p` of each point, rising, at least two.
        y: Mapped probability of each point, never falling, in [0, 1]; outside the points the first or last counts.
        kind: Which map this is, in the settings file.

    Raises:
        InputError: The points are no rising line.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Literal["isotonic"] = "isotonic"

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip(self.x, self.x[1:], strict=False))
        never_falling = all(a <= b for a, b in zip(self.y, self.y[1:], strict=False))
        inside = all(0 <= number <= 1 for number in (*self.x, *self.y))  # also refuses NaN
        if len(self.x) < 2 or len(self.x) != len(self.y) or not (rising and never_falling and inside):
            msg = "an isotonic map needs as many x as y, two at least, x rising and y never falling, all in [0, 1]"
            raise InputError(msg)

    @property
    def info(self) -> str:
        """Name and size, for provenance."""
        return f"isotonic({len(self.x)} points)"

    def apply(self, p: float, claims: int) -> float:
        """The mapped probability; the number of claims plays no part."""
        return _line(self.x, self.y, p)

    def cut(self, threshold: float, claims: int) -> float:
        """The `p` above which the mapped probability is above `threshold`."""
        above = next((i for i, y in enumerate(self.y) if y > threshold), None)
        if above is None:
            return 1.0
        if above == 0:
            return 0.0
        low, high = self.y[above - 1], self.y[above]
        share = (threshold - low) / (high - low)
        return self.x[above - 1] + share * (self.x[above] - self.x[above - 1])


def mapped_verdict(verdict: Verdict, by: ProbabilityMap, claims: int, threshold: float) -> Verdict:
    """A verdict, folded at `by.cut(threshold, claims)`, on the scale of the map.

    Rounding never parts the probability from the flag: `p_ungrounded > threshold` holds exactly for flagged claims.
    """
    if verdict.p_ungrounded is None:
        return verdict
    p = by.apply(verdict.p_ungrounded, claims)
    p = max(p, math.nextafter(threshold, 1.0)) if verdict.flagged else min(p, threshold)
    return replace(verdict, p_ungrounded=p)


def logit(p: float) -> float:
    """The log odds of a probability, kept finite."""
    p = min(1.0 - LEAST, max(LEAST, p))
    return math.log(p / (1.0 - p))


def sigmoid(x: float) -> float:
    """The inverse of `logit`."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-min(x, 700.0)))
    e = math.exp(max(x, -700.0))
    return e / (1.0 + e)


def _line(x: tuple[float, ...], y: tuple[float, ...], p: float) -> float:
    if p <= x[0]:
        return y[0]
    if p >= x[-1]:
        return y[-1]
    right = bisect_right(x, p)
    share = (p - x[right - 1]) / (x[right] - x[right - 1])
    return y[right - 1] + share * (y[right] - y[right - 1])
