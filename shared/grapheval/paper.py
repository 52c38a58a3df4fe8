"""The paper's protocol, for any pipeline: triples only, each against the whole context, any one above the threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grapheval.drive import batch_size_of
from grapheval.offload import compute_bound
from grapheval.protocols import Extractor, Selected, VerifierInfo
from grapheval.types import Claim, Extraction, Outcome, Reason, Sample, Source
from grapheval.verification.plain import BestWindow

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


class TriplesOnly:
    """An extractor without sentence-level claims: the paper checks triples and nothing else.

    Args:
        extractor: Whose triples are kept.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return f"{self._extractor.info}, triples only"

    @property
    def batch_size(self) -> int:
        """The extractor's own."""
        return batch_size_of(self._extractor)

    @property
    def compute_bound(self) -> bool:
        """The extractor's own."""
        return compute_bound(self._extractor)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the extractor's own; an answer without any triple has nothing to check."""
        return [_without_sentences(extraction) for extraction in self._extractor.extract(samples)]


def _without_sentences(extraction: Extraction) -> Extraction:
    claims = tuple(claim for claim in extraction.claims if claim.triple is not None)
    if claims or not extraction.claims:
        return replace(extraction, claims=claims)
    return replace(extraction, claims=(), outcome=Outcome.NO_CLAIMS, reason=Reason.NO_TRIPLES)


class WholeContextSelector:
    """A selector that selects nothing: the context from its beginning, as far as the verifier's input allows."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "whole-context"

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        """One window per claim; what is not read is counted as `unread_chars`."""
        from grapheval.context.whole import whole_context

        return whole_context(claims, sources, count_tokens, verifier)


def as_paper(pipeline: GraphEval) -> GraphEval:
    """A pipeline under the paper's protocol, with the same verifier and threshold.

    Each triple against the whole context in one pair, as far as the verifier's input allows (what is cut is
    reported); any triple above the threshold makes the answer inconsistent; no sentence-level claims.
    """
    from grapheval.aggregation import MaxAggregator
    from grapheval.pipeline import GraphEval

    extractor = pipeline.extractor
    # One that makes no sentence claims stays itself, with its prompts, its usage and its asynchronous form.
    triples_only = getattr(extractor, "sentence_fallback", None) is False
    return GraphEval(
        extractor=extractor if triples_only else TriplesOnly(extractor),
        verifier=pipeline.verifier,
        selector=WholeContextSelector(),
        folder=BestWindow(),
        aggregator=MaxAggregator(),
        corrector=pipeline.corrector,
        threshold=pipeline.threshold,
        prompts=pipeline.prompts,
        max_answer_chars=pipeline.max_answer_chars,
        answer_timeout=pipeline.answer_timeout,
    )
