"""Numbers in one form: equal values match, different ones do not."""

import pytest

from grapheval.context.index import claim_terms
from grapheval.context.quantities import numbers, stated_numbers
from grapheval.context.words import stem, term


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.2k users", "1,200 users"),
        ("March 3rd", "3 March"),
        ("twelve", "12"),
        ("twenty-five", "25"),
        ("two hundred and fifty", "250"),
        ("three million", "3,000,000"),
        ("1.2 million", "1,200,000"),
        ("$3bn", "3 billion dollars"),
        ("3.50", "3.5"),
        ("one hundred thousand", "100,000"),
        ("12 %", "12 percent"),
        ("the 1990s", "1990"),
        ("twenty-first", "21st"),
        ("1.200.000", "1200000"),
    ],
)
def test_equal_values_match(one: str, other: str) -> None:
    assert numbers(one) == numbers(other) != frozenset()


@pytest.mark.parametrize(("one", "other"), [("67", "999"), ("1.2", "12"), ("1,200", "1,2"), ("3rd", "4th")])
def test_different_values_do_not(one: str, other: str) -> None:
    assert numbers(one).isdisjoint(numbers(other))


def test_several_numbers_are_told_apart() -> None:
    assert numbers("two three four") == {"2", "3", "4"}
    assert numbers("won 3-1 on 2024-03-05") == {"3", "1", "2024", "5"}
    assert numbers("hundreds of people, no number") == frozenset()


def test_small_spelled_numbers_need_not_be_stated() -> None:
    assert stated_numbers("Two of them came first.") == frozenset()
    assert stated_numbers("Thirteen of the 2 came.") == {"13", "2"}


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (("announce", "announces", "announced", "announcing"), "announc"),
        (("city", "cities"), "citi"),
        (("stop", "stops", "stopped", "stopping"), "stop"),
        (("win", "won", "winning"), "win"),
        (("pass", "passes", "passed"), "pass"),
    ],
)
def test_inflection_goes(forms: tuple[str, ...], expected: str) -> None:
    assert {stem(form) for form in forms} == {expected}


def test_terms_fold_accents_case_and_numbers() -> None:
    assert term("Müller") == term("muller")
    assert term("1,200") == term("1200") == "#1200"
    assert term("12th") == term("twelve") == "#12"


def test_names_and_numbers_weigh_more_and_function_words_nothing() -> None:
    assert claim_terms("The man met Orla in 1999") == {"man": 1.0, "meet": 1.0, "orla": 1.5, "#1999": 1.6}
    assert claim_terms("It is.") == {"it": 1.0, "be": 1.0}
