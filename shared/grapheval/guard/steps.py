"""What a guard asks of its pipeline, and how it is done: synchronously or not. Failures come back as values."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from grapheval.correction.policy import Unrepairable, leaving
from grapheval.drive import Typed
from grapheval.errors import GraphEvalError, InputError, MissingExtraError
from grapheval.guard.scope import scoped
from grapheval.llm.deadline import answer_deadline, within
from grapheval.offload import offload
from grapheval.protocols import Corrector, SupportsAsyncCorrect
from grapheval.types import Correction, Evaluation, Sample

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judge:
    """Ask for the judgement of `sample.answer[boundary:]`; the result is an `Evaluation`, or the error."""

    sample: Sample
    boundary: int = 0
    seen: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Repair:
    """Ask for the repair of `sample.answer[boundary:]`; the result is a `Correction`, or the error.

    `unrepaired` is for correctors that can take a clause out where they find no repair.
    """

    sample: Sample
    before: Evaluation
    boundary: int = 0
    seen: frozenset[str] = frozenset()
    unrepaired: Unrepairable = "keep"


Step = Judge | Repair
Steps = Generator[Step, Any, T]
"""A computation that yields steps and is sent their results, so that both drivers run the very same one."""


def drive(steps: Steps[T], pipeline: GraphEval) -> T:
    """Run a computation to its end."""
    result: Any = None
    while True:
        try:
            step = steps.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        try:
            result = _do(step, pipeline)
        except MissingExtraError:
            raise  # a fault of the set-up, not of the answer
        except GraphEvalError as error:
            result = error


async def adrive(steps: Steps[T], pipeline: GraphEval, *, light: bool = False) -> T:
    """Run a computation to its end without blocking the event loop.

    Args:
        steps: The computation.
        pipeline: Does what it asks for.
        light: Whether its beginning costs next to nothing, as that of most chunks does: it needs no worker thread.
    """
    step = _next(steps, None) if light else await offload(_next, steps, None)
    while not isinstance(step, _End):
        result: Any = None
        try:
            result = await _ado(step, pipeline)
        except MissingExtraError:
            raise
        except GraphEvalError as error:
            result = error
        step = await offload(_next, steps, result)
    return step.value  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _End:
    """What a computation returned."""

    value: Any


def _next(steps: Steps[Any], result: Any) -> Step | _End:
    try:
        return steps.send(result)
    except StopIteration as end:
        return _End(end.value)


def _do(step: Step, pipeline: GraphEval) -> Evaluation | Correction:
    narrow = scoped(pipeline, step.boundary, step.seen)
    if isinstance(step, Judge):
        return narrow.evaluate(step.sample)
    corrector = leaving(needed_corrector(pipeline), step.unrepaired)
    with answer_deadline(pipeline.answer_timeout), Typed("correct", corrector.info):
        return corrector.correct(step.sample, step.before, narrow.evaluate)


async def _ado(step: Step, pipeline: GraphEval) -> Evaluation | Correction:
    narrow = scoped(pipeline, step.boundary, step.seen)
    if isinstance(step, Judge):
        return await narrow.aevaluate(step.sample)
    corrector = leaving(needed_corrector(pipeline), step.unrepaired)
    name = corrector.info
    if isinstance(corrector, SupportsAsyncCorrect):
        repair: Awaitable[Correction] = corrector.acorrect(step.sample, step.before, narrow.aevaluate)
    else:
        repair = asyncio.to_thread(corrector.correct, step.sample, step.before, narrow.evaluate)
    with Typed("correct", name):
        return await within(pipeline.answer_timeout, repair)


def needed_corrector(pipeline: GraphEval) -> Corrector:
    """The pipeline's corrector.

    Raises:
        InputError: It has none.
    """
    if pipeline.corrector is None:
        msg = (
            'on_flagged="correct" needs a pipeline with a corrector: build it with GraphEval.local() or '
            'GraphEval.from_llm(llm), or pass corrector=..., or choose on_flagged="block", "flag" or "raise"'
        )
        raise InputError(msg)
    return pipeline.corrector
