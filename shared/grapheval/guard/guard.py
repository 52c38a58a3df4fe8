"""`Guard`: lets an answer leave only as far as its policy allows."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING

from grapheval.guard.standing import Frame
from grapheval.guard.steps import needed_corrector
from grapheval.guard.stream import GuardStream
from grapheval.guard.types import (
    BLOCK_MESSAGE,
    LOOKBACK,
    MARK,
    GuardResult,
    Hold,
    OnFlagged,
    OnUnjudged,
    OnUnrepaired,
    Policy,
)
from grapheval.offload import offload
from grapheval.types import Sample

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval
    from grapheval.types.sample import ContextLike


class Guard:
    """The step before an answer leaves.

    With `correct`, or with `hold="sentence"`, an answer is judged sentence by sentence, each as its reader meets it:
    together with what left before it. Streaming does nothing else, so what it releases is what `run` returns.
    Otherwise the answer is judged as a whole. Fail-closed: what was not judged, for whatever reason, does not leave
    unless `on_unjudged="pass"`. Answers that decline to answer, and sentences that claim nothing, pass.

    One instance can be shared by threads and tasks.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        on_flagged: See `Policy`.
        on_unrepaired: See `Policy`.
        on_unjudged: See `Policy`.
        hold: See `Policy`.
        block_message: See `Policy`.
        mark: See `Policy`.
        lookback: See `Policy`.
        telemetry: Whether evaluations are reported to OpenTelemetry where it is installed.

    Raises:
        InputError: A setting has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    def __init__(
        self,
        pipeline: GraphEval | None = None,
        *,
        on_flagged: OnFlagged = "correct",
        on_unrepaired: OnUnrepaired = "drop",
        on_unjudged: OnUnjudged | None = None,
        hold: Hold | None = None,
        block_message: str = BLOCK_MESSAGE,
        mark: str = MARK,
        lookback: int = LOOKBACK,
        telemetry: bool = True,
    ) -> None:
        from grapheval.pipeline import GraphEval

        self.policy = Policy(on_flagged, on_unrepaired, on_unjudged, hold, block_message, mark, lookback)
        self.pipeline = pipeline if pipeline is not None else GraphEval.local()
        self.telemetry = telemetry
        if on_flagged == "correct":
            needed_corrector(self.pipeline)

    def stream(self, context: ContextLike = None, question: str | None = None) -> GuardStream:
        """Begin to guard an answer that comes in chunks.

        Args:
            context: As for `GraphEval.evaluate`.
            question: What was asked.

        Raises:
            InputError: The context cannot be used.
        """
        frame = Frame.of(self.pipeline, Sample("", context, question))
        return GuardStream(self.pipeline, self.policy, frame, telemetry=self.telemetry)

    def run(self, answer: Sample | str, context: ContextLike = None, question: str | None = None) -> GuardResult:
        """Guard an answer that is complete.

        Args:
            answer: A `Sample`, or the answer's text.
            context: As for `GraphEval.evaluate`; not with a `Sample`.
            question: What was asked; not with a `Sample`.

        Raises:
            InputError: The input cannot be used.
            GuardError: With `on_flagged="raise"`, the answer was refused.
        """
        text, stream = self._begin(answer, context, question)
        stream.feed(text)
        stream.close()
        return stream.result

    async def arun(self, answer: Sample | str, context: ContextLike = None, question: str | None = None) -> GuardResult:
        """As `run`, without blocking the event loop."""
        # What the stages are made of may have to be loaded first.
        text, stream = await offload(self._begin, answer, context, question)
        await stream.afeed(text)
        await stream.aclose()
        return stream.result

    def pipe(self, chunks: Iterable[str], context: ContextLike = None, question: str | None = None) -> Iterator[str]:
        """Guard a stream of chunks; empty texts are left out.

        Raises:
            InputError: The context cannot be used.
            GuardError: With `on_flagged="raise"`, the answer was refused.
        """
        stream = self.stream(context, question)
        for chunk in chunks:
            if leaving := stream.feed(chunk):
                yield leaving
        if leaving := stream.close():
            yield leaving

    async def apipe(
        self, chunks: AsyncIterable[str], context: ContextLike = None, question: str | None = None
    ) -> AsyncIterator[str]:
        """As `pipe`, for asynchronous streams."""
        stream = await offload(self.stream, context, question)
        async for chunk in chunks:
            if leaving := await stream.afeed(chunk):
                yield leaving
        if leaving := await stream.aclose():
            yield leaving

    def _begin(self, answer: Sample | str, context: ContextLike, question: str | None) -> tuple[str, GuardStream]:
        from grapheval.pipeline import as_sample

        sample = as_sample(answer, context, question)
        return sample.answer, self.stream(sample.sources, sample.question)
