"""Values of the answer that the evidence states otherwise: which slot, by which value, how likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grapheval.correction.edits import Change
from grapheval.correction.evidence.passages import Library, Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot, fits
from grapheval.correction.evidence.wording import replacement

ABSENT = 1.1
"""Least score of a replacement for a value that stands nowhere in the sources."""
NEAR = 0.7
"""Least rank of a passage that negations, verbs and exchanged values are compared with."""
PRESENT = 2.6
"""The same for a value that the sources hold, in another place: it is more often right."""
_ALIASES = (
    frozenset({"us", "usa", "america", "american"}),
    frozenset({"uk", "britain", "british", "gb"}),
)
_SIDES = {"subject": "doer", "by": "doer", "object": "done", "passive": "done"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to repair a sentence.

    Args:
        kind: `value`, `swap`, `polarity` or `relation`.
        changes: Sorted changes of the sentence's plain text.
        score: How well the evidence fits it; comparable within one sentence.
        passages: The evidence.
    """

    kind: str
    changes: tuple[Change, ...]
    score: float
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class _Match:
    """A slot, and the value of a passage that may take its place."""

    slot: Slot
    new: Slot
    passage: Passage
    score: float


def values(sentence: Sentence, slots: Sequence[Slot], passages: Sequence[Passage], library: Library) -> list[Candidate]:
    """Replacements of wrong values: each alone, those of one passage together, and all of the best together.

    Args:
        sentence: The sentence of the answer.
        slots: Its slots that lie in a flagged claim.
        passages: Its evidence.
        library: The sources.
    """
    found = [match for slot in slots for match in _matches(sentence, slot, passages, library)]
    made = [_candidate(sentence, [match]) for match in found]
    for passage in passages:
        best = _best_per_slot([match for match in found if match.passage is passage])
        if len(best) > 1:
            made.append(_candidate(sentence, best))
    overall = _best_per_slot(found)
    if len(overall) > 1 and len({id(match.passage) for match in overall}) > 1:
        made.append(_candidate(sentence, overall))
    return [candidate for candidate in made if candidate is not None]


def _best_per_slot(matches: Sequence[_Match]) -> list[_Match]:
    best: dict[int, _Match] = {}
    for match in matches:
        known = best.get(match.slot.start)
        if known is None or match.score > known.score:
            best[match.slot.start] = match
    return [best[start] for start in sorted(best)]


def _candidate(sentence: Sentence, matches: Sequence[_Match]) -> Candidate | None:
    changes: list[Change] = []
    for match in matches:
        changes += replacement(sentence, match.slot, match.passage.sentence, match.new)
    changes.sort(key=lambda change: change.start)
    if any(left.end > right.start for left, right in pairwise(changes)):
        return None
    passages = tuple(dict.fromkeys(match.passage for match in matches))
    score = sum(m.score for m in matches) / len(matches) + 0.15 * (len(matches) - 1)
    return Candidate("value", tuple(changes), score, passages)


def _matches(sentence: Sentence, slot: Slot, passages: Sequence[Passage], library: Library) -> list[_Match]:
    missing = absent(slot, passages, library)
    least = ABSENT if missing else PRESENT
    only = _only(slot, passages) if missing and not slot.is_name else frozenset()
    found = []
    for passage in passages:
        if not missing and states(passage, slot):
            continue
        for new in passage.slots:
            kind = fits(slot, new)
            if not kind or new.key == slot.key or _stated_already(sentence, slot, new):
                continue
            if not missing and slot.is_name and (new.key < slot.key or slot.key < new.key):
                continue  # a longer or shorter form of the same name
            score = kind * 0.5 + likeness(sentence, slot, passage, new) + 0.6 * (new.key == only)
            if score >= least:
                found.append(_Match(slot, new, passage, score))
    found.sort(key=lambda match: -match.score)
    return found[:4]


def _only(slot: Slot, passages: Sequence[Passage]) -> frozenset[str]:
    """The value of a slot's kind and unit, if the passages state just one."""
    stated = {other.key for passage in passages for other in passage.slots if fits(slot, other) == 1.0}
    return next(iter(stated)) if len(stated) == 1 else frozenset()


def states(passage: Passage, slot: Slot) -> bool:
    """Whether a passage holds a slot's value."""
    if slot.is_name or slot.kind in {"weekday", "month"}:
        return slot.key <= passage.sentence.held or any(slot.key <= other.key for other in passage.slots)
    if slot.kind in {"date", "score"}:
        return any(slot.key <= other.key for other in passage.slots)
    return slot.key <= passage.numbers


