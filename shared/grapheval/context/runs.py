"""The runs of consecutive units that bear most on one claim."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from grapheval.context.index import LexicalIndex
from grapheval.types import Source

_ANCHORS = 10
"""Units around which runs are tried."""
_REACH = 5
"""How many units a run may reach to each side of its anchor while it gathers words."""
_COMPACT = 0.5
"""Weight of the best single unit in a run's score: words that stand in one sentence say more than scattered ones."""


@dataclass(frozen=True, slots=True)
class Run:
    """Units `first` to `last` (both included) of one source.

    Args:
        score: How much it bears on the claim; comparable within one claim.
        mask: The claim's terms that stand in it, as bits.
        text: The text, for ties and for the verifier.
        tokens: Estimated tokens.
    """

    first: int
    last: int
    score: float
    mask: int
    text: str
    tokens: int

    def overlaps(self, other: Run) -> bool:
        """Whether the two share a unit."""
        return self.first <= other.last and other.first <= self.last


class ClaimSearch:
    """Finds runs for one claim; results never depend on the order of the sources.

    Args:
        index: The context, with postings of the claim's terms.
        sources: The context.
        terms: The claim's terms with their own weights, see `claim_terms`.
        limit: Longest run, in tokens.
        fill: A run shorter than this is filled up with its neighbours, the preceding ones first (they hold what
            pronouns refer to).
    """

    def __init__(
        self,
        index: LexicalIndex,
        sources: Sequence[Source],
        terms: dict[str, float],
        limit: int,
        fill: int,
    ) -> None:
        self._units = index.units
        self._sources = sources
        self._limit = limit
        self._fill = fill
        weights = index.weights(terms)
        self._terms = terms
        self._keys = sorted(weights)
        self._bits = [weights[key] for key in self._keys]
        self._masks: dict[int, int] = {}
        for number, key in enumerate(self._keys):
            bit = 1 << number
            for unit in index.postings[key]:
                self._masks[unit] = self._masks.get(unit, 0) | bit
        self.weight = cache(self._weight)
        absent = sum(weight for key, weight in terms.items() if key not in weights)
        self._total = sum(self._bits) + absent

    def coverage(self, mask: int) -> float:
        """The share, by weight, of the claim's terms that `mask` holds, in [0, 1]."""
        return self.weight(mask) / self._total if self._total else 0.0

    def share(self, mask: int) -> float:
        """As `coverage`, however rare the terms are in this context: what contradicts lacks just the rare one."""
        held = sum(self._terms[key] for number, key in enumerate(self._keys) if mask >> number & 1)
        return held / sum(self._terms.values()) if self._terms else 0.0

    def _weight(self, mask: int) -> float:
        return sum(weight for number, weight in enumerate(self._bits) if mask >> number & 1)

    def same_source(self, one: Run, other: Run) -> bool:
        """Whether two runs stand in one source."""
        return self._units.source[one.first] == self._units.source[other.first]

    def best_runs(self) -> list[Run]:
        """The best runs, best first, one per anchor; empty when no term of the claim stands in the context."""
        found: dict[tuple[int, int], Run] = {}
        for anchor in self._anchors():
            run = self._around(anchor)
            found[run.first, run.last] = run
        return sorted(found.values(), key=lambda run: (-run.score, run.text))

    def _anchors(self) -> list[int]:
        weight, masks = self.weight, self._masks
        if not masks:
            return []
        floor = 0.3 * max(map(weight, set(masks.values())))
        scored = []
        for unit, mask in masks.items():
            own = weight(mask)
            if own >= floor:
                near = mask | self._neighbour(unit, -1) | self._neighbour(unit, 1)
                scored.append((own + _COMPACT * weight(near), unit))
        cutoff = heapq.nlargest(_ANCHORS, (score for score, _ in scored))[-1]
        ties = [(score, unit) for score, unit in scored if score >= cutoff]
        if len(ties) > _ANCHORS:
            ties.sort(key=lambda item: (-item[0], self._units.text(self._sources, item[1], item[1])))
        return [unit for _, unit in ties[:_ANCHORS]]

    def _neighbour(self, unit: int, step: int) -> int:
        other = unit + step
        if 0 <= other < len(self._units) and self._units.source[other] == self._units.source[unit]:
            return self._masks.get(other, 0)
        return 0

    def _around(self, anchor: int) -> Run:
        """The best run that holds the anchor, filled up."""
        units, masks = self._units, self._masks
        source = units.source[anchor]
        best = (float("-inf"), anchor, anchor, 0, 0)
        left_mask, left_tokens, left_peak = 0, 0, 0.0
        for first in range(anchor, max(-1, anchor - _REACH - 1), -1):
            if units.source[first] != source:
                break
            left_tokens += units.tokens[first]
            if first != anchor and left_tokens > self._limit:
                break
            left_mask |= masks.get(first, 0)
            left_peak = max(left_peak, self.weight(masks.get(first, 0)))
            mask, tokens, peak = left_mask, left_tokens, left_peak
            for last in range(anchor, min(len(units), anchor + _REACH + 1)):
                if last != anchor:
                    tokens += units.tokens[last]
                    if units.source[last] != source or tokens > self._limit:
                        break
                    mask |= masks.get(last, 0)
                    peak = max(peak, self.weight(masks.get(last, 0)))
                score = self.weight(mask) + _COMPACT * peak - 0.02 * (last - first)
                if score > best[0]:
                    best = (score, first, last, mask, tokens)
        score, first, last, mask, tokens = best
        return self._filled(score, first, last, mask, tokens)

    def _filled(self, score: float, first: int, last: int, mask: int, tokens: int) -> Run:
        units = self._units
        while tokens < self._fill:
            for other in (first - 1, last + 1):
                inside = 0 <= other < len(units) and units.source[other] == units.source[first]
                if inside and tokens + units.tokens[other] <= self._limit:
                    first, last = min(first, other), max(last, other)
                    mask |= self._masks.get(other, 0)
                    tokens += units.tokens[other]
                    break
            else:
                break
        return Run(first, last, score, mask, units.text(self._sources, first, last), tokens)

    def leading_run(self) -> Run:
        """A run for a claim that shares no word with the context: the beginning of the longest source."""
        units = self._units
        starts = [u for u in range(len(units)) if u == 0 or units.source[u] != units.source[u - 1]]
        text = self._sources
        first = min(starts, key=lambda u: (-len(text[units.source[u]].text), text[units.source[u]].text))
        return self._filled(0.0, first, first, 0, units.tokens[first])
