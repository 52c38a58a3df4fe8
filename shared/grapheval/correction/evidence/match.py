"""Values of the answer that the evidence states otherwise: which slot, by which value, how likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grapheval.correction.edits import Change
from grapheval.correction.evidence.passages import Library, Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot, fits
from grapheval.correction.evidence.wording import replacement
from grapheval.verification.explicit.amounts import read_amounts, stated

_LEAST = 0.8
"""Least score of a replacement that is kept at all; what is tried is decided by `choice.Limits`."""
_ABOUT = 0.8
"""Weight of how much a passage says of the same."""
_ROLE = 0.5
"""Weight of the same role, or of another one."""
_LIST = 0.75
"""Of names in a row the roles may differ where so many of the words around them are the same."""
NEAR = 0.7
"""Least rank of a passage that negations, verbs and exchanged values are compared with."""
_ALIASES = (
    frozenset({"us", "usa", "america", "american"}),
    frozenset({"uk", "britain", "british", "gb"}),
)
_OTHER_SIDES = frozenset("done at in on from to with for of near into against".split())  # noqa: SIM905
_SIDES = {"subject": "doer", "by": "doer", "object": "done", "passive": "done"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to repair a sentence.

    Args:
        kind: `value`, `swap`, `polarity`, `relation`, or `several` of them.
        changes: Sorted changes of the sentence's plain text.
        score: How well the evidence fits it; comparable within one sentence.
        passages: The evidence.
        sure: Whether the explicit comparison of claim and sources asks for it, so that the verifier need not.
        told: Whether that comparison names the very words that are put in.
        missing: Whether what is replaced stands nowhere in the sources.
        about: How much of what the flagged claim says besides the passage holds, in [0, 1].
        alike: How alike the two places are, in [0, 2.5]; 2.5 for two forms of one person's name.
        name: Whether a name is replaced.
    """

    kind: str
    changes: tuple[Change, ...]
    score: float
    passages: tuple[Passage, ...]
    sure: bool = False
    told: bool = False
    missing: bool = True
    about: float = 1.0
    alike: float = 2.5
    name: bool = False


@dataclass(frozen=True, slots=True)
class _Match:
    """A slot, and the value of a passage that may take its place."""

    slot: Slot
    new: Slot
    passage: Passage
    score: float
    told: bool
    missing: bool
    about: float
    alike: float


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of the answer whose values are compared with its evidence.

    Args:
        sentence: The sentence.
        slots: Its slots that lie in a flagged claim.
        every: All its slots.
        passages: Its evidence.
        library: The sources.
        about: How much of what a flagged claim says of a slot's value a passage holds, in [0, 1].
        asked: What the explicit comparison found wrong: a slot's words, and what the sources say instead.
    """

    sentence: Sentence
    slots: Sequence[Slot]
    every: Sequence[Slot]
    passages: Sequence[Passage]
    library: Library
    about: Callable[[Slot, Passage], float]
    asked: Sequence[tuple[str, tuple[str, ...]]] = ()


def values(place: Place) -> list[Candidate]:
    """Replacements of wrong values: each alone, those of one passage together, and all of the best together."""
    sentence, passages = place.sentence, place.passages
    found = [match for slot in place.slots for match in _matches(place, slot)]
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
    return Candidate(
        "value",
        tuple(changes),
        score,
        passages,
        sure=all(m.told or (m.missing and not m.slot.is_name) for m in matches),
        told=all(m.told for m in matches),
        missing=all(m.missing for m in matches),
        about=min(m.about for m in matches),
        alike=min(m.alike for m in matches),
        name=any(m.slot.is_name for m in matches),
    )


def _matches(place: Place, slot: Slot) -> list[_Match]:
    sentence, passages = place.sentence, place.passages
    missing = absent(slot, passages, place.library)
    only = _only(slot, passages) if missing and not slot.is_name else frozenset()
    instead = _instead(place, slot)
    backed = 0.0 if missing else max((place.about(slot, p) for p in passages if states(p, slot)), default=0.0)
    found = []
    for passage in passages:
        if (not missing and states(passage, slot)) or _amount_stated(sentence, slot, passage):
            continue
        about = place.about(slot, passage)
        if not missing and about <= backed:
            continue  # what states the claim's own value is as much to the point
        for new in passage.slots:
            kind = fits(slot, new)
            if not kind or new.key == slot.key or same_text(slot.text, new.text) or _stated_already(place, slot, new):
                continue
            if slot.is_name and _form_of(slot, new, missing=missing):
                continue
            told = any(_same_words(words, new.text) for words in instead)
            score = kind * 0.5 + likeness(sentence, slot, passage, new) + 0.6 * (new.key == only) + 0.6 * told
            alike = 2.5 if _same_person(slot, new) else closeness(sentence, slot, passage.sentence, new)
            found.append(_Match(slot, new, passage, score + _ABOUT * about, told, missing, about, alike))
    found.sort(key=lambda match: -match.score)
    return [match for match in found if match.score >= _LEAST or match.told][:4]


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ in white space and capitals only: `5,000 m` and `5,000m`."""
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()


