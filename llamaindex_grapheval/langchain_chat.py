"""`LlamaIndexChatModel`: a LlamaIndex LLM where LangChain expects a chat model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from pydantic import ConfigDict, Field

_ROLES = {"system": MessageRole.SYSTEM, "ai": MessageRole.ASSISTANT, "tool": MessageRole.USER}


class LlamaIndexChatModel(BaseChatModel):
    """An LLM of LlamaIndex as a chat model of LangChain, for text; it binds no tools.

    Args:
        llm: The model; stop words are cut off here, as LlamaIndex has no common argument for them.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    llm: Any = Field(exclude=True)

    @property
    def _llm_type(self) -> str:
        return "llama-index"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.llm.metadata.model_name}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(self.llm.chat(_messages(messages), **kwargs), stop)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(await self.llm.achat(_messages(messages), **kwargs), stop)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        if stop:
            yield _whole(self._generate(messages, stop, run_manager, **kwargs))
            return
        for response in self.llm.stream_chat(_messages(messages), **kwargs):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=response.delta or ""))
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        if stop:
            yield _whole(await self._agenerate(messages, stop, run_manager, **kwargs))
            return
        async for response in await self.llm.astream_chat(_messages(messages), **kwargs):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=response.delta or ""))
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk


def _messages(messages: Sequence[BaseMessage]) -> list[ChatMessage]:
    return [
        ChatMessage(role=_ROLES.get(message.type, MessageRole.USER), content=str(message.text)) for message in messages
    ]


def _result(response: ChatResponse, stop: list[str] | None) -> ChatResult:
    text = response.message.content or ""
    for word in stop or ():
        text = text.partition(word)[0]
    return ChatResult(generations=[ChatGeneration(message=AIMessage(text, usage_metadata=_usage(response)))])


def _usage(response: ChatResponse) -> Any:
    counts = response.additional_kwargs
    read, written = counts.get("prompt_tokens"), counts.get("completion_tokens")
    if not (isinstance(read, int) and isinstance(written, int)):
        return None
    return {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}


def _whole(result: ChatResult) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content=str(result.generations[0].message.text)))
