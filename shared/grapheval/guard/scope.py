"""A pipeline that judges only the end of a text: what comes before is read, for pronouns, but was judged already."""

from __future__ import annotations

import copy
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grapheval.protocols import Extractor, SupportsAsyncExtract, SupportsPrompts, SupportsUsage
from grapheval.types import Claim, Extraction, Sample, Usage

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
    def prompt_hashes(self) -> dict[str, str]:
        """Those of the extractor inside."""
        return self.inner.prompt_hashes if isinstance(self.inner, SupportsPrompts) else {}

    def take_usage(self) -> Usage:
        """That of the extractor inside."""
        return self.inner.take_usage() if isinstance(self.inner, SupportsUsage) else Usage(calls=0)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample; spans point into the whole text."""
        return [self._tail(extraction) for extraction in self.inner.extract(samples)]

    def _tail(self, extraction: Extraction) -> Extraction:
        return replace(extraction, claims=tuple(claim for claim in extraction.claims if self._is_new(claim)))

    def _is_new(self, claim: Claim) -> bool:
        return claim.text not in self.seen if claim.span is None else claim.span.end > self.boundary


class AsyncTailExtractor(TailExtractor):
    """The same around an extractor that is natively asynchronous."""

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `extract`."""
        assert isinstance(self.inner, SupportsAsyncExtract)
        return [self._tail(extraction) for extraction in await self.inner.aextract(samples)]


def scoped(pipeline: GraphEval, boundary: int, seen: Set[str]) -> GraphEval:
    """The pipeline, judging only what lies behind `boundary`; everything but the extractor is shared."""
    if not boundary:
        return pipeline
    narrow = copy.copy(pipeline)
    kind = AsyncTailExtractor if isinstance(pipeline.extractor, SupportsAsyncExtract) else TailExtractor
    narrow.extractor = kind(pipeline.extractor, boundary, frozenset(seen))
    return narrow
