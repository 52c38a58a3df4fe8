"""`GraphEvalSynthesizer`: a response synthesizer whose answers go through a guard."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any, Unpack

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.llms import MockLLM
from llama_index.core.llms.structured_llm import StructuredLLM
from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore, QueryType
from llama_index.core.types import RESPONSE_TEXT_TYPE
from pydantic import BaseModel, ValidationError

from grapheval import GraphEval, InputError, Source
from grapheval.guard import Decision, Guard
from grapheval.guard.fields import FieldsResult, aguard_fields, guard_fields
from llamaindex_grapheval.guarded import Guarded
from llamaindex_grapheval.guarding import (
    KEY,
    PolicyOptions,
    Report,
    aguard_text_stream,
    fields_report,
    guard_text_stream,
    report_of,
)
from llamaindex_grapheval.nodes import given_nodes, to_sources

_SOURCES, _REPORT = "grapheval_sources", "grapheval_report"


class GraphEvalSynthesizer(Guarded, BaseSynthesizer):
    """Wraps a response synthesizer: `RetrieverQueryEngine(retriever, GraphEvalSynthesizer(synthesizer))`.

    It judges against the very passages that the synthesizer is given. `response.metadata["grapheval"]` holds the
    report; where the answer is streamed, it is filled when the stream ended. Called without any node, LlamaIndex
    gives the synthesizer's `empty_response` itself; nothing is judged then.

    Args:
        synthesizer: Makes the answers: `get_response_synthesizer(...)`.
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        guard: A ready guard instead of a pipeline and a policy.
        **policy: See `grapheval.guard.Policy`.

    Raises:
        InputError: The policy has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    def __init__(
        self,
        synthesizer: BaseSynthesizer,
        pipeline: GraphEval | None = None,
        *,
        guard: Guard | None = None,
        **policy: Unpack[PolicyOptions],
    ) -> None:
        self._inner = synthesizer
        self._guard_by(pipeline, guard, **policy)
        # What a synthesizer hands on to those that inherit from it; the model itself is never called from here.
        newer = {name: getattr(synthesizer, f"_{name}", None) for name in ("empty_response", "multimodal")}
        given: dict[str, Any] = {name: value for name, value in newer.items() if value}
        super().__init__(
            llm=getattr(synthesizer, "_llm", None) or MockLLM(),
            streaming=getattr(synthesizer, "_streaming", False),
            output_cls=getattr(synthesizer, "_output_cls", None),
            **given,
        )
        self._callback_manager = synthesizer.callback_manager

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """All prompts belong to the modules."""

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"response_synthesizer": self._inner, "grapheval": self._prompts}

    def synthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """Answer from nodes.

        Args:
            query: What was asked.
            nodes: What the LLM is shown.
            additional_source_nodes: Sources behind the nodes (sub-question engines); the answer is judged against
                them, too, but not against answers that an LLM gave on the way.
            **response_kwargs: Go to the synthesizer.
        """
        report, extra = _extra(nodes, additional_source_nodes)
        response = super().synthesize(query, nodes, additional_source_nodes, **response_kwargs, **extra)
        return _with_report(response, report, nodes)

    async def asynthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """As `synthesize`."""
        report, extra = _extra(nodes, additional_source_nodes)
        response = await super().asynthesize(query, nodes, additional_source_nodes, **response_kwargs, **extra)
        return _with_report(response, report, nodes)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> RESPONSE_TEXT_TYPE:
        """Answer from passages, guarded."""
        sources, report = _taken(response_kwargs, text_chunks)
        answer = self._inner.get_response(query_str, text_chunks, **response_kwargs)
        return self._guarded(answer, sources, query_str, report)

    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """As `get_response`."""
        sources, report = _taken(response_kwargs, text_chunks)
        answer = await self._inner.aget_response(query_str, text_chunks, **response_kwargs)
        return await self._aguarded(answer, sources, query_str, report)

    def get_response_from_messages(
        self, query_str: str, message_chunks: Sequence[ChatMessage], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """Answer from passages with images, guarded; only their text is evidence."""
        sources, report = _taken(response_kwargs, [message.content or "" for message in message_chunks])
        answer = self._inner.get_response_from_messages(query_str, message_chunks, **response_kwargs)
        return self._guarded(answer, sources, query_str, report)

    async def aget_response_from_messages(
        self, query_str: str, message_chunks: Sequence[ChatMessage], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """As `get_response_from_messages`."""
        sources, report = _taken(response_kwargs, [message.content or "" for message in message_chunks])
        answer = await self._inner.aget_response_from_messages(query_str, message_chunks, **response_kwargs)
        return await self._aguarded(answer, sources, query_str, report)

    # ------------------------------------------------------------------------------------------------------- internals

    def _guarded(self, answer: Any, sources: list[Source], query: str, report: Report) -> RESPONSE_TEXT_TYPE:
        if isinstance(answer, Generator | AsyncGenerator):
            return self._stream(answer, sources, query, report)
        data = self._structured(answer)
        if data is not None:
            return self._fields(answer, guard_fields(self.guard, data, sources, query), query, report)
        result = self.guard.run(answer or "", sources, query)
        report.update(report_of(result, query))
        return result.text

    async def _aguarded(self, answer: Any, sources: list[Source], query: str, report: Report) -> RESPONSE_TEXT_TYPE:
        if isinstance(answer, Generator | AsyncGenerator):
            return self._stream(answer, sources, query, report)
        data = self._structured(answer)
        if data is not None:
            return self._fields(answer, await aguard_fields(self.guard, data, sources, query), query, report)
        result = await self.guard.arun(answer or "", sources, query)
        report.update(report_of(result, query))
        return result.text

    def _stream(self, answer: Any, sources: list[Source], query: str, report: Report) -> RESPONSE_TEXT_TYPE:
        if isinstance(answer, AsyncGenerator):
            return aguard_text_stream(self.guard, answer, sources, query, report)
        return guard_text_stream(self.guard, answer, sources, query, report)

    def _structured(self, answer: Any) -> BaseModel | None:
        """A structured answer as data, also where it comes as JSON; None for text."""
        if isinstance(answer, BaseModel):
            return answer
        kind = self._llm.output_cls if isinstance(self._llm, StructuredLLM) else self._output_cls
        if kind is None or not isinstance(answer, str):
            return None
        try:
            return kind.model_validate_json(answer)
        except ValidationError:
            return None

    def _fields(self, answer: Any, found: FieldsResult, query: str, report: Report) -> RESPONSE_TEXT_TYPE:
        report.update(fields_report(found, query))
        if found.decision is Decision.BLOCKED:
            return self.guard.policy.block_message
        data: BaseModel = found.data
        return data.model_dump_json() if isinstance(answer, str) else data

    def _prepare_response_output(
        self, response_str: RESPONSE_TEXT_TYPE | None, source_nodes: list[NodeWithScore]
    ) -> RESPONSE_TYPE:
        """As always, but a structured answer that was blocked leaves as text."""
        if isinstance(self._llm, StructuredLLM) and response_str == self.guard.policy.block_message:
            nodes = [item.node for item in source_nodes]
            return Response(response_str, source_nodes, self._get_metadata_for_response(nodes))
        return super()._prepare_response_output(response_str, source_nodes)


def _extra(nodes: Sequence[NodeWithScore], additional: Sequence[NodeWithScore] | None) -> tuple[Report, dict[str, Any]]:
    if not isinstance(nodes, Sequence):
        msg = f"nodes must be a list of nodes, not {type(nodes).__name__}"
        raise InputError(msg)
    report: Report = {}
    return report, {_SOURCES: to_sources(given_nodes([*nodes, *(additional or ())])), _REPORT: report}


def _taken(kwargs: dict[str, Any], text_chunks: Sequence[str]) -> tuple[list[Source], Report]:
    """The sources and the report of `synthesize`; called directly, the passages are the sources."""
    sources = kwargs.pop(_SOURCES, None)
    report = kwargs.pop(_REPORT, None)
    return (to_sources(text_chunks) if sources is None else sources), ({} if report is None else report)


def _with_report(response: RESPONSE_TYPE, report: Report, nodes: Sequence[NodeWithScore]) -> RESPONSE_TYPE:
    if nodes:
        response.metadata = {**(response.metadata or {}), KEY: report}
    return response
