"""The sentences of the sources that bear on a sentence of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grapheval.context.index import LexicalIndex, build_index, claim_terms
from grapheval.context.quantities import numbers
from grapheval.correction.evidence.reading import LONGEST, Sentence, parse
from grapheval.correction.evidence.slots import Slot, find_slots, months_of
from grapheval.types import Evidence, Source, Span, Stance

UNIT_TOKENS = 96
_CLOSE = 0.25
"""A passage that holds this share of a sentence's words speaks of the same."""
MOST = 6
"""Sentences of the sources that are read for one sentence of the answer."""
_PRONOUN = re.compile(r"[\"'“‘]?(?:he|she|it|they|this|that|these|those|his|her|its|their|the)\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Passage:
    """A sentence of a source.

    Args:
        source_id: Its source.
        span: Its place there.
        sentence: What is read: the sentence, or a table's row with the headings of its columns.
        premise: What the verifier reads: the sentence after the one before it, where that is short enough.
        share: The share, by weight, of the answer sentence's words that it holds, in [0, 1].
        rank: The same beside the best passage, in [0, 1]: 1 for the best one, if that holds a quarter of the words.
    """

    source_id: str
    span: Span
    sentence: Sentence
    premise: str
    share: float
    rank: float

    @cached_property
    def slots(self) -> list[Slot]:
        """Its names, numbers and dates, and the months of these."""
        found = find_slots(self.sentence)
        return [*found, *months_of(self.sentence, found)]

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return numbers(self.sentence.text)

    def evidence(self, sources: Sequence[Source]) -> Evidence:
        """The place as evidence."""
        text = next(source.text for source in sources if source.id == self.source_id)
        return Evidence(self.source_id, self.span.start, self.span.end, self.span.of(text), Stance.SUPPORTS)


class Library:
    """The sources, searched once for all sentences of an answer.

    Args:
        sources: The context.
        texts: The sentences of the answer that are to be repaired.
    """

    def __init__(self, sources: Sequence[Source], texts: Iterable[str]) -> None:
        self._sources = sources
        self._terms = {text: claim_terms(text) for text in texts}
        wanted = {key for terms in self._terms.values() for key in terms}
        self._index: LexicalIndex = build_index(sources, wanted, UNIT_TOKENS)
        self._tables: dict[int, dict[int, str]] = {}

    def holds(self, key: str) -> bool:
        """Whether a word of one of the texts stands anywhere in the sources."""
        return bool(self._index.postings.get(key))

    def passages(self, texts: Sequence[str]) -> list[list[Passage]]:
        """For each of the texts its passages, best first."""
        chosen = [self._best(text) for text in texts]
        units = sorted({unit for each in chosen for unit, _ in each})
        read = dict(zip(units, parse([self._text(unit) for unit in units]), strict=True))
        return [[self._passage(unit, share, each[0][1], read[unit]) for unit, share in each] for each in chosen]

    def _best(self, text: str) -> list[tuple[int, float]]:
        index, terms = self._index, self._terms[text]
        weights = index.weights(terms)
        scores: dict[int, float] = {}
        for key, weight in weights.items():
            for unit in index.postings[key]:
                scores[unit] = scores.get(unit, 0.0) + weight
        total = sum(weights.values()) + sum(weight for key, weight in terms.items() if key not in weights)
        order = sorted(scores, key=lambda unit: (-scores[unit], self._raw(unit), unit))
        seen: set[str] = set()
        found = []
        for unit in order:
            raw = self._raw(unit)
            if raw not in seen and len(raw) <= LONGEST:
                seen.add(raw)
                found.append((unit, scores[unit] / total))
            if len(found) == MOST:
                break
        return found

    def _raw(self, unit: int) -> str:
        return self._index.units.text(self._sources, unit, unit)

    def _text(self, unit: int) -> str:
        """The unit as it is read: of a table's row, each cell after the heading of its column."""
        raw = self._raw(unit)
        if "|" not in raw:
            return " ".join(raw.split())
        number = self._index.units.source[unit]
        if number not in self._tables:
            self._tables[number] = _rows(self._sources[number].text)
        start, end = self._index.units.start[unit], self._index.units.end[unit]
        rows = [text for place, text in self._tables[number].items() if start <= place < end]
        return " ".join(rows) or " ".join(raw.split())

    def _passage(self, unit: int, share: float, best: float, sentence: Sentence) -> Passage:
        units = self._index.units
        source = self._sources[units.source[unit]]
        premise = sentence.text
        before = unit - 1
        fits = before >= 0 and units.source[before] == units.source[unit]
        if fits and units.tokens[before] + units.tokens[unit] <= UNIT_TOKENS and _PRONOUN.match(sentence.text):
            premise = f"{self._text(before)} {premise}"
        return Passage(
            source.id, Span(units.start[unit], units.end[unit]), sentence, premise, share, share / max(best, _CLOSE)
        )


def _rows(text: str) -> dict[int, str]:
    """The rows of the tables in a text, by the place of their first cell, as `heading: cell` pairs."""
    from grapheval.extraction.markdown import read_blocks

    found = {}
    for block in read_blocks(text):
        if block.kind != "row" or not block.cells:
            continue
        first = next((cell for cell in block.cells if cell.text), None)
        if first is None:
            continue
        pairs = []
        for column, cell in enumerate(block.cells):
            head = block.header[column].text if column < len(block.header) else ""
            if cell.text:
                pairs.append(f"{head}: {cell.text}" if head and column else cell.text)
        found[first.span(0, len(first.text)).start] = ", ".join(pairs) + "."
    return found
