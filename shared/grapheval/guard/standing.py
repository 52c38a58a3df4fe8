"""What an evaluation means for a guard, and what a failure is turned into."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from grapheval.errors import GraphEvalError
from grapheval.protocols import Aggregator
from grapheval.types import Evaluation, Failure, Provenance, Reason, Sample, Source, Status

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


class Standing(Enum):
    """What a guard makes of an evaluation."""

    CLEAN = "clean"
    FLAGGED = "flagged"
    UNJUDGED = "unjudged"


def standing(evaluation: Evaluation) -> Standing:
    """Clean = consistent, an abstention, or nothing there that could be checked.

    Everything that was not judged is `UNJUDGED`: no context, a reply of the extractor that could not be read, a
    language that the models cannot read, sources that conflict.
    """
    if evaluation.status is Status.INCONSISTENT:
        return Standing.FLAGGED
    if evaluation.status in {Status.CONSISTENT, Status.ABSTAINED}:
        return Standing.CLEAN
    nothing_there = evaluation.status is Status.NO_CLAIMS and evaluation.reason in {None, Reason.NOTHING_TO_CHECK}
    return Standing.CLEAN if nothing_there else Standing.UNJUDGED


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same for all sentences of an answer."""

    sources: tuple[Source, ...]
    question: str | None
    aggregator: Aggregator
    threshold: float
    provenance: Provenance

    @classmethod
    def of(cls, pipeline: GraphEval, sample: Sample) -> Frame:
        """The contexts and question of a sample, the settings of a pipeline."""
        return cls(sample.sources, sample.question, pipeline.aggregator, pipeline.threshold, pipeline.provenance())

    def sample(self, answer: str) -> Sample:
        """That answer with the contexts and the question."""
        return Sample(answer, self.sources, self.question)

    def not_judged(self, error: GraphEvalError) -> Evaluation:
        """The evaluation of a text whose judge failed: no probability, a reason."""
        known = {reason.value: reason for reason in Reason}
        reason = known.get(error.code, Reason.MODEL_ERROR)
        return Evaluation(Status.PARTIAL, reason, threshold=self.threshold, provenance=self.provenance)


def failure_of_step(error: GraphEvalError, name: str = "") -> Failure:
    """An exception of a judge or a corrector as a value."""
    return Failure(name, error.stage or "input", error.code, str(error), error.retryable)
