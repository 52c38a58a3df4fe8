"""Differences, confinement, and edits composed in coordinates of the original."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval.correction.edits import Change, Draft, apply, confine, diff
from grapheval.types import Claim, Span

CLAIM = Claim("a claim")


def test_words_are_replaced_whole_and_close_changes_are_one() -> None:
    old = "Ana Ruiz was born in Lima, Peru, in 1931."
    assert diff(old, "Ana Ruiz was born in Quito, Ecuador, in 1931.") == [Change(21, 31, "Quito, Ecuador")]
    assert diff(old, "Ana Ruiz was born in Lima, Peru, in 1932.") == [Change(36, 40, "1932")]
    assert diff(old, "Ana Ruiz was not born in Lima, Peru, in 1931.") == [Change(13, 13, "not ")]
    assert diff(old, old) == []
    assert diff("", "new") == [Change(0, 0, "new")]
    assert diff("old", "") == [Change(0, 3, "")]


def test_two_places_are_two_changes() -> None:
    changes = diff("One ship left the port on Monday.", "Two ship left the port on Friday.")
    assert [(c.start, c.end, c.new) for c in changes] == [(0, 3, "Two"), (26, 32, "Friday")]


WORDS = st.lists(st.sampled_from(["a", "bb", " ", "\n", ".", "é", "12", "—"]), max_size=20).map("".join)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_a_difference_makes_one_text_of_the_other(old: str, new: str) -> None:
    changes = diff(old, new)
    assert apply(old, changes) == new
    assert all(left.end < right.start for left, right in pairwise(changes))


def test_long_texts_are_compared_within_bounds() -> None:
    old, new = "a b " * 30_000, "c d " * 30_000
    assert apply(old, diff(old, new)) == new


def test_confinement() -> None:
    text = "One. Two is it. Three"
    place = Span(5, 15)
    inside = [Change(5, 8, "Four"), Change(12, 14, "us")]
    outside = [Change(0, 3, "x"), Change(3, 7, "y"), Change(15, 15, " More."), Change(14, 17, "!")]
    assert confine(text, [*inside, *outside], place) == (inside, outside)
    assert confine(text, [Change(21, 21, " and four")], Span(16, 21))[0] == [Change(21, 21, " and four")]


def test_rounds_compose_in_original_coordinates() -> None:
    draft = Draft("The red house has two doors.")
    draft.change(Change(4, 7, "blue"), CLAIM)
    assert draft.text == "The blue house has two doors."
    draft.change(Change(19, 22, "three"), CLAIM)
    draft.change(Change(4, 14, "green hut"), CLAIM)  # over the first edit
    assert draft.text == "The green hut has three doors."
    assert [(e.start, e.end, e.old, e.new) for e in draft.edits] == [
        (4, 13, "red house", "green hut"), (18, 21, "two", "three")
    ]  # fmt: skip
    draft.change(Change(4, 13, "red house"), CLAIM)  # back to what it was
    assert [(e.old, e.new) for e in draft.edits] == [("two", "three")]


def test_a_later_round_is_absorbed() -> None:
    first = Draft("A is B. C is D.")
    first.change(Change(5, 6, "Bee"), CLAIM)
    second = Draft(first.text)
    second.change(Change(15, 16, "Dee"), CLAIM)
    second.change(Change(0, 1, "Ay"), CLAIM)
    first.absorb(second)
    assert first.text == "Ay is Bee. C is Dee."
    assert [(e.start, e.end, e.new) for e in first.edits] == [(0, 1, "Ay"), (5, 6, "Bee"), (13, 14, "Dee")]


@pytest.mark.parametrize(
    ("span", "expected"), [((0, 1), "A"), ((0, 7), "A is Bee."), ((8, 15), "C is D."), ((5, 6), "Bee")]
)
def test_where_a_span_lies_now(span: tuple[int, int], expected: str) -> None:
    draft = Draft("A is B. C is D.")
    draft.change(Change(5, 6, "Bee"), CLAIM)
    assert draft.now(Span(*span)).of(draft.text) == expected


OPERATION = st.tuples(st.integers(0, 30), st.integers(0, 8), st.text("xyz", max_size=4))


@settings(deadline=None)
@given(st.text("abc .", max_size=30), st.lists(st.lists(OPERATION, max_size=4), max_size=4))
def test_composition_equals_plain_replacement(original: str, rounds: list[list[tuple[int, int, str]]]) -> None:
    draft, text = Draft(original), original
    for operations in rounds:
        later = Draft(text)
        for start, length, new in operations:
            begin = min(start, len(text))
            end = min(begin + length, len(text))
            later.change(Change(begin, end, new), CLAIM)
            text = text[:begin] + new + text[end:]
        assert later.text == text
        draft.absorb(later)
        assert draft.text == text
    edits = draft.edits
    assert apply(original, [Change(e.start, e.end, e.new) for e in edits]) == text
    assert all(original[e.start : e.end] == e.old != e.new for e in edits)
    assert all(left.end <= right.start for left, right in pairwise(edits))
