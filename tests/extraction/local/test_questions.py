"""Short answers become full claims with the question."""

from __future__ import annotations

import pytest

from grapheval.types import Outcome

CASES = [
    ("What is the capital of Norway?", "Oslo", "The capital of Norway is Oslo"),
    ("What is the capital of Norway?", "Oslo.", "The capital of Norway is Oslo"),
    ("Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet"),
    ("When did World War II end?", "1945", "World War II ended in 1945"),
    ("When was Marie Curie born?", "7 November 1867", "Marie Curie was born on 7 November 1867"),
    ("Where is the Eiffel Tower?", "Paris", "The Eiffel Tower is in Paris"),
    ("Where was Einstein born?", "In Ulm", "Einstein was born in Ulm"),
    ("How many moons does Mars have?", "Two", "Mars has two moons"),
    ("How tall is the Eiffel Tower?", "330 metres", "The Eiffel Tower is 330 metres tall"),
    ("How old is Tom Hanks?", "67", "Tom Hanks is 67 years old"),
    ("Which country won the 2018 World Cup?", "France", "France won the 2018 World Cup"),
    ("What did Edison invent?", "The light bulb", "Edison invented the light bulb"),
    ("In which year was NATO founded?", "1949", "NATO was founded in 1949"),
    ("Which team does Messi play for?", "Inter Miami", "Messi plays for Inter Miami"),
    ("Is Oslo the capital of Norway?", "Yes", "Oslo is the capital of Norway"),
    ("Is Oslo the capital of Norway?", "Yes, it is.", "Oslo is the capital of Norway"),
    ("Does the store sell shoes?", "No.", "The store does not sell shoes"),
    ("Did Norway win the game?", "Yes", "Norway won the game"),
    ("Has the company paid its debts?", "No", "The company has not paid its debts"),
    ("Can you tell me what the capital of Norway is?", "Oslo", "The capital of Norway is Oslo"),
]


@pytest.mark.parametrize(("question", "answer", "claim"), CASES)
def test_claim(read, question, answer, claim):
    found = read(answer, question)
    assert [c.text for c in found.claims] == [claim]
    assert found.outcome is Outcome.OK
    assert all(c.span is not None for c in found.claims)


def test_span_is_the_answer(read):
    (claim,) = read("Oslo", "What is the capital of Norway?").claims
    assert claim.span == (0, 4)
    assert claim.triple is not None
    assert (claim.triple.subject, claim.triple.relation, claim.triple.object) == ("the capital of Norway", "is", "Oslo")


def test_unknown_form_of_question_is_kept_in_front(read):
    (claim,) = read("Oslo", "Norwegian capital?").claims
    assert claim.text == "Norwegian capital? Oslo"


def test_full_answers_stand_alone(read):
    found = read("Yes, BullTech removes malware.", "Does BullTech remove malware?")
    assert [c.text for c in found.claims] == ["BullTech removes malware"]


def test_the_question_says_who_it_is(read):
    found = read("It is Oslo.", "What is the capital of Norway?")
    assert [c.text for c in found.claims] == ["The capital of Norway is Oslo"]


@pytest.mark.parametrize("question", ["q", "what", "x?", "   ", "??"])
def test_one_word_asks_nothing(read, question):
    assert [c.text for c in read("The capital of Norway is Oslo.", question).claims] == [
        "The capital of Norway is Oslo"
    ]
    assert [c.text for c in read("It was built in 1932.", question).claims] == ["It was built in 1932"]


def test_keywords_stand_before_a_colon(read):
    assert [c.text for c in read("Oslo", "capital of Norway").claims] == ["Capital of Norway: Oslo"]
