"""Typed places of a sentence, and what may stand in them."""

from __future__ import annotations

import pytest

from grapheval.correction.edits import Change, apply
from grapheval.correction.evidence.reading import parse
from grapheval.correction.evidence.slots import Slot, find_slots, fits
from grapheval.correction.evidence.wording import is_vowel, polished


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Nordkai carried 5,400 passengers.", ("count", "5,400", "5400", "passenger")),
        ("Nordkai paid $ 32 million.", ("money", "32 million", "32000000", "$")),
        ("Prices rose by 12.50 percent.", ("percent", "12.50", "12.5", "")),
        ("The 23-year-old sailor left.", ("age", "23", "23", "year")),
        ("Lind, 71, left.", ("age", "71", "71", "year")),
        ("Nordkai was founded in 1958.", ("year", "1958", "1958", "")),
        ("Nordkai owns 2000 ships.", ("count", "2000", "2000", "ship")),
        ("Lind left on Friday.", ("weekday", "Friday", "friday", "")),
        ("Lind left in March.", ("month", "March", "mar", "")),
        ("It took twenty-five hours.", ("count", "twenty-five", "25", "hour")),
        ("They won 3-1.", ("score", "3-1", "3-1", "")),
    ],
)
def test_numbers_and_dates(sentence: str, wanted: tuple[str, str, str, str]) -> None:
    (read,) = parse([sentence])
    slots = [slot for slot in find_slots(read) if not slot.is_name]
    assert [(slot.kind, slot.text, *slot.key, slot.unit) for slot in slots] == [wanted]


def test_a_date_and_its_year_are_two_slots() -> None:
    (read,) = parse(["Lind died on 3 March 1994."])
    assert [(slot.kind, slot.text) for slot in find_slots(read)] == [
        ("name", "Lind") if find_slots(read)[0].kind == "name" else (find_slots(read)[0].kind, "Lind"),
        ("date", "3 March"),
        ("year", "1994"),
    ]


def test_names_without_article_title_and_ending() -> None:
    (read,) = parse(["Mr. David Smith's firm moved from the Netherlands to Paris."])
    assert [slot.text for slot in find_slots(read)] == ["David Smith", "Netherlands", "Paris"]


def _slot(kind: str, unit: str = "") -> Slot:
    return Slot(kind, 0, 1, "x", frozenset({"x"}), unit)


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        (_slot("person"), _slot("person"), 1.0),
        (_slot("person"), _slot("place"), 0.0),
        (_slot("person"), _slot("name"), 0.5),
        (_slot("count", "ship"), _slot("count", "ship"), 1.0),
        (_slot("count", "ship"), _slot("count", "town"), 0.0),
        (_slot("count", "ship"), _slot("year"), 0.0),
        (_slot("money", "$"), _slot("money", "£"), 0.0),
        (_slot("weekday"), _slot("month"), 0.0),
    ],
)
def test_types(old: Slot, new: Slot, value: float) -> None:
    assert fits(old, new) == value
    assert fits(new, old) == value


@pytest.mark.parametrize(
    ("word", "vowel"),
    [
        ("engineer", True),
        ("pilot", False),
        ("hour", True),
        ("university", False),
        ("European", False),
        ("8-year-old", True),
        ("11th", True),
        ("18", True),
        ("80", True),
        ("12", False),
        ("MP", True),
        ("UN", False),
        ("FBI", True),
        ("one-time", False),
    ],
)
def test_before_which_words_an_stands(word: str, vowel: bool) -> None:
    assert is_vowel(word) is vowel


def test_changes_mend_the_article_and_the_capital() -> None:
    text = "Forty ships met a pilot."
    changes = polished(text, [Change(0, 5, "fourteen"), Change(18, 23, "engineer")])
    assert apply(text, changes) == "Fourteen ships met an engineer."
