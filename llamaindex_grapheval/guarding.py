"""A guard for LlamaIndex's responses: their type, source nodes and metadata stay; the report goes into the metadata."""

from __future__ import annotations

import copy
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable
from typing import Any, TypedDict, Unpack

from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)

from grapheval import GraphEval, InputError, Source
from grapheval.guard import Decision, Guard, GuardResult
from grapheval.guard.fields import FieldsResult, aguard_fields, guard_fields
from grapheval.guard.types import Hold, OnFlagged, OnUnjudged, OnUnrepaired
from llamaindex_grapheval.events import GraphEvalGuardEvent, dispatcher
from llamaindex_grapheval.nodes import given_nodes, to_sources

KEY = "grapheval"
"""Where the report is in a response's metadata."""

Report = dict[str, Any]


class PolicyOptions(TypedDict, total=False):
    """What a guard does with what it finds; see `grapheval.guard.Policy`."""

    on_flagged: OnFlagged
    on_unrepaired: OnUnrepaired
    on_unjudged: OnUnjudged | None
    hold: Hold | None
    block_message: str
    mark: str
    lookback: int


def make_guard(pipeline: GraphEval | None, guard: Guard | None, **policy: Unpack[PolicyOptions]) -> Guard:
    """The guard itself, or one with this pipeline and policy.

    Raises:
        InputError: A guard came with a pipeline or a policy beside it, or the policy has no meaning.
    """
    if guard is None:
        return Guard(pipeline, **policy)
    if pipeline is not None or policy:
        msg = "a guard already has its pipeline and policy: do not pass them beside it"
        raise InputError(msg)
    return guard


def with_pipeline(guard: Guard, pipeline: GraphEval) -> Guard:
    """The same guard with another pipeline."""
    if guard.pipeline is pipeline:
        return guard
    changed = copy.copy(guard)
    changed.pipeline = pipeline
    return changed


def report_of(result: GuardResult, query: str | None) -> Report:
    """What goes into the metadata; an event is sent about it."""
    report = result.summary() | {"evaluation": result.evaluation.to_dict()}
    dispatcher.event(GraphEvalGuardEvent(query=query, decision=result.decision.value, report=report))
    return report


def fields_report(found: FieldsResult, query: str | None) -> Report:
    """As `report_of`, for a structured answer: the decision, and the report of each field."""
    report: Report = {
        "decision": found.decision.value,
        "fields": {".".join(map(str, path)): result.summary() for path, result in found.results.items()},
    }
    dispatcher.event(GraphEvalGuardEvent(query=query, decision=found.decision.value, report=report))
    return report


def guard_text_stream(
    guard: Guard, tokens: Iterable[str], sources: list[Source], query: str | None, report: Report
) -> Generator[str, None, None]:
    """Guard a stream of tokens; `report` is filled when it ends."""
    stream = guard.stream(sources, query)
    for token in tokens:
        if leaving := stream.feed(token or ""):
            yield leaving
    leaving = stream.close()
    report.update(report_of(stream.result, query))
    if leaving:
        yield leaving


async def aguard_text_stream(
    guard: Guard, tokens: AsyncIterable[str], sources: list[Source], query: str | None, report: Report
) -> AsyncGenerator[str, None]:
    """As `guard_text_stream`, for asynchronous streams."""
    stream = guard.stream(sources, query)
    async for token in tokens:
        if leaving := await stream.afeed(token or ""):
            yield leaving
    leaving = await stream.aclose()
    report.update(report_of(stream.result, query))
    if leaving:
        yield leaving


def guard_response(guard: Guard, response: RESPONSE_TYPE, query: str | None) -> RESPONSE_TYPE:
    """Guard a response against its source nodes.

    Args:
        guard: Its policy counts.
        response: Of any kind that query engines return. A stream stays a stream; its report is there when it ended.
        query: What was asked.

    Raises:
        InputError: It is no response.
        GuardError: With `on_flagged="raise"`, the answer was refused; of a stream, while it is read.
    """
    streamed = _streamed(guard, response, query)
    if streamed is not None:
        return streamed
    sources = to_sources(given_nodes(response.source_nodes))
    if isinstance(response, PydanticResponse):
        return _fields(guard, response, query, guard_fields(guard, response.response, sources, query))
    return _complete(response, query, guard.run(_text(response), sources, query))


async def aguard_response(guard: Guard, response: RESPONSE_TYPE, query: str | None) -> RESPONSE_TYPE:
    """As `guard_response`, without blocking the event loop."""
    streamed = _streamed(guard, response, query)
    if streamed is not None:
        return streamed
    sources = to_sources(given_nodes(response.source_nodes))
    if isinstance(response, PydanticResponse):
        return _fields(guard, response, query, await aguard_fields(guard, response.response, sources, query))
    return _complete(response, query, await guard.arun(_text(response), sources, query))


def _streamed(guard: Guard, response: RESPONSE_TYPE, query: str | None) -> RESPONSE_TYPE | None:
    if not isinstance(response, StreamingResponse | AsyncStreamingResponse):
        return None
    report: Report = {}
    sources = to_sources(given_nodes(response.source_nodes))
    metadata = {**(response.metadata or {}), KEY: report}
    if isinstance(response, AsyncStreamingResponse):
        tokens = aguard_text_stream(guard, response.async_response_gen(), sources, query, report)
        return AsyncStreamingResponse(tokens, response.source_nodes, metadata)
    text = response.response_txt
    given = response.response_gen if text is None else iter([text])
    return StreamingResponse(guard_text_stream(guard, given, sources, query, report), response.source_nodes, metadata)


def _text(response: Any) -> str:
    if not isinstance(response, Response):
        msg = f"cannot guard {type(response).__name__}: it is no response of a query engine"
        raise InputError(msg)
    return response.response or ""


def _complete(response: Any, query: str | None, result: GuardResult) -> Response:
    text = response.response if result.text == (response.response or "") else result.text
    return Response(text, response.source_nodes, {**(response.metadata or {}), KEY: report_of(result, query)})


def _fields(guard: Guard, response: PydanticResponse, query: str | None, found: FieldsResult) -> RESPONSE_TYPE:
    metadata = {**(response.metadata or {}), KEY: fields_report(found, query)}
    if found.decision is Decision.BLOCKED:
        return Response(guard.policy.block_message, response.source_nodes, metadata)
    return PydanticResponse(found.data, response.source_nodes, metadata)
