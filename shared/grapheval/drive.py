"""Runs plans, one at a time or asynchronously, and calls their stages; `many` runs several together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from grapheval.errors import GraphEvalError, ModelError
from grapheval.llm.deadline import GRACE, check_time, within
from grapheval.offload import compute_bound, offload
from grapheval.plan import Extract, Plan, Select, Step, Verify
from grapheval.protocols import (
    EvidenceSelector,
    Extractor,
    Judgement,
    Pair,
    SupportsAsyncExtract,
    SupportsAsyncVerify,
    SupportsUsage,
    Verifier,
)
from grapheval.types import Evaluation, Extraction, Failure, Sample, Usage

if TYPE_CHECKING:
    from grapheval.verification.dynamic import DynamicBatcher

T = TypeVar("T")

BATCH = 16
"""Answers that go through the stages together where there are many."""


def batch_size_of(extractor: Extractor) -> int:
    """How many answers to take at once; an extractor may ask for another number with `batch_size`."""
    return int(getattr(extractor, "batch_size", BATCH))


@dataclass(frozen=True, slots=True)
class Driver:
    """Carries out the steps that plans ask for.

    Args:
        extractor: Reads the answers.
        selector: Finds the evidence.
        verifier: Judges the pairs.
        batcher: Joins the pairs of asynchronous calls, where the verifier computes in this process; None = each call
            runs the verifier in a thread of its own.
        answer_timeout: Seconds that an answer may take; whoever runs the plans starts its clock.
    """

    extractor: Extractor
    selector: EvidenceSelector
    verifier: Verifier
    batcher: DynamicBatcher | None = None
    answer_timeout: float | None = None

    def run(self, plan: Plan) -> Evaluation:
        """Run one plan to its end."""
        result: Any = None
        while True:
            try:
                step = plan.send(result)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            result = self.do(step)

    async def arun(self, plan: Plan) -> Evaluation:
        """Run one plan to its end; nothing computes on the event loop's own thread, not even the plan itself."""
        result: Any = None
        while True:
            step = await offload(self._advance, plan, result)
            if isinstance(step, Evaluation):
                return step
            result = await self._ado(step)

    # ------------------------------------------------------------------------------------------------------ steps

    def _advance(self, plan: Plan, result: Any) -> Extract | Verify | Evaluation:
        """Take a plan to its next step that waits, or to its end; steps that only compute are carried out."""
        while True:
            try:
                step = plan.send(result)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if isinstance(step, Verify) or (isinstance(step, Extract) and not compute_bound(self.extractor)):
                return step
            result = self.do(step)

    def do(self, step: Step) -> Any:
        """Carry out one step; the result is what its plan is to be sent.

        Raises:
            GraphEvalError: The stage failed.
        """
        if isinstance(step, Extract):
            (extraction,), usage = self.extract([step.sample])
            return extraction, usage
        if isinstance(step, Select):
            _in_time("select")
            return _guarded("select", self.selector.info, lambda: self._select(step))
        return self.verify(step.pairs)

    async def _ado(self, step: Extract | Verify) -> Any:
        _in_time("extract" if isinstance(step, Extract) else "verify")
        if isinstance(step, Extract):
            if isinstance(self.extractor, SupportsAsyncExtract):
                with Typed("extract", self.extractor.info):
                    extractions = await within(None, self.extractor.aextract([step.sample]), grace=GRACE)
                return extractions[0], _usage(self.extractor)
        else:
            verifier = self.verifier if isinstance(self.verifier, SupportsAsyncVerify) else self.batcher
            if verifier is not None:
                with Typed("verify", self.verifier.info.name):
                    judgements = await within(None, verifier.averify(step.pairs), grace=GRACE)
                return judgements, _usage(self.verifier)
        return await asyncio.to_thread(self.do, step)

    def extract(self, samples: Sequence[Sample]) -> tuple[list[Extraction], Usage]:
        """The claims of several answers in one call, and what that cost.

        Raises:
            GraphEvalError: The extractor failed.
        """
        _in_time("extract")
        extractions = _guarded("extract", self.extractor.info, lambda: self.extractor.extract(samples))
        if len(extractions) != len(samples):
            msg = f"extractor {self.extractor.info} returned {len(extractions)} results for {len(samples)} samples"
            raise ModelError(msg)
        return extractions, _usage(self.extractor)

    def _select(self, step: Select) -> Any:
        return self.selector.select(step.claims, step.sample.sources, self.verifier.count_tokens, self.verifier.info)

    def verify(self, pairs: Sequence[Pair]) -> tuple[list[Judgement], Usage]:
        """The judgements of some pairs in one call, and what that cost.

        Raises:
            GraphEvalError: The verifier failed.
        """
        name = self.verifier.info.name
        _in_time("verify")
        judgements = _guarded("verify", name, lambda: self.verifier.verify(pairs))
        if len(judgements) != len(pairs):
            msg = f"verifier {name} returned {len(judgements)} judgements for {len(pairs)} pairs"
            raise ModelError(msg)
        return judgements, _usage(self.verifier)


def failure_of(error: GraphEvalError, sample: Sample, number: int, *, stage: str | None = None) -> Failure:
    """An exception as a value; `number` is the sample's position, its name if it has no id."""
    return Failure(
        sample_id=sample.id if sample.id is not None else str(number),
        stage=stage or error.stage or "input",
        code=error.code,
        message=str(error),
        retryable=error.retryable,
    )


def _usage(stage: object) -> Usage:
    return stage.take_usage() if isinstance(stage, SupportsUsage) else Usage(calls=0)


class Typed:
    """Whatever a plug-in raises leaves as a GraphEvalError that knows its stage."""

    def __init__(self, stage: str, name: str) -> None:
        self.stage, self.name = stage, name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, GraphEvalError):
            error.stage = self.stage
        elif isinstance(error, Exception):
            retryable = isinstance(error, TimeoutError | ConnectionError)
            code = "timeout" if isinstance(error, TimeoutError) else None
            msg = f"{self.name} failed: {type(error).__name__}: {error}"
            wrapped = ModelError(msg, retryable=retryable, code=code)
            wrapped.stage = self.stage
            raise wrapped from error


def _in_time(stage: str) -> None:
    with Typed(stage, stage):
        check_time(f"before the stage {stage!r}")


def _guarded(stage: str, name: str, call: Callable[[], T]) -> T:
    with Typed(stage, name):
        return call()
