"""Which units of the context hold which words of the claims.

A context is read in one pass: the cost is that of splitting and reading it once, whatever the number of claims, and
nothing but unit positions is kept. Of a long context only the claims' own words are indexed. Shorter ones are indexed
in full, and the last few indexes are kept: guards and batches ask about the same context again and again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grapheval.context.windows import Units, read_units
from grapheval.context.words import STOPWORDS, WORD, term, words_of
from grapheval.types import Source

_NUMBER_WEIGHT = 1.6
_NAME_WEIGHT = 1.5
_SHORTEST_IDF = 0.35

MAX_KEPT_CHARS = 120_000
"""Characters of the longest context whose index is kept; with the words' positions that takes one or two megabytes."""
_KEPT = 8
"""Indexes that are kept, the last ones used."""


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
    """Units of the context, and where terms stand in them; shared between callers, who must not change it."""

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
        wanted: Terms of the claims; others may be indexed, too.
        limit: Window size in tokens: no unit is longer.
    """
    texts = tuple(source.text for source in sources)
    if sum(map(len, texts)) <= MAX_KEPT_CHARS:
        return _full_index(texts, limit)
    return _index(texts, frozenset(wanted), limit)


@lru_cache(maxsize=_KEPT)
def _full_index(texts: tuple[str, ...], limit: int) -> LexicalIndex:
    return _index(texts, None, limit)


def _index(texts: Sequence[str], wanted: frozenset[str] | None, limit: int) -> LexicalIndex:
    """The index of some texts; of all terms where `wanted` is None."""
    units = Units()
    postings: dict[str, list[int]] = {}

    class _Lookup(dict[str, str]):
        """Word -> its term if that is wanted, otherwise "": each distinct word is stemmed once."""

        def __missing__(self, word: str) -> str:
            key = term(word)
            self[word] = found = key if wanted is None or key in wanted else ""
            return found

    lookup = _Lookup()
    for number, text in enumerate(texts):
        for span, tokens, words in read_units(text, limit):
            position = len(units)
            units.add(number, span, tokens)
            for key in {lookup[word] for word in words}:
                if key:
                    postings.setdefault(key, []).append(position)
    return LexicalIndex(units, postings)
