"""`GraphEvalChatEngine`: any chat engine with a guard behind it, whose memory holds only what left."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import Any, Unpack

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.chat_engine.types import (
    AGENT_CHAT_RESPONSE_TYPE,
    AgentChatResponse,
    BaseChatEngine,
    StreamingAgentChatResponse,
)
from llama_index.core.tools import ToolOutput

from grapheval import GraphEval, Source
from grapheval.guard import Guard, GuardResult
from llamaindex_grapheval.guarding import (
    KEY,
    PolicyOptions,
    Report,
    aguard_text_stream,
    guard_text_stream,
    make_guard,
    report_of,
)
from llamaindex_grapheval.nodes import given_nodes, to_sources


class GraphEvalChatEngine(BaseChatEngine):
    """Lets a chat engine's answers leave only as far as a policy allows; see `grapheval.guard.Guard`.

    Every source of the conversation counts, also those that were retrieved in earlier turns. The conversation that
    the engine inside goes on from is the one that left: what was repaired or blocked does not come back as memory.

    The report is in `response.metadata["grapheval"]`. LlamaIndex's streaming chat response has no metadata: there it
    is the `raw_output` of the tool output named `grapheval` in `response.sources`, filled when the stream ended.

    Args:
        chat_engine: The engine inside; it must take `chat_history`, as LlamaIndex's do.
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        guard: A ready guard instead of a pipeline and a policy.
        **policy: See `grapheval.guard.Policy`.

    Raises:
        InputError: The policy has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    def __init__(
        self,
        chat_engine: BaseChatEngine,
        pipeline: GraphEval | None = None,
        *,
        guard: Guard | None = None,
        **policy: Unpack[PolicyOptions],
    ) -> None:
        self._engine = chat_engine
        self.guard = make_guard(pipeline, guard, **policy)
        self._history = list(chat_engine.chat_history)
        self._sources: dict[str, Source] = {}

    @property
    def chat_history(self) -> list[ChatMessage]:
        """The conversation as it left."""
        return list(self._history)

    def reset(self) -> None:
        """Begin a new conversation."""
        self._engine.reset()
        self._history.clear()
        self._sources.clear()

    def chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """Answer a message."""
        response = self._engine.chat(message, chat_history=self._begin(chat_history))
        sources = self._known(response)
        return self._done(message, response, self.guard.run(response.response or "", sources, message))

    async def achat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AgentChatResponse:
        """As `chat`."""
        response = await self._engine.achat(message, chat_history=self._begin(chat_history))
        sources = self._known(response)
        return self._done(message, response, await self.guard.arun(response.response or "", sources, message))

    def stream_chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> StreamingAgentChatResponse:
        """Answer a message sentence by sentence."""
        response = self._engine.stream_chat(message, chat_history=self._begin(chat_history))
        report: Report = {}
        tokens = guard_text_stream(self.guard, response.response_gen, self._known(response), message, report)

        def chunks() -> Generator[ChatResponse, None, None]:
            text = ""
            for token in tokens:
                text += token
                yield _chunk(text, token)
            self._remember(message, text)

        return StreamingAgentChatResponse(
            chat_stream=chunks(),
            sources=[*response.sources, _output(report)],
            source_nodes=response.source_nodes,
            is_writing_to_memory=False,
        )

    async def astream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """As `stream_chat`."""
        response = await self._engine.astream_chat(message, chat_history=self._begin(chat_history))
        report: Report = {}
        given = response.async_response_gen()
        tokens = aguard_text_stream(self.guard, given, self._known(response), message, report)

        async def chunks() -> AsyncGenerator[ChatResponse, None]:
            text = ""
            async for token in tokens:
                text += token
                yield _chunk(text, token)
            self._remember(message, text)

        return StreamingAgentChatResponse(
            achat_stream=chunks(),
            sources=[*response.sources, _output(report)],
            source_nodes=response.source_nodes,
            is_writing_to_memory=False,
        )

    # ------------------------------------------------------------------------------------------------------- internals

    def _begin(self, chat_history: list[ChatMessage] | None) -> list[ChatMessage]:
        if chat_history is not None:
            self._history = list(chat_history)
        return list(self._history)

    def _known(self, response: Any) -> list[Source]:
        """The sources of this turn and of those before."""
        for source in to_sources(given_nodes(response.source_nodes)):
            self._sources[source.id] = source
        return list(self._sources.values())

    def _remember(self, message: str, text: str) -> None:
        self._history += [ChatMessage(role=MessageRole.USER, content=message), _said(text)]

    def _done(self, message: str, response: AGENT_CHAT_RESPONSE_TYPE, result: GuardResult) -> AgentChatResponse:
        self._remember(message, result.text)
        metadata = {**(getattr(response, "metadata", None) or {}), KEY: report_of(result, message)}
        return AgentChatResponse(
            response=result.text, sources=response.sources, source_nodes=response.source_nodes, metadata=metadata
        )


def _said(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.ASSISTANT, content=text)


def _chunk(text: str, delta: str) -> ChatResponse:
    return ChatResponse(message=_said(text), delta=delta)


def _output(report: Report) -> ToolOutput:
    return ToolOutput(tool_name=KEY, content="", raw_input={}, raw_output=report)
