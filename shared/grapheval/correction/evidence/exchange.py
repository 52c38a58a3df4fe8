"""Two values that the answer has exchanged: each stands where the evidence has the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from grapheval.correction.evidence.match import NEAR, Candidate, side
from grapheval.correction.evidence.passages import Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot, fits
from grapheval.correction.evidence.wording import replacement

_TOGETHER = 0.5
"""By how much the exchanged places must fit better, where one passage states both values."""
_APART = 1.2
"""The same where two passages state them."""
_FEW = 6
"""Values of a sentence that are exchanged with each other; longer rows of names are lists."""


def swaps(
    sentence: Sentence, slots: Sequence[Slot], passages: Sequence[Passage], *, told: bool = False
) -> list[Candidate]:
    """Exchanges of two values of a sentence.

    Args:
        sentence: A sentence of the answer.
        slots: All its slots.
        passages: Its evidence.
        told: Whether the explicit comparison found exchanged roles.
    """
    found = []
    names = [slot for slot in slots if slot.is_name][:_FEW]
    others = [slot for slot in slots if not slot.is_name][:_FEW]
    for first, second in (*combinations(names, 2), *combinations(others, 2)):
        if first.key & second.key or not (first.is_name or fits(first, second) >= 0.5):
            continue
        candidate = _together(sentence, first, second, passages) or _apart(sentence, first, second, passages)
        if candidate is not None:
            found.append(replace(candidate, sure=told))
    return found


def _together(sentence: Sentence, first: Slot, second: Slot, passages: Sequence[Passage]) -> Candidate | None:
    """The exchange that one passage, which states both, asks for."""
    for passage in passages:
        one, two = _same(passage, first), _same(passage, second)
        if passage.rank < NEAR or one is None or two is None:
            continue
        straight = _fit(sentence, first, passage, one) + _fit(sentence, second, passage, two)
        crossed = _fit(sentence, first, passage, two) + _fit(sentence, second, passage, one)
        if crossed - straight >= _TOGETHER:
            score = 1.1 * passage.share + 1.2 + crossed - straight
            return _exchanged(sentence, first, second, score, (passage,))
    return None


def _apart(sentence: Sentence, first: Slot, second: Slot, passages: Sequence[Passage]) -> Candidate | None:
    """The exchange that two passages ask for, each of which states one of two names."""
    if not first.is_name:
        return None
    (a, one), (b, two) = _best(sentence, first, passages, second), _best(sentence, second, passages, first)
    (c, _), (d, _) = _best(sentence, first, passages, first), _best(sentence, second, passages, second)
    if one is None or two is None or a + b - c - d < _APART:
        return None
    score = 0.55 * (one.share + two.share) + 0.8 + a + b - c - d
    return _exchanged(sentence, first, second, score, tuple(dict.fromkeys((one, two))))


def _best(sentence: Sentence, place: Slot, passages: Sequence[Passage], value: Slot) -> tuple[float, Passage | None]:
    """How well a value fits a place, by the passage in which it fits best."""
    found: list[tuple[float, int, Passage]] = []
    for number, passage in enumerate(passages):
        other = _same(passage, value)
        if other is not None:
            found.append((passage.rank * _fit(sentence, place, passage, other), -number, passage))
    if not found:
        return 0.0, None
    fit, _, passage = max(found, key=lambda item: item[:2])
    return fit, passage


def _exchanged(
    sentence: Sentence, first: Slot, second: Slot, score: float, passages: tuple[Passage, ...]
) -> Candidate | None:
    changes = sorted(
        (*replacement(sentence, first, sentence, second), *replacement(sentence, second, sentence, first)),
        key=lambda change: change.start,
    )
    if any(left.end > right.start for left, right in pairwise(changes)):
        return None
    return Candidate("swap", tuple(changes), score, passages)


def _same(passage: Passage, slot: Slot) -> Slot | None:
    return next((other for other in passage.slots if other.key == slot.key or slot.key < other.key), None)


def _fit(sentence: Sentence, slot: Slot, passage: Passage, other: Slot) -> float:
    """How alike two places are, apart from the words that both sentences share as a whole."""
    its = passage.sentence
    near, far = sentence.neighbours(slot.start, slot.end, 2), its.neighbours(other.start, other.end, 2)
    local = len(near & far) / max(1, min(len(near), 4))
    role = side(sentence.role(slot.start, slot.end)) == side(its.role(other.start, other.end))
    return local + 0.7 * role
