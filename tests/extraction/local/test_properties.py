"""Whatever the text: no exception, and every span lies inside the answer."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grapheval.extraction.local import LocalExtractor
from grapheval.types import Outcome, Sample

EXTRACTOR = LocalExtractor()
PIECES = st.sampled_from(
    [
        "Oslo", " is ", "the capital", " of ", "Norway", ". ", ", ", " and ", " which ", "\n", "\n\n", "- ", "# ", "**", "`", "[1]",
        "| a | b |\n|--|--|\n| c | d |", "I don't know", " but ", "1932", " was built in ", '"', "(", ")", ": ", "?", "\ud800", "\x00",
        "\u202e", "שלום", "日本。", "&amp;", "<b>", "```", "> ", "not ", "if ", "including ", "such as ", "such", " who ", "said that ", "😀",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


def check(answer: str, extraction) -> None:
    for claim in extraction.claims:
        assert claim.text.strip()
        for span in (claim.span, claim.parts.subject, claim.parts.relation, claim.parts.object):
            if span is not None:
                assert 0 <= span.start < span.end <= len(answer)
        assert claim.span is not None
        if claim.triple is not None:
            assert claim.triple.subject
            assert claim.triple.relation
            assert claim.triple.object
    assert bool(extraction.claims) == (extraction.outcome in {Outcome.OK, Outcome.UNSUPPORTED_LANGUAGE})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answer=TEXTS, question=st.one_of(st.none(), TEXTS))
def test_any_text(answer, question):
    sample = Sample(answer, question=question)
    (extraction,) = EXTRACTOR.extract([sample])
    check(sample.answer, extraction)


def test_long_answers_in_parts():
    answer = "The bridge of Oslo was built in 1932. " * 700 + "and " * 3000 + "x" * 30_000
    (extraction,) = EXTRACTOR.extract([Sample(answer)])
    check(answer, extraction)
    assert extraction.claims[0].text == "The bridge of Oslo was built in 1932"
