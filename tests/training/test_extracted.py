"""Stage D's claims: what is called false must be false."""

from __future__ import annotations

import random

from grapheval import Claim, Triple
from training.rows import ENTAILMENT, NOT_ENTAILMENT
from training.synthetic.extracted import _window_rows, exchanged_subjects, is_name, words


def claim(subject: str, relation: str, obj: str) -> Claim:
    return Claim(f"{subject} {relation} {obj}", Triple(subject, relation, obj))


def test_a_predicate_goes_to_another_named_subject() -> None:
    claims = [claim("Ada Byron", "wrote", "a program"), claim("Charles Babbage", "built", "an engine")]
    assert set(exchanged_subjects(claims)) == {"Charles Babbage wrote a program", "Ada Byron built an engine"}


def test_subjects_that_may_be_the_same_are_left_alone() -> None:
    claims = [
        claim("Ada Byron", "wrote", "a program"),
        claim("Byron", "met", "Babbage"),
        claim("She", "lived in", "London"),
        claim("The company", "built", "an engine"),
    ]
    assert list(exchanged_subjects(claims)) == []


def test_someone_who_takes_part_is_no_wrong_subject() -> None:
    claims = [claim("Ada", "married", "William King"), claim("William King", "became", "an earl")]
    assert list(exchanged_subjects(claims)) == ["Ada became an earl"]  # and not "William King married William King"


def test_only_names_are_names() -> None:
    assert is_name("Bank of England")
    assert not any(map(is_name, ["It", "the bank", "The bank", "This Monday", "two Danes"]))


def test_what_another_window_says_is_not_entailed_unless_this_one_holds_its_words() -> None:
    own = [claim("Oslo", "is", "the capital")]
    others = [claim("Oslo", "has", "a capital"), claim("Oslo", "has", "a harbour")]
    rows = list(_window_rows("Oslo is the capital.", own, others, random.Random(0)))
    assert [(r.hypothesis, r.label, r.source) for r in rows] == [
        ("Oslo is the capital", ENTAILMENT, "syn-extracted"),
        ("Oslo has a harbour", NOT_ENTAILMENT, "syn-extracted-elsewhere"),
    ]


def test_words_are_folded_and_short_ones_left_out() -> None:
    assert words("A Big-time deal in 1999") == {"big", "time", "deal", "1999"}
