"""How sure one may be that a window supports a claim: the model's word, and how closely the window's wording follows.

A small entailment model doubts sentences that stand almost word for word in the window, and trusts claims whose names
and numbers stand nowhere in it. Both show in the wording. A logistic mix of the model's probability with a few plain
features, some counted (words, word pairs), some found by rule (numbers, dates, names, polarity; see `explicit`),
corrects them; its weights are fitted on development data by `tests/benchmarks/fit_answers.py`, for one model each. The
plain mix (`Support()`) is the model's probability itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise

from grapheval.types import Claim, Source
from grapheval.verification.explicit.check import Explicit, Mismatch
from grapheval.verification.explicit.reading import Sentence, joined, read

_GAP = 3
"""How far apart in the window two neighbouring words of the claim may stand."""
_LEAST = 1e-4
_MOST_MISSING = 2


@dataclass(frozen=True, slots=True)
class Wording:
    """How a window's wording relates to a claim's.

    Args:
        words: Share of the claim's content words, by weight, that stand in the window, in [0, 1].
        pairs: Share of the claim's pairs of neighbouring words that stand in the window in that order, close
            together, in [0, 1].
        absent: Share of the claim's content words that stand in none of the windows that were read for it, in [0, 1].
        sentence: The largest share of the claim's content words that stands in a single sentence, in [0, 1].
        nowhere: Share of the claim's content words that stand nowhere around the windows either (see `surroundings`),
            in [0, 1].
        together: The largest share of the claim's content words that stands in two sentences around the windows, in
            [0, 1].
        strange_name: 1.0 where no word of one of the claim's names stands in the sources, in any form.
        strange_number: 1.0 where the sources state one of the claim's numbers, dates and times nowhere.
        number: Numbers, dates and times of the claim that the window does not state: 0, 1, or 2 for two and more.
        instead: 1.0 where the window states another number, date or time in the place of one of them.
        names: Share of the words of the claim's names that stand in the window in no form, in [0, 1].
        negation: 1.0 where exactly one of the claim and the closest sentence is negated.
        modality: 1.0 where the closest sentence is less certain than the claim ("may", "plans to").
        opposite: 1.0 where the closest sentence has the opposite of a word of the claim ("closed" for "open").
        roles: 1.0 where the closest sentence has the claim's subject and object the other way round.
    """

    words: float
    pairs: float
    absent: float = 0.0
    sentence: float = 0.0
    nowhere: float = 0.0
    together: float = 0.0
    strange_name: float = 0.0
    strange_number: float = 0.0
    number: float = 0.0
    instead: float = 0.0
    names: float = 0.0
    negation: float = 0.0
    modality: float = 0.0
    opposite: float = 0.0
    roles: float = 0.0


FEATURES = tuple(field.name for field in fields(Wording))
"""The names of the features, which are those of their weights in `Support`."""


@dataclass(frozen=True, slots=True)
class Support:
    """The weights of the mix, by the features' names; the sum goes through the logistic function.

    Args:
        model: On the log odds of the model's probability of entailment.
        words: As the feature of `Wording`; so are those that follow.
        bias: Added.
    """

    model: float = 1.0
    words: float = 0.0
    pairs: float = 0.0
    absent: float = 0.0
    sentence: float = 0.0
    nowhere: float = 0.0
    together: float = 0.0
    strange_name: float = 0.0
    strange_number: float = 0.0
    number: float = 0.0
    instead: float = 0.0
    names: float = 0.0
    negation: float = 0.0
    modality: float = 0.0
    opposite: float = 0.0
    roles: float = 0.0
    bias: float = 0.0

    @property
    def plain(self) -> bool:
        """Whether this is the model's probability itself."""
        return self == Support()

    def of(self, p_entailment: float, wording: Wording) -> float:
        """The probability, in [0, 1], that a window supports a claim.

        Args:
            p_entailment: The model's probability of entailment.
            wording: How the window's wording relates to the claim's.
        """
        total = self.model * log_odds(p_entailment) + self.bias
        for name in FEATURES:
            total += getattr(self, name) * getattr(wording, name)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


