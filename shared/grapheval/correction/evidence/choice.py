"""Which of a sentence's candidates is tried: limits below which none is, and what speaks for one before another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grapheval.correction.evidence.match import Candidate

_SURE = 0.4
"""What it is worth that the explicit comparison asks for a change."""
_MOST_SURE = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """When a candidate is tried; each number is fitted by `python -m tests.benchmarks.repair --part tune`.

    Args:
        absent: Least score of a replacement for a value that stands nowhere in the sources.
        present: The same for a value that the sources hold, in another place: it is more often right.
        about: Least share of the rest of a flagged claim in a passage whose name may take the place of the claim's.
        exact: The same for numbers and dates.
        placed: Least likeness of the places of two numbers or dates.
        alike: Least likeness of the places of two names that share no word.
        gain: By how much a repaired sentence must be better supported than the original.
        doubt: Where no candidate is supported, one that falls short by no more than this is tried; it stays only if
            the pipeline then finds the sentence better than before.
        slack: By how much the support of one may fall that the explicit comparison asks for.
    """

    absent: float = 1.6
    present: float = 2.8
    about: float = 0.4
    exact: float = 0.0
    placed: float = 0.0
    alike: float = 0.5
    gain: float = 0.03
    doubt: float = 0.1
    slack: float = 0.02

    def admit(self, candidate: Candidate) -> bool:
        """Whether a candidate is worth being judged."""
        if candidate.told or candidate.kind != "value":
            return True
        if candidate.score < (self.absent if candidate.missing else self.present):
            return False
        if candidate.name:
            return candidate.about >= self.about and candidate.alike >= self.alike
        return candidate.about >= self.exact and candidate.alike >= self.placed


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with the verifier's word on it.

    Args:
        candidate: The candidate.
        before: Probability that the sources support what it would change, in [0, 1], on the pipeline's scale.
        after: The same after the change; None = not judged.
        words: How many words it changes.
    """

    candidate: Candidate
    before: float
    after: float | None
    words: int

    @property
    def worth(self) -> float:
        """What speaks for it: the evidence, the verifier, and that it changes little."""
        sure = self.candidate.sure * min(len(self.candidate.changes), _MOST_SURE)
        return 0.5 * self.candidate.score + 1.2 * (self.after or 0.0) - 0.06 * self.words + _SURE * sure


def choose(judged: Sequence[Judged], least: float, limits: Limits) -> Judged | None:
    """The candidate that is tried: the best of those that are supported, otherwise of those that may be.

    Args:
        judged: Those of one sentence.
        least: Probability from which on a claim counts as supported.
        limits: See there.
    """
    good, likely = [], []
    for item in judged:
        if item.after is None or not limits.admit(item.candidate):
            continue
        gained = item.after - item.before
        if item.after >= least and gained >= limits.gain:
            good.append(item)
        elif (item.after >= least - limits.doubt and gained >= limits.gain) or (
            item.candidate.sure and gained >= -limits.slack
        ):
            likely.append(item)
    return max(good or likely, key=lambda item: item.worth, default=None)
