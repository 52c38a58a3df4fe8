from __future__ import annotations

import asyncio

import pytest

from grapheval.errors import InputError
from grapheval.extraction.local import LocalExtractor
from grapheval.protocols import Extractor, SupportsAsyncExtract
from grapheval.types import Outcome, Reason, Sample


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "  \n",
        "...",
        "— ! ?",
        "Hello!",
        "Hi there!",
        "# Introduction",
        "Key facts",
        "What is it?",
        "```\nx = a[1]\n```",
    ],
)
def test_nothing_to_check(read, answer):
    found = read(answer)
    assert (found.outcome, found.reason, found.claims) == (Outcome.NO_CLAIMS, Reason.NOTHING_TO_CHECK, ())


@pytest.mark.parametrize(
    "answer",
    ["I don't know.", "I found nothing about your order.", "Hello! I could not find the year. I hope this helps!"],
)
def test_abstained(read, answer):
    found = read(answer)
    assert (found.outcome, found.reason, found.claims) == (Outcome.ABSTAINED, Reason.ANSWER_DECLINES, ())


def test_a_refusal_with_a_statement_is_judged_on_the_statement(read):
    found = read("I don't know the year, but the bridge is in Oslo.")
    assert found.outcome is Outcome.OK
    assert [c.text for c in found.claims] == ["The bridge is in Oslo"]


@pytest.mark.parametrize(
    "answer",
    [
        "東京は日本の首都です。人口は約1400万人です。",
        "عاصمة النرويج هي أوسلو.",
        "Die Hauptstadt von Norwegen ist Oslo und liegt am Meer.",
        "La capitale de la France est Paris et elle est sur la Seine.",
    ],
)
def test_other_languages_are_not_read_as_english(read, answer):
    found = read(answer)
    assert (found.outcome, found.reason) == (Outcome.UNSUPPORTED_LANGUAGE, Reason.UNSUPPORTED_LANGUAGE)
    assert found.claims
    assert not found.triples
    for claim in found.claims:
        assert claim.span is not None
        assert answer[claim.span.start : claim.span.end] == claim.text


def test_mixed_languages(read):
    found = read("Oslo lies on a fjord.\n\n東京は日本の首都です。")
    assert found.outcome is Outcome.OK
    assert [(c.text, c.triple is None) for c in found.claims] == [
        ("Oslo lies on a fjord", False),
        ("東京は日本の首都です。", True),
    ]


def test_too_long_is_an_input_error():
    with pytest.raises(InputError, match="1,001 characters"):
        LocalExtractor(max_chars=1000).extract([Sample("a" * 1001)])


def test_batch_keeps_order_and_equals_single_calls(read):
    answers = ["Oslo lies on a fjord.", "", "I don't know.", "Anna met Bob in 1950. He was tired.", "Hello!"]
    batch = LocalExtractor().extract([Sample(a) for a in answers])
    assert batch == [read(a) for a in answers]


def test_no_samples():
    assert LocalExtractor().extract([]) == []


def test_async_equals_sync(read):
    assert asyncio.run(LocalExtractor().aextract([Sample("Oslo lies on a fjord.")])) == [read("Oslo lies on a fjord.")]


def test_protocols_and_info():
    extractor = LocalExtractor()
    assert isinstance(extractor, Extractor)
    assert isinstance(extractor, SupportsAsyncExtract)
    assert extractor.info.startswith("local/en_core_web_sm")
    assert "spacy-3." in extractor.info


def test_a_statement_before_a_question_to_the_reader_is_read(read):
    found = read("Poodles are French dogs, do you like them?")
    assert [claim.text for claim in found.claims] == ["Poodles are French dogs"]
    assert read("If you like dogs, do you like cats?").claims == ()


def test_what_is_known_after_a_refusal_is_read(read):
    found = read("I'm not sure, I do know that the bridge was built in 1932.")
    assert [claim.text for claim in found.claims] == ["The bridge was built in 1932"]
