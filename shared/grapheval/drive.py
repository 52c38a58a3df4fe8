"""Runs plans: one at a time, asynchronously, or many in lockstep so that stages see batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from grapheval.errors import GraphEvalError, ModelError
from grapheval.plan import Extract, Plan, Select, Stages, Step, Verify, evaluation_plan
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

T = TypeVar("T")

BATCH = 16
"""Answers that go through the stages together in `evaluate_many`."""


def batch_size_of(extractor: Extractor) -> int:
    """How many answers to take at once; an extractor may ask for another number with `batch_size`."""
    return int(getattr(extractor, "batch_size", BATCH))


@dataclass(frozen=True, slots=True)
class Driver:
    """Carries out the steps that plans ask for."""

    extractor: Extractor
    selector: EvidenceSelector
    verifier: Verifier

    def run(self, plan: Plan) -> Evaluation:
        """Run one plan to its end."""
        result: Any = None
        while True:
            try:
                step = plan.send(result)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            result = self._do(step)

    async def arun(self, plan: Plan) -> Evaluation:
        """Run one plan to its end; stages without an asynchronous form run in a worker thread."""
        result: Any = None
        while True:
            try:
                step = plan.send(result)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            result = await self._ado(step)

    def run_many(self, samples: Sequence[Sample], stages: Stages, *, offset: int) -> list[Evaluation | Failure]:
        """Run the plans of several samples in lockstep; what raises becomes a `Failure` in its place."""
        results: dict[int, Evaluation | Failure] = {}
        plans = {i: evaluation_plan(sample, stages) for i, sample in enumerate(samples)}
        pending: dict[int, Any] = dict.fromkeys(plans)
        while pending:
            steps: dict[int, Step] = {}
            for i, value in pending.items():
                try:
                    if isinstance(value, GraphEvalError):
                        raise value
                    steps[i] = plans[i].send(value)
                except StopIteration as end:
                    results[i] = end.value
                except GraphEvalError as error:
                    results[i] = failure_of(error, samples[i], offset + i)
            pending = self._do_many(steps)
        return [results[i] for i in range(len(samples))]

    # ------------------------------------------------------------------------------------------------------ steps

    def _do(self, step: Step) -> Any:
        if isinstance(step, Extract):
            (extraction,), usage = self._extract([step.sample])
            return extraction, usage
        if isinstance(step, Select):
            return _guarded("select", self.selector.info, lambda: self._select(step))
        return self._verify(step.pairs)

    async def _ado(self, step: Step) -> Any:
        if isinstance(step, Extract):
            if isinstance(self.extractor, SupportsAsyncExtract):
                with Typed("extract", self.extractor.info):
                    extractions = await self.extractor.aextract([step.sample])
                return extractions[0], _usage(self.extractor)
        elif isinstance(step, Verify) and isinstance(self.verifier, SupportsAsyncVerify):
            with Typed("verify", self.verifier.info.name):
                judgements = await self.verifier.averify(step.pairs)
            return judgements, _usage(self.verifier)
        return await asyncio.to_thread(self._do, step)

    def _do_many(self, steps: dict[int, Step]) -> dict[int, Any]:
        """Results by sample; an exception stands in the place of the sample that caused it."""
        done: dict[int, Any] = {}
        extracts = {i: step for i, step in steps.items() if isinstance(step, Extract)}
        verifies = {i: step for i, step in steps.items() if isinstance(step, Verify)}
        if len(extracts) > 1:
            try:
                extractions, usage = self._extract([step.sample for step in extracts.values()])
                # A batch's usage cannot be told apart by sample: it is booked on the first.
                for n, (i, extraction) in enumerate(zip(extracts, extractions, strict=True)):
                    done[i] = extraction, usage if n == 0 else Usage(calls=0)
            except GraphEvalError:
                pass  # one by one below, so that only the guilty one fails
        if len(verifies) > 1:
            pairs = [pair for step in verifies.values() for pair in step.pairs]
            try:
                judgements, usage = self._verify(pairs)
                place = 0
                for n, (i, verify) in enumerate(verifies.items()):
                    own = judgements[place : place + len(verify.pairs)]
                    place += len(verify.pairs)
                    done[i] = own, usage if n == 0 else Usage(calls=0)
            except GraphEvalError:
                pass
        for i, step in steps.items():
            if i not in done:
                try:
                    done[i] = self._do(step)
                except GraphEvalError as error:
                    done[i] = error
        return done

    def _extract(self, samples: Sequence[Sample]) -> tuple[list[Extraction], Usage]:
        extractions = _guarded("extract", self.extractor.info, lambda: self.extractor.extract(samples))
        if len(extractions) != len(samples):
            msg = f"extractor {self.extractor.info} returned {len(extractions)} results for {len(samples)} samples"
            raise ModelError(msg)
        return extractions, _usage(self.extractor)

    def _select(self, step: Select) -> Any:
        return self.selector.select(step.claims, step.sample.sources, self.verifier.count_tokens, self.verifier.info)

    def _verify(self, pairs: Sequence[Pair]) -> tuple[list[Judgement], Usage]:
        name = self.verifier.info.name
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


def _guarded(stage: str, name: str, call: Callable[[], T]) -> T:
    with Typed(stage, name):
        return call()
