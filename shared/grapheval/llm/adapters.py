"""Adapters from other shapes of language models to `LLM`. They import no framework that is not in use already."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Final, Literal

from grapheval.protocols import Completion, Message
from grapheval.types import Usage

_LENGTH: Final = frozenset({"length", "max_tokens", "model_length", "max_output_tokens", "max_length", "token_limit"})
_ROLE_TITLE: Final = {"system": "Instructions", "user": "User", "assistant": "Assistant"}


def as_text(messages: Sequence[Message]) -> str:
    """A chat as one prompt, for models that only complete text."""
    if len(messages) == 1:
        return messages[0].content
    turns = [f"### {_ROLE_TITLE[message.role]}\n{message.content}" for message in messages]
    return "\n\n".join([*turns, "### Assistant\n"])


def stop_of(reason: object) -> Literal["stop", "length"] | None:
    """Providers' names for why a reply ended."""
    if not isinstance(reason, str) or not reason:
        return None
    return "length" if reason.lower() in _LENGTH else "stop"


@dataclass(frozen=True, slots=True)
class CallableLLM:
    """A function from prompt to reply."""

    function: Callable[[str], Any]

    @property
    def name(self) -> str:
        """The function's name."""
        return _name_of(self.function)

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Call the function with the chat as one text."""
        return _completion(self.function(as_text(messages)))


@dataclass(frozen=True, slots=True)
class AsyncCallableLLM:
    """An asynchronous function from prompt to reply."""

    function: Callable[[str], Awaitable[Any]]

    @property
    def name(self) -> str:
        """The function's name."""
        return _name_of(self.function)

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Call the function and wait for it; inside a running event loop in a thread with a loop of its own."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.acomplete(messages))
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(copy_context().run, asyncio.run, self.acomplete(messages)).result()

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """Await the function with the chat as one text."""
        return _completion(await self.function(as_text(messages)))


@dataclass(frozen=True, slots=True)
class LangChainLLM:
    """A LangChain chat model, LLM, or runnable that takes messages."""

    model: Any

    @property
    def name(self) -> str:
        """The model's name as LangChain knows it."""
        for attribute in ("model_name", "model", "model_id"):
            value = getattr(self.model, attribute, None)
            if isinstance(value, str) and value:
                return value
        return type(self.model).__name__

    def complete(self, messages: Sequence[Message]) -> Completion:
        """`invoke` with the chat as (role, text) pairs."""
        return _from_langchain(self.model.invoke(_pairs(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """`ainvoke` with the chat as (role, text) pairs."""
        return _from_langchain(await self.model.ainvoke(_pairs(messages)))


@dataclass(frozen=True, slots=True)
class LlamaIndexLLM:
    """A LlamaIndex LLM."""

    model: Any

    @property
    def name(self) -> str:
        """The model's name as LlamaIndex knows it."""
        name = getattr(self.model.metadata, "model_name", None)
        return name if isinstance(name, str) and name and name != "unknown" else type(self.model).__name__

    def complete(self, messages: Sequence[Message]) -> Completion:
        """`chat`."""
        return _from_llama_index(self.model.chat(_chat_messages(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """`achat`."""
        return _from_llama_index(await self.model.achat(_chat_messages(messages)))


def _name_of(function: object) -> str:
    return str(getattr(function, "__name__", None) or type(function).__name__)


def _completion(reply: Any) -> Completion:
    """A function's reply; None counts as empty."""
    if isinstance(reply, Completion):
        return reply
    return Completion("" if reply is None else reply)


def _pairs(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in messages]


def _from_langchain(reply: Any) -> Completion:
    if isinstance(reply, str):
        return Completion(reply)
    metadata = getattr(reply, "response_metadata", None) or {}
    counts = getattr(reply, "usage_metadata", None) or {}
    reason = next(
        (metadata[key] for key in ("finish_reason", "stop_reason", "stopReason", "done_reason") if metadata.get(key)),
        None,
    )
    model = next((metadata[key] for key in ("model_name", "model", "model_id") if metadata.get(key)), "")
    return Completion(
        _text_of(getattr(reply, "content", reply)),
        stop_of(reason),
        Usage(1, _count(counts.get("input_tokens")), _count(counts.get("output_tokens"))),
        str(model),
    )


def _first(holder: Mapping[str, Any], *keys: str) -> Any:
    return next((holder[key] for key in keys if holder.get(key)), None)


def _text_of(content: Any) -> Any:
    """Text of plain or block content; thoughts are no text. Anything else is left to the caller to refuse."""
    if content is None:
        return ""
    if not isinstance(content, list):
        return content
    texts = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, Mapping) and isinstance(block.get("text"), str) and block.get("type") in {"text", None}:
            texts.append(block["text"])
    return "".join(texts)


def _chat_messages(messages: Sequence[Message]) -> list[Any]:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole

    return [ChatMessage(role=MessageRole(message.role), content=message.content) for message in messages]


def _from_llama_index(reply: Any) -> Completion:
    raw = getattr(reply, "raw", None)
    kwargs = getattr(reply, "additional_kwargs", None) or {}
    usage = _get(raw, "usage") or {}
    choices = _get(raw, "choices") or [None]
    reason = _get(choices[0], "finish_reason") or _get(raw, "stop_reason") or _get(raw, "done_reason")
    read = [
        _count(kwargs.get(short) or _get(usage, short) or _get(usage, long) or _get(raw, other))
        for short, long, other in (
            ("prompt_tokens", "input_tokens", "prompt_eval_count"),
            ("completion_tokens", "output_tokens", "eval_count"),
        )
    ]
    text = reply.message.content
    return Completion("" if text is None else text, stop_of(reason), Usage(1, *read), str(_get(raw, "model") or ""))


def _get(holder: Any, key: str) -> Any:
    """A field of a mapping or an object, None if there is none."""
    return holder.get(key) if isinstance(holder, Mapping) else getattr(holder, key, None)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
