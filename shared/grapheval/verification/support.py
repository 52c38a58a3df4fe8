"""How sure one may be that a window supports a claim: the model's word, and how closely the window's wording follows.

A small entailment model doubts sentences that stand almost word for word in the window, and trusts claims whose names
and numbers stand nowhere in it. Both show in the wording. A logistic mix of the model's probability with four plain
features corrects them; its weights are fitted on development data by `tests/benchmarks/fit_answers.py`, for one model
each. The plain mix (`Support()`) is the model's probability itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from grapheval.context.index import claim_terms
from grapheval.context.quantities import numbers, stated_numbers
from grapheval.context.words import WORD, fold, term, words_of

_GAP = 3
"""How far apart in the window two neighbouring words of the claim may stand."""
_ARTICLES = frozenset({"a", "an", "the"})
_LEAST = 1e-4
_NEGATIONS = frozenset({"not", "no", "never", "nor", "neither", "none", "nobody", "nothing", "without", "cannot", "t"})


@dataclass(frozen=True, slots=True)
class Wording:
    """How a window's wording relates to a claim's.

    Args:
        words: Share of the claim's content words, by weight, that stand in the window, in [0, 1].
        pairs: Share of the claim's pairs of neighbouring words that stand in the window in that order, close
            together, in [0, 1].
        number: 1.0 where the claim states a number that the window does not, otherwise 0.0.
        names: Share of the claim's capitalised words that do not stand in the window, in [0, 1].
        negation: 1.0 where exactly one of the claim and the window's matching text holds a negation.
    """

    words: float
    pairs: float
    number: float
    names: float
    negation: float


@dataclass(frozen=True, slots=True)
class Support:
    """The weights of the mix; the sum goes through the logistic function.

    Args:
        model: On the log odds of the model's probability of entailment.
        words: On the share of the claim's words that the window holds.
        pairs: On the share of its word pairs.
        number: On a number that the window does not state.
        names: On the share of names that the window lacks.
        negation: On a negation that only one side has.
        bias: Added.
    """

    model: float = 1.0
    words: float = 0.0
    pairs: float = 0.0
    number: float = 0.0
    names: float = 0.0
    negation: float = 0.0
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
        total = (
            self.model * log_odds(p_entailment)
            + self.words * wording.words
            + self.pairs * wording.pairs
            + self.number * wording.number
            + self.names * wording.names
            + self.negation * wording.negation
            + self.bias
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


BUNDLED = Support(model=0.45, words=1.1, pairs=0.95, number=-0.5, names=-0.3, negation=-0.65, bias=-0.5)
"""For the bundled model: fitted on the answers of BEGIN (Wizard) dev and of the dev summaries, both classes and both
sets weighing the same, then rounded; cross-validated by `tests/benchmarks/fit_answers.py`."""


def log_odds(p: float) -> float:
    """The log odds of a probability, kept finite."""
    p = min(1.0 - _LEAST, max(_LEAST, p))
    return math.log(p / (1.0 - p))


class ClaimWording:
    """The features of one claim, to be compared with windows.

    Args:
        claim: The claim's text.
    """

    def __init__(self, claim: str) -> None:
        self._terms = claim_terms(claim)
        self._total = sum(self._terms.values())
        self._sequence = _sequence(claim)
        self._numbers = stated_numbers(claim)
        written = WORD.findall(claim)
        cased = any(word.islower() for word in written)
        self._names = frozenset(
            term(fold(word)) for word in written if cased and word[0].isupper() and term(fold(word)) in self._terms
        )
        self._negated = not _NEGATIONS.isdisjoint(words_of(claim))

    def against(self, window: str) -> Wording:
        """The features of this claim against one window."""
        sequence = _sequence(window)
        held = frozenset(sequence)
        words = sum(weight for key, weight in self._terms.items() if key in held)
        known: set[tuple[str, str]] = set()
        for gap in range(1, _GAP + 1):
            known.update(zip(sequence, sequence[gap:], strict=False))
        own = list(zip(self._sequence, self._sequence[1:], strict=False))
        return Wording(
            words=words / self._total if self._total else 0.0,
            pairs=sum(pair in known for pair in own) / len(own) if own else 0.0,
            number=0.0 if self._numbers <= numbers(window) else 1.0,
            names=len(self._names - held) / len(self._names) if self._names else 0.0,
            negation=float(self._negated and _NEGATIONS.isdisjoint(words_of(window))),
        )


def _sequence(text: str) -> list[str]:
    return [term(word) for word in words_of(text) if word not in _ARTICLES]
