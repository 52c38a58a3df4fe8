"""Refusals by frame: who, negated, knows or contains what."""

from __future__ import annotations

import pytest

from grapheval.extraction.abstention import kind_of, segments

DECLINES = [
    "I don't know.",
    "I found nothing about your order.",
    "I'm sorry, but I couldn't find any information about that.",
    "The provided context does not mention the year.",
    "The passages do not contain information about the mayor.",
    "There is not enough information to determine what it refers to.",
    "Based on the provided passages, there is no information about this.",
    "It is not possible to determine the answer from the given text.",
    "Unfortunately, I am unable to answer this question.",
    "As an AI language model, I cannot provide medical advice.",
    "The answer cannot be determined based on the provided passages.",
    "Unknown.",
    "No information available.",
    "The height of the tower is not specified in the context.",
    "None of the documents mention the price.",
    "We were unable to locate your order in our records.",
    "I can't help with that request.",
    "I’m not sure.",
    "Based on the documents, it is unclear when the contract ends.",
]
STATES = [
    "The study found no evidence that coffee causes cancer.",
    "The company does not provide refunds.",
    "There is no evidence that the treaty was signed.",
    "He could not find his keys.",
    "Scientists do not know why the sky glows.",
    "She was unable to attend the meeting.",
    "The museum has no information desk.",
    "We do not sell shoes.",
    "The report does not include taxes.",
    "The police said they had no information about the suspect.",
    "The database does not support transactions.",
    "This information is not available to the public.",
    "There are no direct flights from Oslo to Lima.",
    "The source of the river is unknown.",
    "The document was never signed by the king.",
    '"I don\'t know the outcome," the mayor said.',
    "Norway is not a member of the union.",
]


@pytest.mark.parametrize("sentence", DECLINES)
def test_declines(sentence):
    assert kind_of(sentence) == "declines"


@pytest.mark.parametrize("sentence", STATES)
def test_content_is_no_refusal(sentence):
    assert kind_of(sentence) == "states"


@pytest.mark.parametrize(
    "sentence", ["Hello!", "Sure!", "I hope this helps!", "Let me know if you have any questions."]
)
def test_small_talk(sentence):
    assert kind_of(sentence) == "small_talk"


def test_segments_around_a_turn():
    text = "I don't know the year, but the bridge is in Oslo. It is long."
    assert [(s.kind, text[s.start : s.end]) for s in segments(text)] == [
        ("declines", "I don't know the year"),
        ("states", "the bridge is in Oslo. It is long."),
    ]
