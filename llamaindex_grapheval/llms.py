"""`LangChainLLM`: a LangChain chat model, Bedrock's for example, where LlamaIndex expects an LLM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.generic_utils import (
    achat_to_completion_decorator,
    astream_chat_to_completion_decorator,
    chat_to_completion_decorator,
    stream_chat_to_completion_decorator,
)
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.constants import DEFAULT_CONTEXT_WINDOW, DEFAULT_NUM_OUTPUTS
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.llm import LLM
from pydantic import Field

from grapheval import InputError

_ROLES = {
    MessageRole.SYSTEM: "system",
    MessageRole.DEVELOPER: "system",
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
}
_STOPPED = ("finish_reason", "stop_reason", "stopReason", "done_reason")


class LangChainLLM(LLM):
    """A chat model, LLM or chain of LangChain as an LLM of LlamaIndex, for text; tools and images are left out.

    Args:
        model: Any Runnable from messages to a message or a string: `ChatBedrockConverse(...)`, one with `with_retry`, …
        context_window: Tokens that the model reads.
        num_output: Tokens that it may write.

    Raises:
        InputError: The model is none of LangChain's.
    """

    model: Any = Field(exclude=True)
    context_window: int = DEFAULT_CONTEXT_WINDOW
    num_output: int = DEFAULT_NUM_OUTPUTS

    def __init__(self, model: Any, **settings: Any) -> None:
        if not (hasattr(model, "invoke") and hasattr(model, "ainvoke") and hasattr(model, "stream")):
            msg = f"LangChainLLM needs a model of LangChain, not {type(model).__name__}"
            raise InputError(msg)
        super().__init__(**{"model": model, **settings})

    @classmethod
    def class_name(cls) -> str:
        """Name in serialized pipelines."""
        return "GraphEvalLangChainLLM"

    @property
    def metadata(self) -> LLMMetadata:
        """Sizes and name of the model."""
        names = (getattr(self.model, name, None) for name in ("model_name", "model_id", "model"))
        name = next((name for name in names if isinstance(name, str) and name), type(self.model).__name__)
        return LLMMetadata(
            context_window=self.context_window, num_output=self.num_output, is_chat_model=True, model_name=name
        )

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Answer a conversation."""
        return _response(self.model.invoke(_pairs(messages), **kwargs))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """As `chat`."""
        return _response(await self.model.ainvoke(_pairs(messages), **kwargs))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """Answer a conversation chunk by chunk."""

        def chunks() -> ChatResponseGen:
            text = ""
            for chunk in self.model.stream(_pairs(messages), **kwargs):
                delta = _text(chunk)
                text += delta
                yield _chunk(text, delta, chunk)

        return chunks()

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseAsyncGen:
        """As `stream_chat`."""

        async def chunks() -> ChatResponseAsyncGen:
            text = ""
            async for chunk in self.model.astream(_pairs(messages), **kwargs):
                delta = _text(chunk)
                text += delta
                yield _chunk(text, delta, chunk)

        return chunks()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Answer a prompt: a conversation of one message."""
        return chat_to_completion_decorator(self.chat)(prompt, **kwargs)

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """As `complete`."""
        return await achat_to_completion_decorator(self.achat)(prompt, **kwargs)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """Answer a prompt chunk by chunk."""
        return stream_chat_to_completion_decorator(self.stream_chat)(prompt, **kwargs)

    @llm_completion_callback()
    async def astream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseAsyncGen:
        """As `stream_complete`."""
        return await astream_chat_to_completion_decorator(self.astream_chat)(prompt, **kwargs)


def _pairs(messages: Sequence[ChatMessage]) -> list[tuple[str, str]]:
    return [(_ROLES.get(message.role, "user"), message.content or "") for message in messages]


def _text(reply: Any) -> str:
    """The text of a message, of block lists the text blocks; of an LLM or a parser, the string itself."""
    return reply if isinstance(reply, str) else str(getattr(reply, "text", "") or "")


def _response(reply: Any) -> ChatResponse:
    message = ChatMessage(role=MessageRole.ASSISTANT, content=_text(reply))
    return ChatResponse(message=message, raw=_raw(reply), additional_kwargs=_usage(reply))


def _chunk(text: str, delta: str, chunk: Any) -> ChatResponse:
    message = ChatMessage(role=MessageRole.ASSISTANT, content=text)
    return ChatResponse(message=message, delta=delta, raw=_raw(chunk), additional_kwargs=_usage(chunk))


def _raw(reply: Any) -> dict[str, Any]:
    """The provider's metadata, with the reason why the reply ended under one name."""
    metadata = dict(getattr(reply, "response_metadata", None) or {})
    reason = next((metadata[key] for key in _STOPPED if metadata.get(key)), None)
    return metadata if reason is None else metadata | {"stop_reason": reason}


def _usage(reply: Any) -> dict[str, int]:
    counts = getattr(reply, "usage_metadata", None) or {}
    named = {
        "prompt_tokens": counts.get("input_tokens"),
        "completion_tokens": counts.get("output_tokens"),
        "total_tokens": counts.get("total_tokens"),
    }
    return {name: count for name, count in named.items() if isinstance(count, int)}