def _form_of(slot: Slot, new: Slot, *, missing: bool) -> bool:
    """Whether one name is but a longer or shorter form of the other, so that nothing is put right."""
    return new.key < slot.key or (slot.key < new.key and not missing)


def _same_person(slot: Slot, new: Slot) -> bool:
    """Whether two names of people share the last word."""
    last = slot.text.split()[-1].lower()
    return slot.kind == new.kind == "person" and last == new.text.split()[-1].lower()


def _instead(place: Place, slot: Slot) -> tuple[str, ...]:
    """What the explicit comparison found in the place of a slot's value."""
    return next((found for stated, found in place.asked if found and _same_words(stated, slot.text)), ())


def _same_words(stated: str, text: str) -> bool:
    """Whether one of two texts holds all words of the other: `5 ships` and `5`."""
    one, two = set(stated.lower().split()), set(text.lower().split())
    return one <= two or two <= one


def closeness(sentence: Sentence, slot: Slot, other: Sentence, new: Slot) -> float:
    """Whether the same words stand around two slots, and above them, in the same role, in [0, 2.5].

    Without it, a name that the sources merely do not hold would become any other of its kind.
    """
    local, governed = _around(sentence, slot, other, new)
    local = min(1.0, local)
    role, its_role = side(sentence.role(slot.start, slot.end)), side(other.role(new.start, new.end))
    if "doer" in {role, its_role} and {role, its_role} & _OTHER_SIDES:
        row = "conj" in {sentence.tree.deps[i] for i in range(slot.start, slot.end)}
        return local if row and local >= _LIST else 0.0
    return max(0.0, local + governed + (_ROLE if role == its_role else -_ROLE))


def _around(sentence: Sentence, slot: Slot, other: Sentence, new: Slot) -> tuple[float, bool]:
    """The share of neighbours that two slots have in common, in [0, 2.5], and whether they hang on a common word."""
    mine, its = sentence.neighbours(slot.start, slot.end), other.neighbours(new.start, new.end)
    above = {sentence.terms[i] for i in sentence.governors(slot.start, slot.end)}
    beyond = {other.terms[i] for i in other.governors(new.start, new.end)}
    return len(mine & its) / max(2, min(len(mine), 5)), bool(above & beyond)


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


def _amount_stated(sentence: Sentence, slot: Slot, passage: Passage) -> bool:
    """Whether a passage states a number in another form or unit, or as the answer's `more than` allows."""
    if slot.is_name:
        return False
    start, end = sentence.tree.starts[slot.start], sentence.tree.ends[slot.end - 1]
    own = [a for a in read_amounts(sentence.text) if a.span.start < end and start < a.span.end]
    return bool(own) and all(stated(amount, read_amounts(passage.sentence.text)) for amount in own)


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


def _stated_already(place: Place, slot: Slot, new: Slot) -> bool:
    """Whether the sentence states the new value elsewhere: it would be said twice."""
    if not new.is_name:
        return any(
            other.kind == new.kind and other.key == new.key for other in place.every if other.start != slot.start
        )
    terms = place.sentence.terms
    return new.key <= {term for i, term in enumerate(terms) if term and not slot.start <= i < slot.end}


def likeness(sentence: Sentence, slot: Slot, passage: Passage, new: Slot) -> float:
    """How much alike the places of two slots are in their sentences, in [0, 3.8]."""
    other = passage.sentence
    local, governed = _around(sentence, slot, other, new)
    role, its_role = sentence.role(slot.start, slot.end), other.role(new.start, new.end)
    same_role = 1.0 if side(role) == side(its_role) else 0.0
    shared = len(slot.key & new.key) / len(slot.key | new.key) if slot.is_name else 0.0
    short = (
        0.5 if slot.kind == "person" and new.key < slot.key else 0.0
    )  # `Jens Noppert`, whom the source calls Noppert
    apart = 0.4 if slot.is_name and _modifies(sentence, slot) != _modifies(other, new) else 0.0
    return 0.9 * passage.rank - apart + 0.8 * local + 0.5 * governed + 0.3 * same_role + 0.8 * shared + short


def _modifies(sentence: Sentence, slot: Slot) -> bool:
    """Whether a name stands before a noun that it only describes: the `US` of `US Open`."""
    return sentence.tree.deps[sentence.root_of(slot.start, slot.end)] in {"compound", "nmod", "amod"}


def side(role: str) -> str:
    """A grammatical role as who or what it is: the doer is subject, or stands behind `by`."""
    return _SIDES.get(role, role)
