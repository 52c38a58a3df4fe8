"""Which units of the context hold which words of the claims.

Only the claims' own words are indexed, in one pass over the context: the cost is that of splitting and reading it
once, whatever the number of claims, and nothing but unit positions is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grapheval.context.windows import Units, read_units
from grapheval.context.words import STOPWORDS, WORD, term, words_of
from grapheval.types import Source

_NUMBER_WEIGHT = 1.6
_NAME_WEIGHT = 1.5
_SHORTEST_IDF = 0.35


def claim_terms(text: str) -> dict[str, float]:
    """The words of a claim that a passage must share to bear on it, with weights.

    Args:
        text: The claim.

    Returns:
        Weight by term; numbers and names (capitalised words) weigh more. Function words appear only in a claim that
        consists of nothing else.
    """
    written = WORD.findall(text)
    has_case = any(word.islower() for word in written)
    capitalised = {word.lower() for word in written if has_case and word[0].isupper()}
    words = words_of(text)
    terms: dict[str, float] = {}
    for word in words:
        if word in STOPWORDS:
            continue
        key = term(word)
        weight = _NUMBER_WEIGHT if key[0] == "#" else _NAME_WEIGHT if word in capitalised else 1.0
        terms[key] = max(weight, terms.get(key, 0.0))
    return terms or {term(word): 1.0 for word in words}


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """Units of the context, and where the wanted terms stand in them."""

    units: Units
    postings: dict[str, list[int]]

    def weights(self, terms: dict[str, float]) -> dict[str, float]:
        """The terms' weights times their rarity in this context, for the terms that stand in it."""
        total = len(self.units)
        scale = math.log(total + 2)
        found: dict[str, float] = {}
        for key, weight in terms.items():
            posting = self.postings.get(key)
            if posting:
                rarity = math.log((total + 2) / (len(posting) + 1)) / scale
                found[key] = weight * max(_SHORTEST_IDF, rarity)
        return found


def build_index(sources: Sequence[Source], wanted: Iterable[str], limit: int) -> LexicalIndex:
    """Read the context once.

    Args:
        sources: The context.
        wanted: Terms of the claims.
        limit: Window size in tokens: no unit is longer.
    """
    keys = frozenset(wanted)
    units = Units()
    postings: dict[str, list[int]] = {key: [] for key in keys}

    class _Lookup(dict[str, str]):
        """Word -> its term if that is wanted, otherwise "": each distinct word is stemmed once."""

        def __missing__(self, word: str) -> str:
            key = term(word)
            self[word] = found = key if key in keys else ""
            return found

    lookup = _Lookup()
    for number, source in enumerate(sources):
        for span, tokens, words in read_units(source.text, limit):
            position = len(units)
            units.add(number, span, tokens)
            for key in {lookup[word] for word in words}:
                if key:
                    postings[key].append(position)
    return LexicalIndex(units, postings)