BUNDLED = Support(
    model=0.30,
    words=0.47,
    pairs=0.26,
    absent=-0.70,
    sentence=0.07,
    nowhere=-0.74,
    together=0.47,
    strange_name=-0.68,
    strange_number=-1.01,
    number=-0.53,
    instead=-1.11,
    names=-0.03,
    negation=-1.08,
    modality=-1.59,
    opposite=-1.50,
    roles=-1.50,
    bias=-0.04,
)
"""For the bundled model: what `python -m tests.benchmarks.fit_answers` prints, see there; the figures that it gives are
in docs/evidence-rules.md."""


def log_odds(p: float) -> float:
    """The log odds of a probability, kept finite."""
    p = min(1.0 - _LEAST, max(_LEAST, p))
    return math.log(p / (1.0 - p))


@dataclass(frozen=True, slots=True)
class _Shared:
    """The features that are the same for all windows of a claim."""

    absent: float
    nowhere: float
    together: float
    strange_name: float
    strange_number: float


class ClaimWording:
    """One claim, to be compared with windows.

    Args:
        claim: The claim, or its text; roles are compared only where it has a triple.
    """

    def __init__(self, claim: Claim | str) -> None:
        self.explicit = Explicit(Claim(claim) if isinstance(claim, str) else claim)
        sequence = joined(read(self.explicit.claim.text)).terms
        self._pairs = tuple(pairwise(sequence))

    def against(self, window: str) -> Wording:
        """The features of this claim against a window that is all there is."""
        return self.among([self.explicit.against(window)], read(window).sentences, [Source(window)])[0]

    def among(
        self, mismatches: Sequence[Mismatch], around: Sequence[Sentence], sources: Sequence[Source]
    ) -> list[Wording]:
        """The features of each of the windows that were read for the claim.

        Args:
            mismatches: What each window lacks of the claim; at least one.
            around: The sentences around the windows, with theirs.
            sources: All of the context.
        """
        share = self.explicit.overlap.share
        names = self.explicit.strange_names(mismatches, sources)
        shared = _Shared(
            absent=1.0 - share(frozenset().union(*(read(mismatch.window).held for mismatch in mismatches))),
            nowhere=1.0 - share(frozenset().union(*(sentence.held for sentence in around))),
            together=self._together(around),
            strange_name=float(any(len(missing) == len(set(name.words)) for name, missing in names)),
            strange_number=float(bool(self.explicit.strange_exact(mismatches, sources))),
        )
        return [self._of(mismatch, shared) for mismatch in mismatches]

    def _together(self, around: Sequence[Sentence]) -> float:
        """The largest share of the claim's words in the sentence that holds most of them and one other."""
        overlap = self.explicit.overlap
        held = {sentence.held & overlap.keys for sentence in around}
        if not held:
            return 0.0
        first = max(held, key=lambda words: (overlap.share(words), sorted(words)))
        return max(overlap.share(first | other) for other in held)

    def _of(self, mismatch: Mismatch, shared: _Shared) -> Wording:
        known = _close_pairs(mismatch.window)
        polarity = mismatch.polarity
        return Wording(
            words=self.explicit.overlap.share(read(mismatch.window).held),
            pairs=sum(pair in known for pair in self._pairs) / len(self._pairs) if self._pairs else 0.0,
            absent=shared.absent,
            sentence=mismatch.best,
            nowhere=shared.nowhere,
            together=shared.together,
            strange_name=shared.strange_name,
            strange_number=shared.strange_number,
            number=float(min(mismatch.exact, _MOST_MISSING)),
            instead=float(mismatch.instead > 0),
            names=mismatch.names,
            negation=float(polarity.negation is not None),
            modality=float(polarity.hedge is not None),
            opposite=float(polarity.opposite is not None),
            roles=float(polarity.exchanged is not None),
        )


@lru_cache(maxsize=64)
def _close_pairs(window: str) -> frozenset[tuple[str, str]]:
    """All pairs of words of a window that stand at most `_GAP` apart, in order."""
    sequence = joined(read(window)).terms
    return frozenset(pair for gap in range(1, _GAP + 1) for pair in zip(sequence, sequence[gap:], strict=False))
