"""A pipeline that judges only the end of a text: what comes before is read, for pronouns, but was judged already."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grapheval.offload import compute_bound
from grapheval.protocols import Extractor, SupportsAsyncExtract, SupportsPrompts, SupportsUsage
from grapheval.types import Claim, Extraction, Outcome, Sample, Span, TripleParts, Usage

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


@dataclass(frozen=True, slots=True)
class TailExtractor:
    """The claims of an extractor that lie behind a place in the answer.

    Args:
        inner: Reads the whole text.
        boundary: Code point at which the part to judge begins.
        seen: Texts of claims that were judged before: a claim without a place counts as old when it is among them.
    """

    inner: Extractor
    boundary: int
    seen: Set[str] = frozenset()

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return f"{self.inner.info}, by sentence"

    @property
    def compute_bound(self) -> bool:
        """As the extractor inside."""
        return compute_bound(self.inner)

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """Those of the extractor inside."""
        return self.inner.prompt_hashes if isinstance(self.inner, SupportsPrompts) else {}

    def take_usage(self) -> Usage:
        """That of the extractor inside."""
        return self.inner.take_usage() if isinstance(self.inner, SupportsUsage) else Usage(calls=0)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample; spans point into the whole text."""
        tails = [self._tail(extraction) for extraction in self.inner.extract(samples)]
        alone = self._alone(samples, tails)
        again = self.inner.extract(list(alone.values())) if alone else []
        return self._filled(tails, alone, again)

    def _tail(self, extraction: Extraction) -> Extraction:
        return replace(extraction, claims=tuple(claim for claim in extraction.claims if self._is_new(claim)))

    def _is_new(self, claim: Claim) -> bool:
        return claim.text not in self.seen if claim.span is None else claim.span.end > self.boundary

    def _alone(self, samples: Sequence[Sample], tails: Sequence[Extraction]) -> dict[int, Sample]:
        """Samples in whose end no claim was seen: the end is read once more on its own, so that nothing slips by."""
        return {
            number: Sample(sample.answer[self.boundary :], sample.sources, sample.question)
            for number, (sample, tail) in enumerate(zip(samples, tails, strict=True))
            if not tail.claims and tail.outcome is Outcome.OK
        }

    def _filled(
        self, tails: Sequence[Extraction], alone: Mapping[int, Sample], again: Sequence[Extraction]
    ) -> list[Extraction]:
        moved = dict(zip(alone, (_shifted(extraction, self.boundary) for extraction in again), strict=True))
        return [moved.get(number, tail) for number, tail in enumerate(tails)]


class AsyncTailExtractor(TailExtractor):
    """The same around an extractor that is natively asynchronous."""

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `extract`."""
        assert isinstance(self.inner, SupportsAsyncExtract)
        tails = [self._tail(extraction) for extraction in await self.inner.aextract(samples)]
        alone = self._alone(samples, tails)
        again = await self.inner.aextract(list(alone.values())) if alone else []
        return self._filled(tails, alone, again)


def _shifted(extraction: Extraction, by: int) -> Extraction:
    """The extraction with its places moved `by` code points to the right."""

    def move(span: Span | None) -> Span | None:
        return None if span is None else Span(span.start + by, span.end + by)

    def moved(claim: Claim) -> Claim:
        parts = claim.parts
        places = TripleParts(move(parts.subject), move(parts.relation), move(parts.object))
        return replace(claim, span=move(claim.span), parts=places)

    return replace(extraction, claims=tuple(moved(claim) for claim in extraction.claims))


def scoped(pipeline: GraphEval, boundary: int, seen: Set[str]) -> GraphEval:
    """The pipeline, judging only what lies behind `boundary`; everything but the extractor is shared."""
    if not boundary:
        return pipeline
    narrow = copy.copy(pipeline)
    kind = AsyncTailExtractor if isinstance(pipeline.extractor, SupportsAsyncExtract) else TailExtractor
    narrow.extractor = kind(pipeline.extractor, boundary, frozenset(seen))
    return narrow
