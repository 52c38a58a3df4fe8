"""The three calls that a service offers, with its limits. The HTTP and the MCP server put their form around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grapheval.errors import GraphEvalError, InputError
from grapheval.types import Correction, Evaluation, Sample

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval
    from grapheval.types.sample import ContextLike

Gone = Callable[[], Awaitable[bool]]
"""Asks whether whoever sent a request still waits for the reply."""


class Busy(GraphEvalError):  # noqa: N818 - it is a state, not a fault
    """The queue is full: try again a little later."""

    code = "busy"
    retryable = True


class TooSlow(GraphEvalError):  # noqa: N818
    """The call took longer than the service allows."""

    code = "timeout"
    retryable = True


class Abandoned(GraphEvalError):  # noqa: N818
    """Nobody waits for the reply any more, so nothing was done."""

    code = "abandoned"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a service accepts.

    Args:
        body_bytes: Longest request, in bytes.
        answer_chars: Longest answer.
        question_chars: Longest question.
        contexts: Most passages.
        running: Calls under way at once.
        waiting: Calls that wait for their turn; the next one is refused.
        seconds: Longest that a call may run, its waiting not counted.

    Raises:
        InputError: A limit is not positive (`waiting` may be 0).
    """

    body_bytes: int = 4 * 1024 * 1024
    answer_chars: int = 20_000
    question_chars: int = 4_000
    contexts: int = 1_000
    running: int = 4
    waiting: int = 32
    seconds: float = 120.0

    def __post_init__(self) -> None:
        positive = (self.body_bytes, self.answer_chars, self.question_chars, self.contexts, self.running, self.seconds)
        if not all(value > 0 for value in positive) or self.waiting < 0:
            msg = "every limit of the service must be above 0 (the places to wait: 0 or more)"
            raise InputError(msg)


class Calls:
    """Check, correct and health over one pipeline, in a bounded queue.

    Args:
        pipeline: Shared by all calls.
        limits: What is accepted.
    """

    def __init__(self, pipeline: GraphEval, limits: Limits | None = None) -> None:
        self.pipeline = pipeline
        self.limits = limits or Limits()
        self._inside = 0
        self._running = asyncio.Semaphore(self.limits.running)

    async def check(
        self, answer: str, contexts: ContextLike, question: str | None = None, gone: Gone | None = None
    ) -> Evaluation:
        """Judge an answer.

        Raises:
            Busy: The queue is full.
            Abandoned: `gone` says that nobody waits any more.
            GraphEvalError: As `GraphEval.evaluate`.
        """
        sample = self._sample(answer, contexts, question)
        async with self._turn(gone):
            return await self.pipeline.aevaluate(sample)

    async def correct(
        self, answer: str, contexts: ContextLike, question: str | None = None, gone: Gone | None = None
    ) -> Correction:
        """Judge an answer, repair what is flagged, judge the result; raises as `check`."""
        sample = self._sample(answer, contexts, question)
        async with self._turn(gone):
            return await self.pipeline.acorrect(sample)

    def health(self) -> dict[str, Any]:
        """That it runs, what it is made of, and how busy it is."""
        made = self.pipeline.provenance()
        running = min(self._inside, self.limits.running)
        return {
            "status": "ok",
            "version": made.version,
            "extractor": made.extractor,
            "verifier": made.verifier,
            "threshold": made.threshold,
            "aggregator": made.aggregator,
            "corrects": self.pipeline.corrector is not None,
            "running": running,
            "waiting": self._inside - running,
            "capacity": self.limits.running + self.limits.waiting,
        }

    def _sample(self, answer: str, contexts: ContextLike, question: str | None) -> Sample:
        limits = self.limits
        sample = Sample(answer, contexts, question)
        for what, length, most in (
            ("the answer has", len(answer), limits.answer_chars),
            ("the question has", len(question or ""), limits.question_chars),
        ):
            if length > most:
                msg = f"{what} {length:,} characters; this service takes {most:,}"
                raise InputError(msg)
        if len(sample.sources) > limits.contexts:
            msg = f"there are {len(sample.sources):,} passages; this service takes {limits.contexts:,}"
            raise InputError(msg)
        return sample

    @asynccontextmanager
    async def _turn(self, gone: Gone | None) -> AsyncIterator[None]:
        """A place in the queue, then a turn."""
        limits = self.limits
        if self._inside >= limits.running + limits.waiting:
            msg = f"{self._inside:,} calls are running or waiting; try again a little later"
            raise Busy(msg)
        self._inside += 1
        try:
            async with self._running:
                if gone is not None and await gone():
                    msg = "nobody waits for the reply any more"
                    raise Abandoned(msg)
                try:
                    async with asyncio.timeout(limits.seconds) as clock:
                        yield
                except TimeoutError as error:
                    if not clock.expired():
                        raise
                    msg = f"it took longer than {limits.seconds:g} seconds"
                    raise TooSlow(msg) from error
        finally:
            self._inside -= 1
