"""A scripted chat model that streams, binds tools and records what it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool

from tests.guard.helpers import CONTEXT


class Script(BaseChatModel):
    """Replies in order; the last one again and again."""

    replies: list[AIMessage]
    sent: list[list[BaseMessage]] = []  # noqa: RUF012 - pydantic copies it

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.sent.append(messages)
        return self.replies[min(len(self.sent), len(self.replies)) - 1].model_copy()

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        manager = kwargs.get("run_manager") or (args[1] if len(args) > 1 else None)
        reply = self._next(messages)
        name = f"reply-{len(self.sent)}"
        words = str(reply.text).split(" ") if reply.text else []
        for number, word in enumerate(words):
            piece = word if number == 0 else f" {word}"
            chunk = ChatGenerationChunk(message=AIMessageChunk(piece, id=name))
            if manager:
                manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk
        calls = [
            {"name": c["name"], "args": json.dumps(c["args"]), "id": c["id"], "index": i}
            for i, c in enumerate(reply.tool_calls)
        ]
        yield ChatGenerationChunk(message=AIMessageChunk("", id=name, tool_call_chunks=calls, chunk_position="last"))


def call(tool_name: str = "search", /, **arguments: Any) -> AIMessage:
    calls = [{"name": tool_name, "args": arguments or {"query": "towns"}, "id": f"call-{tool_name}"}]
    return AIMessage("", tool_calls=calls)


@tool(response_format="content_and_artifact")
def search(query: str) -> tuple[str, list[Document]]:
    """Search the towns of Norway."""
    return "found one passage", [Document(CONTEXT, id="towns")]


@tool
def broken(query: str) -> str:
    """Always fails."""
    msg = "boom"
    raise RuntimeError(msg)