def absent(slot: Slot, passages: Sequence[Passage], library: Library) -> bool:
    """Whether a value stands nowhere in the sources, not even under another form."""
    if any(states(passage, slot) for passage in passages):
        return False
    if slot.is_name:
        missing = {key for key in slot.key if not library.holds(key)}
        return bool(missing) and not any(_alias(slot, other) for p in passages for other in p.slots)
    if slot.kind in {"weekday", "month"}:
        return not any(library.holds(key) or library.holds(key[:3]) for key in slot.key)
    return not all(library.holds(f"#{key}") for key in slot.key)


def _alias(slot: Slot, other: Slot) -> bool:
    """Whether two names are forms of one: `Norwegian` and `Norway`, `UN` and `United Nations`."""
    if not other.is_name:
        return False
    if any(slot.key & group and other.key & group for group in _ALIASES):
        return True
    places = {"place", "group", "name"}
    if slot.kind in places and other.kind in places and len(slot.key) == len(other.key) == 1:
        (mine,), (its,) = slot.key, other.key
        least = min(5, len(mine), len(its))
        if least >= 4 and mine[:least] == its[:least]:
            return True
    return _initials(slot.text) == other.text or _initials(other.text) == slot.text


def _initials(text: str) -> str:
    return "".join(word[0] for word in text.split() if word[:1].isupper())


def _stated_already(sentence: Sentence, slot: Slot, new: Slot) -> bool:
    """Whether the sentence names the new value elsewhere: it would be said twice."""
    if new.is_name:
        rest = {term for i, term in enumerate(sentence.terms) if term and not slot.start <= i < slot.end}
        return new.key <= rest
    return False


def likeness(sentence: Sentence, slot: Slot, passage: Passage, new: Slot) -> float:
    """How much alike the places of two slots are in their sentences, in [0, 3.8]."""
    other = passage.sentence
    mine, its = sentence.neighbours(slot.start, slot.end), other.neighbours(new.start, new.end)
    local = len(mine & its) / max(2, min(len(mine), 5))
    above = {sentence.terms[i] for i in sentence.governors(slot.start, slot.end)}
    beyond = {other.terms[i] for i in other.governors(new.start, new.end)}
    governed = 1.0 if above & beyond else 0.0
    role, its_role = sentence.role(slot.start, slot.end), other.role(new.start, new.end)
    same_role = 1.0 if _side(role) == _side(its_role) else 0.0
    shared = len(slot.key & new.key) / len(slot.key | new.key) if slot.is_name else 0.0
    short = (
        0.5 if slot.kind == "person" and new.key < slot.key else 0.0
    )  # `Jens Noppert`, whom the source calls Noppert
    apart = 0.4 if slot.is_name and _modifies(sentence, slot) != _modifies(other, new) else 0.0
    return 0.9 * passage.rank - apart + 0.8 * local + 0.5 * governed + 0.3 * same_role + 0.8 * shared + short


def _modifies(sentence: Sentence, slot: Slot) -> bool:
    """Whether a name stands before a noun that it only describes: the `US` of `US Open`."""
    return sentence.tree.deps[sentence.root_of(slot.start, slot.end)] in {"compound", "nmod", "amod"}


def _side(role: str) -> str:
    return _SIDES.get(role, role)


# ------------------------------------------------------------------------------------------------------------- swaps


def swaps(sentence: Sentence, slots: Sequence[Slot], passages: Sequence[Passage]) -> list[Candidate]:
    """Two values that the answer has exchanged: each stands where the evidence has the other."""
    found = []
    for passage in passages:
        if passage.rank < NEAR:
            continue
        for number, first in enumerate(slots):
            for second in slots[number + 1 :]:
                if fits(first, second) < 0.5 or first.key & second.key:
                    continue
                one, two = _same(passage, first), _same(passage, second)
                if one is None or two is None:
                    continue
                straight = _fit(sentence, first, passage, one) + _fit(sentence, second, passage, two)
                crossed = _fit(sentence, first, passage, two) + _fit(sentence, second, passage, one)
                if crossed - straight < 0.5:
                    continue
                changes = sorted(
                    (
                        *replacement(sentence, first, sentence, second),
                        *replacement(sentence, second, sentence, first),
                    ),
                    key=lambda change: change.start,
                )
                if all(left.end <= right.start for left, right in pairwise(changes)):
                    score = 1.1 * passage.share + 1.2 + crossed - straight
                    found.append(Candidate("swap", tuple(changes), score, (passage,)))
    return found


def _same(passage: Passage, slot: Slot) -> Slot | None:
    return next((other for other in passage.slots if other.key == slot.key or slot.key < other.key), None)


def _fit(sentence: Sentence, slot: Slot, passage: Passage, other: Slot) -> float:
    """How alike two places are, apart from the words that both sentences share as a whole."""
    its = passage.sentence
    near, far = sentence.neighbours(slot.start, slot.end, 2), its.neighbours(other.start, other.end, 2)
    local = len(near & far) / max(1, min(len(near), 4))
    role = _side(sentence.role(slot.start, slot.end)) == _side(its.role(other.start, other.end))
    return local + 0.7 * role
