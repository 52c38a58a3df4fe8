"""`GraphEvalEvaluator`: judges answers where LlamaIndex expects an evaluator."""

from __future__ import annotations

import copy
import logging
from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation import BaseEvaluator
from llama_index.core.llms import LLM
from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType
from llama_index.core.schema import MetadataMode

from grapheval import GraphEval, GraphEvalError, InputError, Sample
from grapheval.drive import Typed
from grapheval.guard.telemetry import record
from llamaindex_grapheval.events import GraphEvalEvaluationEvent, dispatcher
from llamaindex_grapheval.nodes import ContextsLike, given_nodes, to_sources
from llamaindex_grapheval.prompts import PipelinePrompts
from llamaindex_grapheval.reading import Answered, aread, read
from llamaindex_grapheval.result import GraphEvalResult, failed, judged
from llamaindex_grapheval.seen import SeenContexts

logger = logging.getLogger(__name__)


class GraphEvalEvaluator(BaseEvaluator):
    """Judges whether an answer is supported by its context, triple by triple.

    `evaluate_response` takes what query engines, chat engines and agents return, streams included (they can be read
    again afterwards), and judges against what the answering LLM was shown: the source nodes with the metadata that
    LlamaIndex puts into its prompts. Answers that an LLM gave on the way (sub-questions, steps) are no source.

    Nothing is raised for an answer: what could not be judged is an `invalid_result` with a reason, so that
    `BatchEvalRunner` neither waits nor stops. Cancelling a task cancels it.

    Args:
        pipeline: Judges; None = `GraphEval.local()`: no key, no network.
        llm: Builds the pipeline instead: `GraphEval.from_llm(llm)`.
        threshold: Replaces the pipeline's.
        metadata_mode: Which metadata of a node counts as its text.
        seen: Where `GraphEvalNodePostprocessor` left the passages that the LLM was shown; they are used for a question
            where no contexts are given, or the response's source nodes contain them.

    Raises:
        InputError: Both a pipeline and an LLM are given, or the threshold is not between 0 and 1.
    """

    def __init__(
        self,
        pipeline: GraphEval | None = None,
        *,
        llm: LLM | None = None,
        threshold: float | None = None,
        metadata_mode: MetadataMode = MetadataMode.LLM,
        seen: SeenContexts | None = None,
    ) -> None:
        if pipeline is not None and llm is not None:
            msg = "pass either a pipeline or an llm: GraphEval.from_llm(llm, ...) builds a pipeline with settings"
            raise InputError(msg)
        if llm is not None:
            pipeline = GraphEval.from_llm(llm)
        pipeline = pipeline if pipeline is not None else GraphEval.local()
        if threshold is not None:
            if not 0 < threshold < 1:
                msg = f"threshold must lie between 0 and 1, not at {threshold}"
                raise InputError(msg)
            pipeline = copy.copy(pipeline)
            pipeline.threshold = threshold
        self._prompts = PipelinePrompts(pipeline)
        self._mode = metadata_mode
        self._seen = seen

    @property
    def pipeline(self) -> GraphEval:
        """What judges."""
        return self._prompts.pipeline

    def _get_prompts(self) -> PromptDictType:
        return self._prompts.get_prompts()

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        self._prompts.update_prompts(prompts_dict)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    # -------------------------------------------------------------------------------------------------- text and nodes

    @dispatcher.span
    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: ContextsLike = None,
        **kwargs: Any,
    ) -> GraphEvalResult:
        """Judge an answer; works inside a running event loop, too.

        Args:
            query: What was asked.
            response: The answer's text.
            contexts: The passages, as strings or nodes; a single string is one passage.
            **kwargs: Ignored, as other evaluators' arguments may come along.
        """
        try:
            sample = self._sample(query, response, contexts)
            with Typed("evaluate", "the pipeline"):
                result = judged(sample, self.pipeline.evaluate(sample))
        except GraphEvalError as error:
            result = _failed(error, query, response, contexts)
        return _reported(query, result)

    @dispatcher.span
    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: ContextsLike = None,
        **kwargs: Any,
    ) -> GraphEvalResult:
        """As `evaluate`, without blocking the event loop."""
        try:
            sample = self._sample(query, response, contexts)
            with Typed("evaluate", "the pipeline"):
                result = judged(sample, await self.pipeline.aevaluate(sample))
        except GraphEvalError as error:
            result = _failed(error, query, response, contexts)
        return _reported(query, result)

    # ------------------------------------------------------------------------------------------------------- responses

    def evaluate_response(
        self, query: str | None = None, response: Any = None, contexts: ContextsLike = None, **kwargs: Any
    ) -> GraphEvalResult:
        """Judge what a query engine, a chat engine or an agent returned.

        Args:
            query: What was asked.
            response: The response; a stream is read to its end and can be read again.
            contexts: The passages, where the response does not hold them (agents).
            **kwargs: Ignored.
        """
        try:
            with _reading():
                answered = read(response)
        except GraphEvalError as error:
            return _reported(query, failed(error, query, None))
        return self.evaluate(query, answered.text, self._contexts(query, answered, contexts))

    async def aevaluate_response(
        self, query: str | None = None, response: Any = None, contexts: ContextsLike = None, **kwargs: Any
    ) -> GraphEvalResult:
        """As `evaluate_response`, without blocking the event loop."""
        try:
            with _reading():
                answered = await aread(response)
        except GraphEvalError as error:
            return _reported(query, failed(error, query, None))
        return await self.aevaluate(query, answered.text, self._contexts(query, answered, contexts))

    # ------------------------------------------------------------------------------------------------------- internals

    def _sample(self, query: str | None, response: str | None, contexts: ContextsLike) -> Sample:
        if response is None:
            msg = "there is no response"
            raise InputError(msg)
        if contexts is None and self._seen is not None:
            contexts = self._seen.of(query)
        if contexts is None:
            msg = "there are no contexts: pass them, or evaluate a response that holds its source nodes"
            raise InputError(msg)
        with Typed("input", "reading the contexts"):
            sources = to_sources(contexts, self._mode)
        return Sample(response, sources, query)

    def _contexts(self, query: str | None, answered: Answered, contexts: ContextsLike) -> ContextsLike:
        """What the LLM was shown, as exactly as it is known."""
        if contexts is not None:
            return contexts
        nodes = given_nodes(answered.nodes)
        seen = self._seen.of(query) if self._seen is not None else None
        known = {item.node.node_id for item in nodes}
        return seen if seen and (not nodes or {source.id for source in seen} <= known) else nodes


def _reading() -> Typed:
    return Typed("answer", "reading the response")


def _failed(error: GraphEvalError, query: str | None, response: str | None, contexts: Any) -> GraphEvalResult:
    texts = [item for item in contexts if isinstance(item, str)] if isinstance(contexts, Sequence) else None
    text = response if isinstance(response, str) else None
    return failed(error, query if isinstance(query, str) else None, text, texts or None)


def _reported(query: str | None, result: GraphEvalResult) -> GraphEvalResult:
    if result.evaluation is not None:
        record(result.evaluation)
    else:
        logger.warning("an answer was not evaluated: %s", result.invalid_reason)
    query = query if isinstance(query, str) else None
    dispatcher.event(GraphEvalEvaluationEvent(query=query, result=result.model_dump(mode="json")))
    return result
