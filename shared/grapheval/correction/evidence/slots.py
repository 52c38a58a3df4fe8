"""Slots of a sentence: names, numbers, dates, with what they may be exchanged for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grapheval.context.quantities import numbers
from grapheval.context.words import NUMBER_WORDS, ORDINAL_WORDS, fold, stem
from grapheval.correction.evidence.reading import Sentence
from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.words import MONTHS

DAYS: Final = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())  # noqa: SIM905
_PERSON = frozenset({"PERSON"})
_PLACE = frozenset({"GPE", "LOC", "FAC"})
_BODY = frozenset({"ORG", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"})
_NAMES = _PERSON | _PLACE | _BODY | {"NORP", "LANGUAGE"}
_CURRENCY = frozenset("$£€¥") | {"us$", "a$", "c$", "dollar", "euro", "pound", "yen", "rupee"}
_PERCENT = frozenset({"%", "percent", "per", "pc"})
_SCALE = frozenset("hundred thousand million billion trillion m bn k".split())  # noqa: SIM905
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th)$", re.IGNORECASE)
_NO_NAME = re.compile(r"[$£€¥:@#%\\/|<>]")
_DIGITS = re.compile(r"\d[\d.,]*(?:k|m|bn|st|nd|rd|th)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a sentence that may hold a wrong value.

    Args:
        kind: `person`, `place`, `body`, `group` or `name` (unknown) for names; `count`, `money`, `percent`, `age`,
            `year`, `ordinal` for numbers; `date`, `month`, `weekday` for dates.
        start: First token.
        end: One past the last.
        text: The words, without article and possessive ending.
        key: What it means, for comparisons: terms of a name, the value of a number.
        unit: Of a count, what is counted (stemmed), "" where it is not said.
    """

    kind: str
    start: int
    end: int
    text: str
    key: frozenset[str]
    unit: str = ""

    @property
    def is_name(self) -> bool:
        """Whether it is a name."""
        return self.kind in {"person", "place", "body", "group", "name"}


def find_slots(sentence: Sentence) -> list[Slot]:
    """The slots of a sentence, in order, not overlapping."""
    taken: set[int] = set()
    found: list[Slot] = []
    for slot in (*_numbers(sentence), *_names(sentence)):
        tokens = range(slot.start, slot.end)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            found.append(slot)
    return sorted(found, key=lambda slot: slot.start)


def months_of(sentence: Sentence, slots: Sequence[Slot]) -> list[Slot]:
    """The months of whole dates, which may stand in the place of a month alone."""
    tree = sentence.tree
    return [
        Slot("month", i, i + 1, tree.words[i], frozenset({tree.low[i][:3]}))
        for slot in slots
        if slot.kind == "date"
        for i in range(slot.start, slot.end)
        if tree.low[i] in MONTHS
    ]


def fits(old: Slot, new: Slot) -> float:
    """How well one slot's value may stand in the other's place by its type, in [0, 1]; 0 = not at all."""
    if old.is_name and new.is_name:
        if old.kind == new.kind:
            return 0.6 if old.kind == "name" else 1.0
        pair = {old.kind, new.kind}
        if "name" in pair:
            return 0.5
        if pair in ({"place", "body"}, {"place", "group"}, {"body", "group"}):
            return 0.4
        return 0.0
    if old.kind != new.kind:
        if {old.kind, new.kind} == {"count", "age"} and old.unit == new.unit:
            return 0.5
        return 0.0
    if old.kind in {"count", "money"}:
        if old.unit == new.unit:
            return 1.0
        return 0.5 if not old.unit or not new.unit else 0.0
    return 1.0


# ------------------------------------------------------------------------------------------------- numbers and dates


def _numbers(sentence: Sentence) -> list[Slot]:
    tree = sentence.tree
    found: list[Slot] = []
    index = 0
    while index < len(tree):
        low = tree.low[index]
        if low in DAYS and tree.is_name(index):
            found.append(Slot("weekday", index, index + 1, tree.words[index], frozenset({low})))
        elif low in MONTHS and (tree.is_name(index) or low not in {"may", "march", "mar", "sep", "dec", "jan", "oct"}):
            month = _month(sentence, index)
            found = [*(other for other in found if other.end <= month.start), month]
            index = month.end
            continue
        elif _is_number(sentence, index):
            slot = _number(sentence, index)
            if slot is not None:
                found.append(slot)
                index = slot.end
                continue
        index += 1
    return found


def _is_number(sentence: Sentence, index: int) -> bool:
    low, tag = sentence.tree.low[index], sentence.tree.tags[index]
    if _DIGITS.match(low):
        return True
    if low in ORDINAL_WORDS:
        return low != "second" or tag == "JJ"
    return low in NUMBER_WORDS and (tag == "CD" or low not in {"one"})


def _month(sentence: Sentence, index: int) -> Slot:
    """`3 March`, `March 3`, `March`: the year is a slot of its own."""
    tree = sentence.tree
    start, end = index, index + 1

    def is_day(place: int) -> bool:
        return 0 <= place < len(tree) and re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", tree.low[place]) is not None

    if is_day(index + 1):
        end = index + 2
    elif is_day(index - 1):
        start = index - 1
    text = sentence.slice(start, end)
    key = frozenset({low[:3] for low in tree.low[start:end] if low in MONTHS} | numbers(text))
    return Slot("month" if end - start == 1 else "date", start, end, text, key)


