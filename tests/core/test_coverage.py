from __future__ import annotations

from grapheval import Claim, Coverage, Span, Triple
from grapheval.coverage import coverage
from grapheval.types import TripleParts


def test_what_no_triple_covers_is_listed() -> None:
    answer = "Ada met Charles Babbage in 1833. It rained for 3 days."
    claims = [
        Claim("Ada met Charles Babbage", Triple("Ada", "met", "Charles Babbage"), Span(0, 23)),
        Claim("It rained for 3 days.", None, Span(33, 54)),
    ]
    got = coverage(answer, claims)
    assert got.sentences == (Span(33, 54),)
    assert [span.of(answer) for span in got.numbers] == ["1833", "3"]
    assert got.names == ()


def test_a_name_that_no_triple_touches() -> None:
    answer = "The prize went to Marie Curie of Warsaw."
    parts = TripleParts(Span(0, 9), Span(10, 17), Span(18, 29))
    got = coverage(answer, [Claim("x", Triple("The prize", "went to", "Marie Curie"), None, parts)])
    assert [span.of(answer) for span in got.names] == ["Warsaw"]


def test_an_unplaced_triple_covers_what_it_names() -> None:
    answer = "Warsaw has 1.8 million people."
    claim = Claim("Warsaw has 1.8 million people", Triple("Warsaw", "has", "1.8 million people"))
    assert coverage(answer, [claim]) == Coverage()


def test_list_numbers_and_citation_markers_state_nothing() -> None:
    answer = "1. It rained [2].\n2. It snowed for 3 days【4】 [5, 6]."
    got = coverage(answer, [])
    assert [span.of(answer) for span in got.numbers] == ["3"]
