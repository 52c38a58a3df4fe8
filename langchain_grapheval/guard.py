"""`GraphEvalGuard`: the step of a chain before its answer leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict, PrivateAttr

from grapheval import GraphEval
from grapheval.guard import Guard, GuardResult
from grapheval.guard.types import BLOCK_MESSAGE, LOOKBACK, MARK, Hold, OnFlagged, OnUnjudged, OnUnrepaired
from langchain_grapheval.convert import to_sample, with_text
from langchain_grapheval.intake import Intake
from langchain_grapheval.quiet import quiet


class GraphEvalGuard(RunnableSerializable[dict[str, Any], Any]):
    """Lets an answer leave only as far as its policy allows; see `grapheval.guard.Guard` for the policies.

    Input: as for `GraphEvaluator`. Output: the answer, as what it came: a string, or a message with the same type, id
    and metadata, whose `response_metadata["grapheval"]` says what was found. With `output="dict"`: the input
    dictionary with the answer replaced and that report under `grapheval`.

    Streaming releases the answer sentence by sentence, each once it passed or was repaired; in `correct` mode the
    pieces add up to what `invoke` returns. The context must have come, whole, before the answer is judged: answer
    chunks that come before it are held. Upstream tokens still show in `astream_events` of the model itself.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        on_flagged: See `grapheval.guard.Policy`, as for the next six.
        on_unrepaired: What happens to a flagged sentence that is not repaired.
        on_unjudged: What happens where something could not be judged.
        hold: By the sentence or by the answer.
        block_message: Stands in for what was held back.
        mark: Stands behind what `on_unrepaired="mark"` lets leave.
        lookback: How much of the preceding text a sentence is read with.
        output: `answer` or `dict`.
        answer_key: Name of the answer in the input.
        context_key: Name of the context.
        question_key: Name of the question; None = the first of `question`, `input`, `query` that is there.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    pipeline: GraphEval | None = None
    on_flagged: OnFlagged = "correct"
    on_unrepaired: OnUnrepaired = "drop"
    on_unjudged: OnUnjudged | None = None
    hold: Hold | None = None
    block_message: str = BLOCK_MESSAGE
    mark: str = MARK
    lookback: int = LOOKBACK
    output: Literal["answer", "dict"] = "answer"
    answer_key: str = "answer"
    context_key: str = "context"
    question_key: str | None = None
    _guard: Guard = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Build the guard, so that a policy without meaning fails here."""
        super().model_post_init(context)
        self._guard = Guard(
            self.pipeline,
            on_flagged=self.on_flagged,
            on_unrepaired=self.on_unrepaired,
            on_unjudged=self.on_unjudged,
            hold=self.hold,
            block_message=self.block_message,
            mark=self.mark,
            lookback=self.lookback,
        )

    @property
    def _keys(self) -> tuple[str, str, str | None]:
        return self.answer_key, self.context_key, self.question_key

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Guard an answer that is complete.

        Raises:
            InputError: A key is missing, or a value cannot be used.
            GuardError: With `on_flagged="raise"`, the answer was refused.
        """

        def run(data: dict[str, Any]) -> Any:
            return self._done(data, self._guard.run(to_sample(data, self._keys)))

        return self._call_with_config(run, input, quiet(config), run_type="chain")

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """As `invoke`."""

        async def run(data: dict[str, Any]) -> Any:
            return self._done(data, await self._guard.arun(to_sample(data, self._keys)))

        return await self._acall_with_config(run, input, quiet(config), run_type="chain")

    def stream(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        """Guard an answer that is complete, released piece by piece."""
        yield from self.transform(iter([input]), config, **kwargs)

    async def astream(
        self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        """As `stream`."""

        async def one() -> AsyncIterator[dict[str, Any]]:
            yield input

        async for chunk in self.atransform(one(), config, **kwargs):
            yield chunk

    def transform(
        self, input: Iterator[dict[str, Any]], config: RunnableConfig | None = None, **kwargs: Any
    ) -> Iterator[Any]:
        """Guard an answer that is still being made."""
        yield from self._transform_stream_with_config(input, self._transform, quiet(config), run_type="chain")

    async def atransform(
        self, input: AsyncIterator[dict[str, Any]], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        """As `transform`."""
        async for chunk in self._atransform_stream_with_config(
            input, self._atransform, quiet(config), run_type="chain"
        ):
            yield chunk

    # --------------------------------------------------------------------------------------------------- internals

    def _transform(self, chunks: Iterator[dict[str, Any]]) -> Iterator[Any]:
        intake = Intake(self._guard, self._keys, as_dict=self.output == "dict")
        for chunk in chunks:
            texts = intake.take(chunk)
            yield from intake.aside()
            for text in texts:
                if leaving := intake.stream.feed(text):
                    yield intake.wrap(leaving)
        for text in intake.end():
            if leaving := intake.stream.feed(text):
                yield intake.wrap(leaving)
        leaving = intake.stream.close()
        yield from intake.last(leaving)

    async def _atransform(self, chunks: AsyncIterator[dict[str, Any]]) -> AsyncIterator[Any]:
        intake = Intake(self._guard, self._keys, as_dict=self.output == "dict")
        async for chunk in chunks:
            texts = intake.take(chunk)
            for piece in intake.aside():
                yield piece
            for text in texts:
                if leaving := await intake.stream.afeed(text):
                    yield intake.wrap(leaving)
        for text in intake.end():
            if leaving := await intake.stream.afeed(text):
                yield intake.wrap(leaving)
        leaving = await intake.stream.aclose()
        for piece in intake.last(leaving):
            yield piece

    def _done(self, data: dict[str, Any], result: GuardResult) -> Any:
        report, answer = result.summary(), data[self.answer_key]
        if not isinstance(answer, str):
            answer = with_text(answer, result.text, blocked=result.blocked, report=report)
        else:
            answer = result.text
        return {**data, self.answer_key: answer, "grapheval": report} if self.output == "dict" else answer
