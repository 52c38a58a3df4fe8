"""Only the end of a text is judged, and nothing in it slips by."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval import Claim, Extraction, Outcome, Reason, Sample, Span, Triple
from grapheval.guard.scope import AsyncTailExtractor, TailExtractor
from grapheval.types import TripleParts

TEXT = "Oslo is big. It is old."
BOUNDARY = len("Oslo is big. ")


class Table:
    """Extractions by answer."""

    info = "table"

    def __init__(self, table: dict[str, Extraction]) -> None:
        self.table = table

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        return [self.table[sample.answer] for sample in samples]

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        return self.extract(samples)


BIG = Claim("Oslo is big", Triple("Oslo", "is", "big"), Span(0, 11))
OLD = Claim("Oslo is old", Triple("Oslo", "is", "old"), Span(13, 22), TripleParts(Span(0, 4), None, Span(19, 22)))


def test_claims_before_the_boundary_are_left_out() -> None:
    extractor = TailExtractor(Table({TEXT: Extraction((BIG, OLD))}), BOUNDARY)
    (got,) = extractor.extract([Sample(TEXT)])
    assert got.claims == (OLD,)


def test_an_end_without_claims_is_read_on_its_own() -> None:
    alone = Claim("It is old", None, Span(0, 9), TripleParts(Span(0, 2)))
    table = Table({TEXT: Extraction((BIG,)), "It is old.": Extraction((alone,))})
    (got,) = TailExtractor(table, BOUNDARY).extract([Sample(TEXT)])
    (claim,) = got.claims
    assert claim.span == (13, 22)
    assert claim.parts.subject == (13, 15)
    assert claim.span.of(TEXT) == "It is old"


def test_the_extractor_says_what_an_end_without_claims_is() -> None:
    failed = Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NO_TRIPLES)
    table = Table({TEXT: Extraction((BIG,)), "It is old.": failed})
    assert TailExtractor(table, BOUNDARY).extract([Sample(TEXT)]) == [failed]


async def test_async() -> None:
    table = Table({TEXT: Extraction((BIG, OLD))})
    assert (await AsyncTailExtractor(table, BOUNDARY).aextract([Sample(TEXT)]))[0].claims == (OLD,)


def test_claims_without_a_place_count_once() -> None:
    loose = [Claim("Oslo is big"), Claim("Oslo is old")]
    table = Table({TEXT: Extraction(tuple(loose))})
    (got,) = TailExtractor(table, BOUNDARY, frozenset({"Oslo is big"})).extract([Sample(TEXT)])
    assert got.claims == (loose[1],)
