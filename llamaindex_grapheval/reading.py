"""What engines and agents answer, as text and source nodes. Streams are read without being taken from the user."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import AgentChatResponse, StreamingAgentChatResponse
from llama_index.core.schema import NodeWithScore
from pydantic import BaseModel

from grapheval import InputError

_CONSUMED = "the stream was read before it could be evaluated: evaluate first, or read it with get_response()"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer.

    Args:
        text: Its text; None where there is none.
        nodes: Its source nodes.
    """

    text: str | None
    nodes: tuple[NodeWithScore, ...] = ()


def read(response: Any) -> Answered:
    """The text and the source nodes of an answer.

    Args:
        response: None, a string, a `ChatMessage`, or what a query engine, a chat engine or an agent returned. A stream
            is read to its end and can be read again afterwards.

    Raises:
        InputError: It is none of these, or a stream that cannot be read here.
    """
    if isinstance(response, StreamingResponse):
        return Answered(_drained(response), tuple(response.source_nodes))
    if isinstance(response, AsyncStreamingResponse):
        from llama_index.core.async_utils import asyncio_run

        text: str = asyncio_run(_adrained(response))
        return Answered(text, tuple(response.source_nodes))
    if isinstance(response, StreamingAgentChatResponse):
        if _is_async(response):
            msg = "an asynchronous chat stream can only be read in its own event loop: await aevaluate_response(...)"
            raise InputError(msg)
        return Answered(_chat_drained(response), tuple(response.source_nodes))
    return _complete(response)


async def aread(response: Any) -> Answered:
    """As `read`, without blocking the event loop."""
    import asyncio

    if isinstance(response, AsyncStreamingResponse):
        return Answered(await _adrained(response), tuple(response.source_nodes))
    if isinstance(response, StreamingAgentChatResponse) and _is_async(response):
        async for _ in response.async_response_gen():
            pass
        return Answered(response.response, tuple(response.source_nodes))
    if isinstance(response, StreamingResponse | StreamingAgentChatResponse):
        return await asyncio.to_thread(read, response)
    return _complete(response)


def _complete(response: Any) -> Answered:
    if response is None or isinstance(response, str):
        return Answered(response)
    if isinstance(response, ChatMessage):
        return Answered(response.content)
    if isinstance(response, Response | AgentChatResponse):
        return Answered(response.response, tuple(response.source_nodes))
    if isinstance(response, PydanticResponse):
        return Answered(fields_text(response.response), tuple(response.source_nodes))
    inner = getattr(response, "response", None)
    if isinstance(inner, ChatMessage):  # what agents return
        return Answered(inner.content)
    msg = f"cannot evaluate {type(response).__name__}: pass a response of a query engine, a chat engine or an agent"
    raise InputError(msg)


def fields_text(data: BaseModel | None) -> str | None:
    """The fields of a structured answer, one a line, as `name: value`."""
    return None if data is None else "\n".join(_lines("", data.model_dump(mode="json")))


def _lines(name: str, value: Any) -> Generator[str, None, None]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lines(f"{name} {str(key).replace('_', ' ')}".strip(), item)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(name, item)
    elif value is not None and value != "":
        yield f"{name}: {value}" if name else str(value)


# ------------------------------------------------------------------------------------------------------------ streams


def _drained(response: StreamingResponse) -> str:
    if response.response_txt is None:
        stream = response.response_gen
        if inspect.isgenerator(stream) and inspect.getgeneratorstate(stream) != inspect.GEN_CREATED:
            raise InputError(_CONSUMED)
        tokens: list[str] = []
        try:
            tokens.extend(token or "" for token in stream)
        except Exception as error:
            response.response_gen = _again(tokens, error)
            raise
        response.response_txt = "".join(tokens)
        response.response_gen = _again(tokens)
    return response.response_txt


async def _adrained(response: AsyncStreamingResponse) -> str:
    if response.response_txt is None:
        stream = response.response_gen
        if inspect.isasyncgen(stream) and stream.ag_frame is None:
            raise InputError(_CONSUMED)
        tokens: list[str] = []
        try:
            async for token in stream:
                tokens.append(token or "")  # noqa: PERF401 - what came before an error must not get lost
        except Exception as error:
            response.response_gen = _aagain(tokens, error)
            raise
        response.response_txt = "".join(tokens)
        response.response_gen = _aagain(tokens)
    return response.response_txt


def _again(tokens: list[str], error: Exception | None = None) -> Generator[str, None, None]:
    yield from tokens
    if error is not None:
        raise error


async def _aagain(tokens: list[str], error: Exception | None = None) -> AsyncGenerator[str, None]:
    for token in tokens:
        yield token
    if error is not None:
        raise error


def _is_async(response: StreamingAgentChatResponse) -> bool:
    return response.achat_stream is not None or response.awrite_response_to_history_task is not None


def _chat_drained(response: StreamingAgentChatResponse) -> str:
    """Read a chat stream; afterwards its `response_gen` gives the whole text once more, by itself."""
    for _ in response.response_gen:
        pass
    return response.response