def _number(sentence: Sentence, index: int) -> Slot | None:
    tree = sentence.tree
    end = index + 1
    low = tree.low[index]
    if _ORDINAL.match(low) or low in ORDINAL_WORDS:
        return Slot("ordinal", index, end, tree.words[index], numbers(tree.words[index]))
    while end < len(tree) and (
        tree.low[end] in _SCALE
        or (tree.low[end] in NUMBER_WORDS and (tree.low[end - 1] in NUMBER_WORDS or tree.low[end - 1] == "-"))
        or (tree.low[end] == "-" and end + 1 < len(tree) and tree.low[end + 1] in NUMBER_WORDS)
    ):
        end += 1
    before = tree.low[index - 1] if index else ""
    after = tree.low[end] if end < len(tree) else ""
    start = index
    text = sentence.slice(start, end)
    key = numbers(text)
    if not key:
        return None
    if before in {"-", "–", "/"} and index >= 2 and tree.low[index - 2][-1:].isdigit():
        return None  # `3-0`, `2010-11`: read as a whole or not at all
    if after in {"-", "–", "/"} and end + 1 < len(tree) and tree.low[end + 1][:1].isdigit():
        return _score(sentence, index, end + 2)
    if before in _CURRENCY or stem(after) in _CURRENCY:
        return Slot("money", start, end, text, key, before if before in _CURRENCY else stem(after))
    if after in _PERCENT and (after != "per" or tree.low[end + 1 : end + 2] == ["cent"]):
        return Slot("percent", start, end, text, key)
    following = [word for word in tree.low[end : end + 4] if word not in {"-", "–"}]
    if following[:2] in (["year", "old"], ["years", "old"]) or before in {"aged", "age"}:
        return Slot("age", start, end, text, key, "year")
    if _YEAR.match(text) and not _counts(sentence, index):
        return Slot("year", start, end, text, key)
    aside = before == "," and after in {",", ".", "", ")"} and index >= 2
    if aside and text.isdigit() and 0 < int(text) < 120 and tree.tags[index - 2].startswith("NN"):
        return Slot("age", start, end, text, key, "year")
    return Slot("count", start, end, text, key, _unit(sentence, index, end))


def _score(sentence: Sentence, start: int, end: int) -> Slot:
    text = sentence.slice(start, end)
    return Slot("score", start, end, text, frozenset({text.replace(" ", "").replace("–", "-")}))


def _counts(sentence: Sentence, index: int) -> bool:
    """Whether a number that looks like a year counts something: `2,000 people`, `2000 people`."""
    tree = sentence.tree
    head = tree.heads[index]
    return tree.deps[index] == "nummod" and tree.tags[head] == "NNS"


def _unit(sentence: Sentence, index: int, end: int) -> str:
    """What a number counts: the noun that it belongs to."""
    tree = sentence.tree
    node = end - 1
    for _ in range(3):
        head = tree.heads[node]
        if tree.deps[node] in {"nummod", "compound", "quantmod", "amod"} and head != node:
            if not index <= head < end:
                return stem(fold(tree.words[head]))
            node = head
        else:
            break
    for place in range(end, min(end + 3, len(tree))):
        if tree.tags[place] in {"NNS", "NN"}:
            return stem(fold(tree.words[place]))
        if not tree.tags[place].startswith(("JJ", "HYPH", "VBN", "IN")):
            break
    return ""


# ------------------------------------------------------------------------------------------------------------- names


def _names(sentence: Sentence) -> list[Slot]:
    found = []
    taken: set[int] = set()
    for start, end, label in sentence.entities:
        if label not in _NAMES:
            continue
        slot = _name(sentence, start, end, _kind(label))
        if slot is not None:
            found.append(slot)
            taken.update(range(slot.start, slot.end))
    index = 0
    while index < len(sentence.tree):
        end = index
        while end < len(sentence.tree) and end not in taken and sentence.tree.is_name(end):
            end += 1
        if end > index:
            slot = _name(sentence, index, end, "name")
            if slot is not None:
                found.append(slot)
        index = max(end, index + 1)
    return found


def _kind(label: str) -> str:
    if label in _PERSON:
        return "person"
    if label in _PLACE:
        return "place"
    return "group" if label in {"NORP", "LANGUAGE"} else "body"


_LOOSE = frozenset({"the", "a", "an", "'s", "’s", "'", "’", ",", ".", "-", "(", ")", '"', "“", "”"})
_TITLES = frozenset("mr mrs ms dr sir lord lady dame prof president".split())  # noqa: SIM905


def _titled(tree: Tree, start: int) -> bool:
    return tree.low[start - 1].rstrip(".") in _TITLES


def _name(sentence: Sentence, start: int, end: int, kind: str) -> Slot | None:
    tree = sentence.tree
    while start < end and (tree.low[start] in _LOOSE or tree.low[start].rstrip(".") in _TITLES):
        start += 1
    while end > start and tree.low[end - 1] in _LOOSE:
        end -= 1
    while (
        start > 1
        and tree.tags[start - 1] == "NNP"
        and start <= tree.heads[start - 1] < end
        and not _titled(tree, start)
    ):
        start -= 1  # `Sheikh Khalifa`, of which the recogniser saw half
    if start == end or not any(tree.words[i][:1].isupper() for i in range(start, end)):
        return None
    low = {tree.low[i] for i in range(start, end)}
    if low & (DAYS | MONTHS) or any(word[0].isdigit() or _NO_NAME.search(word) for word in low):
        return None  # a date, `15:03 BST`, `£1m`
    text = sentence.slice(start, end)
    key = frozenset(sentence.terms[i] or tree.low[i] for i in range(start, end) if tree.words[i][:1].isalnum())
    key -= {"of", "and", "the", "for"}
    return Slot(kind, start, end, text, key) if key and "\n" not in text else None
