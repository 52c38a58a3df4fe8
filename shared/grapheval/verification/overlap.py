"""How much of a claim stands in a piece of text, and which sentences hold it."""

from __future__ import annotations

import math
from functools import lru_cache

from grapheval.context.index import claim_terms
from grapheval.context.sentences import split_sentences
from grapheval.context.words import term, words_of
from grapheval.types import Span


class Overlap:
    """The words of one claim, to be looked for in passages.

    Args:
        claim: The claim's text.
    """

    def __init__(self, claim: str) -> None:
        self._terms = claim_terms(claim)
        self._total = math.fsum(self._terms.values())
        self.keys = frozenset(self._terms)
        self._shares: dict[frozenset[str], float] = {}

    def held(self, text: str) -> frozenset[str]:
        """The claim's words (stemmed, numbers in one form) that stand in `text`."""
        return self.keys & _terms(text)

    def share(self, held: frozenset[str]) -> float:
        """The share of the claim's words, by weight, among `held`, in [0, 1]; names and numbers weigh more."""
        own = self.keys & held
        share = self._shares.get(own)
        if share is None:
            # `fsum`: sets have another order in every process, and a plain sum another last bit.
            share = math.fsum(self._terms[key] for key in own) / self._total if self._total else 0.0
            self._shares[own] = share
        return share

    def deciding_span(self, text: str, enough: float = 0.9) -> Span:
        """The shortest run of sentences that holds nearly all that the whole text holds of the claim.

        Args:
            text: A passage.
            enough: The share of the passage's own coverage that the run must reach.

        Returns:
            A non-empty span of `text` without white space at its ends; all of it (trimmed) when it shares no word
            with the claim.
        """
        sentences = split_sentences(text)
        if not sentences:
            return Span(0, len(text))
        whole = Span(sentences[0].start, sentences[-1].end)
        held = [self.held(sentence.of(text)) for sentence in sentences]
        goal = enough * self.share(frozenset().union(*held))
        if not goal:
            return whole
        best = whole
        best_key = (len(sentences) + 1, 0.0, 0)
        for first in range(len(sentences)):
            union: frozenset[str] = frozenset()
            for last in range(first, min(len(sentences), first + best_key[0])):
                union |= held[last]
                share = self.share(union)
                if share >= goal:
                    key = (last - first + 1, -share, first)
                    if key < best_key:
                        best_key, best = key, Span(sentences[first].start, sentences[last].end)
                    break
        return best


@lru_cache(maxsize=512)
def _terms(text: str) -> frozenset[str]:
    """All words of a text; the claims of an answer are looked for in the same passages."""
    return frozenset(map(term, set(words_of(text))))
