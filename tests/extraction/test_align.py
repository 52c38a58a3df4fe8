"""Places of triples in the answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval.extraction.align import Aligner, lowered, uncovered
from grapheval.types import Claim, Span, Triple

TEXT = (
    "The Kestrel Bridge, built by Ana Ruiz, opened in June 1931. It is 412 m long! "
    "Critics said that the bridge might not survive a storm. ZÜRICH's İnn is near."
)


def place(*parts: str, text: str = TEXT) -> tuple[str | None, str | None, str | None, str | None]:
    triple = Triple(*parts)
    (claim,) = Aligner(text).align([Claim(str(triple), triple)])

    def of(span: Span | None) -> str | None:
        return span.of(text) if span is not None else None

    return of(claim.span), of(claim.parts.subject), of(claim.parts.relation), of(claim.parts.object)


def test_word_for_word() -> None:
    assert place("the bridge", "might not survive", "a storm") == (
        "the bridge might not survive a storm", "the bridge", "might not survive", "a storm"
    )  # fmt: skip


def test_parts_that_are_not_adjacent() -> None:
    assert place("Kestrel Bridge", "opened in", "June 1931") == (
        "Kestrel Bridge, built by Ana Ruiz, opened in June 1931", "Kestrel Bridge", "opened in", "June 1931"
    )  # fmt: skip


def test_a_pronoun_stands_for_the_subject() -> None:
    assert place("The Kestrel Bridge", "is", "412 m long") == (
        "is 412 m long",
        "The Kestrel Bridge",
        "is",
        "412 m long",
    )


def test_reordered_and_reworded() -> None:
    span, subject, _, obj = place("Ana Ruiz", "has built", "the Kestrel Bridge")
    assert (subject, obj) == ("Ana Ruiz", "The Kestrel Bridge")
    assert span == "The Kestrel Bridge, built by Ana Ruiz"
    assert place("Critics", "claimed the bridge might not survive", "storms")[0] is not None


def test_case_and_letters_whose_lower_case_is_longer() -> None:
    assert place("zürich's i̇nn", "is", "near")[3] == "near"
    assert len(lowered("İSTANBUL ẞ")) == len("İSTANBUL ẞ")


@pytest.mark.parametrize(
    "parts", [("Pluto", "orbits", "the Sun"), ("Ana Ruiz", "married", "a sailor in Cuba"), ("x", "y", "z")]
)
def test_what_the_answer_does_not_say_has_no_place(parts: tuple[str, str, str]) -> None:
    assert place(*parts) == (None, None, None, None)


def test_claims_come_in_the_order_of_the_answer_and_the_unplaced_last() -> None:
    triples = [
        Triple("Pluto", "orbits", "the Sun"),
        Triple("bridge", "is", "412 m long"),
        Triple("Ana Ruiz", "built", "Kestrel Bridge"),
    ]
    claims = Aligner(TEXT).align([Claim(str(t), t) for t in triples])
    assert [c.triple.subject for c in claims if c.triple] == ["Ana Ruiz", "bridge", "Pluto"]


def test_no_match_inside_a_word() -> None:
    assert place("art", "is in", "Bonn", text="The party is over. The art is in Bonn.")[1] == "art"
    assert Aligner("The party is over. The art is in Bonn.").align([Claim("x", Triple("art", "is in", "Bonn"))])[
        0
    ].span == Span(23, 37)


def test_sentences_without_triples() -> None:
    aligner = Aligner(TEXT)
    claims = aligner.align([Claim("", Triple("The Kestrel Bridge", "opened in", "June 1931"))])
    assert [claim.text for claim in uncovered(aligner, claims)] == [
        "It is 412 m long!",
        "Critics said that the bridge might not survive a storm.",
        "ZÜRICH's İnn is near.",
    ]
    assert uncovered(Aligner("... !"), []) == []


def test_what_alone_states_nothing_is_left_out_and_what_is_said_twice_is_covered_twice() -> None:
    text = "Its owners are:\n- Ana Ruiz\n- The bank of Lima owns it too.\nAs said, it opened in June 1931. It opened in June 1931."
    aligner = Aligner(text)
    claims = aligner.align([Claim("", Triple("The bridge", "opened in", "June 1931"))])
    assert [claim.text for claim in uncovered(aligner, claims)] == ["The bank of Lima owns it too."]
    assert [claim.text for claim in uncovered(Aligner("Oslo"), [])] == ["Oslo"]


PARTS = st.text(max_size=12).filter(lambda s: s.strip())


@settings(deadline=None)
@given(st.text(max_size=120), st.lists(st.tuples(PARTS, PARTS, PARTS), max_size=3))
def test_any_text_any_triple(text: str, rows: list[tuple[str, str, str]]) -> None:
    aligner = Aligner(text)
    claims = aligner.align([Claim("x", Triple(*row)) for row in rows])
    assert len(claims) == len(rows)
    for claim in [*claims, *uncovered(aligner, claims)]:
        for span in (claim.span, claim.parts.subject, claim.parts.relation, claim.parts.object):
            assert span is None or 0 <= span.start <= span.end <= len(text)


@settings(deadline=None)
@given(st.text(st.characters(categories=["Ll", "Lu", "Zs", "Nd"]), min_size=3, max_size=60))
def test_a_piece_of_the_answer_is_found_as_it_stands(text: str) -> None:
    words = text.split()
    if len(words) >= 3:
        answer = f"so {' '.join(words)} end"
        span = place(words[0], " ".join(words[1:-1]), words[-1], text=answer)[0]
        assert span is not None
        assert lowered(" ".join(words)) in lowered(answer)
