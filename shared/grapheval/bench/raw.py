"""The row that GraphEval is compared with: the verifier on the whole answer, as one claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grapheval.protocols import EvidenceSelector
from grapheval.types import Claim, Extraction, Outcome, Reason, Sample, Span, Verdict
from grapheval.verification.plain import BestWindow

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


class WholeAnswer:
    """An extractor that does not extract: the answer is the claim."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "whole-answer"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One claim per answer: all of it."""
        return [self._one(sample.answer) for sample in samples]

    def _one(self, answer: str) -> Extraction:
        text = answer.strip()
        if not text:
            return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
        start = answer.index(text)
        return Extraction((Claim(text, None, Span(start, start + len(text))),))


class OnlyClaim:
    """An aggregator for a single claim."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "only-claim"

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        """The claim's own `p_ungrounded`."""
        return verdicts[0].p_ungrounded if verdicts else None


def raw_detector(pipeline: GraphEval, selector: EvidenceSelector | None = None) -> GraphEval:
    """The verifier of a pipeline on the whole answer: no triples, no rules, no calibration.

    Args:
        pipeline: Whose verifier and threshold are taken.
        selector: Which windows the verifier reads; None = the pipeline's own selector. `AllWindowsSelector` gives the
            strongest baseline: every window is read and the best one decides.
    """
    from grapheval.pipeline import GraphEval

    return GraphEval(
        extractor=WholeAnswer(),
        verifier=pipeline.verifier,
        selector=selector if selector is not None else pipeline.selector,
        folder=BestWindow(),
        aggregator=OnlyClaim(),
        threshold=pipeline.threshold,
        max_answer_chars=pipeline.max_answer_chars,
    )
