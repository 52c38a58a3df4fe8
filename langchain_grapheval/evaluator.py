"""`GraphEvaluator`: `{answer, context, question?}` -> the Evaluation."""

from __future__ import annotations

import copy
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Literal

from langchain_core.callbacks import adispatch_custom_event, dispatch_custom_event
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict, PrivateAttr

from grapheval import Evaluation, GraphEval, InputError, Sample, Verdict
from grapheval.guard.telemetry import record
from grapheval.serialize import to_plain
from langchain_grapheval.convert import answer_text, find_question, to_context, to_sample
from langchain_grapheval.quiet import quiet

EVENT = "grapheval_verdict"
"""Name of the custom event that is sent for each verdict."""


class GraphEvaluator(RunnableSerializable[dict[str, Any], Any]):
    """Judges an answer against its context, triple by triple.

    Input: a dictionary with `answer` (a string or a message), `context` (a string, documents, lists of them, or a
    conversation, whose tool results count) and, if there is one, `question` (or `input`, or `query`). An empty
    context is judged as `no_context`, a missing key is an `InputError`.

    Output: an `Evaluation`, or its plain dictionary. For each verdict a custom event `grapheval_verdict` is sent, which
    `astream_events` shows.

    Args:
        pipeline: Judges; None = `GraphEval.local()`.
        output: `evaluation` or `dict`.
        threshold: Replaces the pipeline's; can be made configurable with `configurable_fields`.
        answer_key: Name of the answer in the input.
        context_key: Name of the context.
        question_key: Name of the question; None = the first of `question`, `input`, `query` that is there.
        events: Whether custom events are sent.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    pipeline: GraphEval | None = None
    output: Literal["evaluation", "dict"] = "evaluation"
    threshold: float | None = None
    answer_key: str = "answer"
    context_key: str = "context"
    question_key: str | None = None
    events: bool = True
    _pipeline: GraphEval = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Build the pipeline that is used."""
        super().model_post_init(context)
        pipeline = self.pipeline if self.pipeline is not None else GraphEval.local()
        if self.threshold is not None:
            if not 0 < self.threshold < 1:
                msg = f"threshold must lie between 0 and 1, not at {self.threshold}"
                raise InputError(msg)
            pipeline = copy.copy(pipeline)
            pipeline.threshold = self.threshold
        self._pipeline = pipeline

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Judge an answer.

        Raises:
            InputError: A key is missing, or a value cannot be used.
            GraphEvalError: The pipeline failed.
        """

        def run(data: dict[str, Any], run_manager: Any, config: RunnableConfig) -> Any:
            evaluation = self._pipeline.evaluate(self._sample(data))
            if self.events:
                for number, verdict in enumerate(evaluation.verdicts):
                    dispatch_custom_event(EVENT, _event(number, verdict), config=config)
            return self._done(evaluation)

        return self._call_with_config(run, input, quiet(config), run_type="chain")

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """As `invoke`."""

        async def run(data: dict[str, Any], run_manager: Any, config: RunnableConfig) -> Any:
            evaluation = await self._pipeline.aevaluate(self._sample(data))
            if self.events:
                for number, verdict in enumerate(evaluation.verdicts):
                    await adispatch_custom_event(EVENT, _event(number, verdict), config=config)
            return self._done(evaluation)

        return await self._acall_with_config(run, input, quiet(config), run_type="chain")

    def _sample(self, data: dict[str, Any]) -> Sample:
        return to_sample(data, (self.answer_key, self.context_key, self.question_key))

    def _done(self, evaluation: Evaluation) -> Evaluation | dict[str, Any]:
        record(evaluation)
        return evaluation.to_dict() if self.output == "dict" else evaluation

    # ----------------------------------------------------------------------------- as an evaluator of test data sets

    def evaluator(self, key: str = "grapheval") -> Callable[..., dict[str, Any]]:
        """An evaluator function for LangSmith's `evaluate` and for openevals.

        It is called with `outputs` (the answer, or a dictionary that holds it), `inputs` and `context`; the context
        is looked for in `context`, then in `outputs`, then in `inputs`.

        Args:
            key: Name of the feedback.

        Returns:
            A function that returns `key`, `score` (groundedness, higher is better, None where nothing was judged),
            `comment` and `metadata`.
        """

        def grapheval(
            *, outputs: Any, inputs: Any = None, reference_outputs: Any = None, context: Any = None, **_: Any
        ) -> dict[str, Any]:
            return feedback(key, self._pipeline.evaluate(self._example(outputs, inputs, context)))

        return grapheval

    def aevaluator(self, key: str = "grapheval") -> Callable[..., Coroutine[Any, Any, dict[str, Any]]]:
        """As `evaluator`, for `aevaluate`."""

        async def grapheval(
            *, outputs: Any, inputs: Any = None, reference_outputs: Any = None, context: Any = None, **_: Any
        ) -> dict[str, Any]:
            return feedback(key, await self._pipeline.aevaluate(self._example(outputs, inputs, context)))

        return grapheval

    def evaluate_strings(
        self,
        *,
        prediction: str,
        reference: str | None = None,
        input: str | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        """The shape of LangChain's older string evaluators: `reference` is the context.

        Raises:
            InputError: There is no reference.
        """
        if reference is None:
            msg = "evaluate_strings needs the context as reference=..."
            raise InputError(msg)
        evaluation = self._pipeline.evaluate(prediction, to_context(reference), input)
        return {"score": evaluation.groundedness, "value": evaluation.status.value, "reasoning": explain(evaluation)}

    def _example(self, outputs: Any, inputs: Any, context: Any) -> Sample:
        outs = outputs if isinstance(outputs, Mapping) else {self.answer_key: outputs}
        ins = inputs if isinstance(inputs, Mapping) else {"question": inputs}
        answer = outs.get(self.answer_key, next(iter(outs.values())) if len(outs) == 1 else None)
        if answer is None:
            msg = f"the outputs have no {self.answer_key!r}: their keys are {', '.join(map(repr, outs)) or 'none'}"
            raise InputError(msg)
        for place in (outs, ins):
            context = place.get(self.context_key) if context is None else context
        if context is None:
            msg = f"there is no {self.context_key!r} in the arguments, the outputs or the inputs"
            raise InputError(msg)
        question = find_question(ins, self.question_key) or find_question(outs, self.question_key)
        return Sample(answer_text(answer), to_context(context), question)


def feedback(key: str, evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation in the shape that LangSmith and openevals take; `score` is groundedness."""
    record(evaluation)
    return {
        "key": key,
        "score": evaluation.groundedness,
        "comment": explain(evaluation),
        "metadata": {"status": evaluation.status.value, "evaluation": evaluation.to_dict()},
    }


def explain(evaluation: Evaluation) -> str:
    """One line for a person: the status, and the flagged claims or the reason."""
    if evaluation.flagged:
        claims = "; ".join(f"{verdict.claim.text} ({verdict.label.value})" for verdict in evaluation.flagged)
        return f"{evaluation.status.value}: {claims}"
    return evaluation.status.value + (f": {evaluation.reason.value}" if evaluation.reason else "")


def _event(number: int, verdict: Verdict) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(verdict)
    return {"index": number, **plain}
