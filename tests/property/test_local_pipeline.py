"""Any answer, context and question through the whole offline pipeline: no exception, and every span holds its text."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grapheval import Evaluation, GraphEval, Sample
from grapheval.types import Status

PIPELINE = GraphEval.local()
PIECES = st.sampled_from(
    [
        "Oslo", " is ", "the capital", " of ", "Norway", ". ", ", ", " and ", " it ", " they ", "The bridge was built in 1932. ",
        " because ", " up to ", "300", " people", "only ", "not ", "There are ", " that ", " who ", "Anna Berg", "\n", "\n\n", "- ", "1. ",
        "# ", "**", "`", "```", "> ", "[1]", "[a](b)", "| a | b |\n|--|--|\n| c | d |", "<b>", "&amp;", "&#0;", '"', "“", "'", "(", ")", ": ",
        "?", "I don't know", " but ", "\ud800", "\udfff", "\x00", "\x07", "\x1b[31m", "\u202e", "\u2066", "\u200b", "\ufeff", "\u0301",
        "שלום עולם", "مرحبا بالعالم. ", "日本は島国。", "Москва – столица. ", "😀", "👩‍👩‍👧", "ß", "İ", "ﬁ", "½", "²", "$5", "%", "\r\n", "\t", "\x85", "\u2028",
    ]
)  # fmt: skip
REPEATED = st.builds(lambda piece, times: piece * times, PIECES, st.integers(2, 400))
TEXTS = st.one_of(
    st.text(max_size=150),
    st.text(alphabet=st.characters(), max_size=60),
    st.lists(st.one_of(PIECES, PIECES, PIECES, REPEATED), max_size=30).map("".join),
)
WORD = re.compile(r"\w+")


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def check(sample: Sample, evaluation: Evaluation) -> None:
    answer = sample.answer
    sources = {source.id or str(number): source.text for number, source in enumerate(sample.sources, start=1)}
    for verdict in evaluation.verdicts:
        claim = verdict.claim
        assert claim.text.strip()
        assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", claim.text)
        for span in (claim.span, claim.parts.subject, claim.parts.relation, claim.parts.object):
            if span is not None:
                assert 0 <= span.start < span.end <= len(answer)
                assert answer[span.start : span.end].strip()
        if claim.span is not None and not sample.question:
            held = re.sub(
                r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f-\x9f*_`~]",
                "",
                answer[slice(*claim.span)],
            )
            said = re.sub(r"[*_`~]", "", claim.text)
            assert words(held) & words(said) or not words(held) or len(words(held)) < 2
        for evidence in verdict.evidence:
            assert evidence.text == sources[evidence.source_id][evidence.start : evidence.end]
            assert evidence.text
        if verdict.p_ungrounded is not None:
            assert 0 <= verdict.p_ungrounded <= 1
        else:
            assert verdict.reason is not None
    if evaluation.p_inconsistent is None:
        assert evaluation.status not in {Status.CONSISTENT, Status.INCONSISTENT}
    written = json.dumps(evaluation.to_dict(), ensure_ascii=False, allow_nan=False).encode()
    assert Evaluation.from_dict(json.loads(written)) == evaluation


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(answer=TEXTS, contexts=st.lists(TEXTS, max_size=3), question=st.one_of(st.none(), TEXTS))
@example("Oslo\x00 is the\x07 capital of Nor\u202eway.", ["Oslo is the capital of Norway."], None)
@example("**Oslo** is the `capital` of _Norway_.", ["\ud800" * 50, "Oslo"], "\ud800?")
@example("The bridge is in שלום עולם and was built in 1932.", ["שלום עולם " * 300], None)
def test_any_text(answer, contexts, question):
    sample = Sample(answer, contexts, question)
    check(sample, PIPELINE.evaluate(sample))


@pytest.mark.parametrize(
    "answer",
    ["a" * 60_000, "*" * 20_000, "[" * 20_000, "`" * 20_000, "| a " * 8_000, "> " * 10_000, "(" * 20_000, "\u0301" * 20_000, "\x00" * 50_000],
    ids=["letters", "stars", "brackets", "ticks", "cells", "quotes", "parens", "accents", "zeros"],
)  # fmt: skip
def test_one_character_many_times(answer):
    sample = Sample(answer, ["Oslo is the capital of Norway."])
    check(sample, PIPELINE.evaluate(sample))
