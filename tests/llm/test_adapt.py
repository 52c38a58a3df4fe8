"""What people have becomes an `LLM`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from llama_index.core.llms import MockLLM

from grapheval.errors import InputError, ModelError
from grapheval.llm import as_llm
from grapheval.llm.drive import aask, ask, run
from grapheval.protocols import Completion, Message
from grapheval.testing import FakeLLM
from grapheval.types import Usage

CHAT = [Message("system", "Be brief."), Message("user", "Capital of {country}?")]


def test_functions() -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return "Oslo"

    llm = as_llm(model)
    assert (llm.name, llm.complete(CHAT).text, llm.complete(CHAT[1:]).text) == ("model", "Oslo", "Oslo")
    assert seen == [
        "### Instructions\nBe brief.\n\n### User\nCapital of {country}?\n\n### Assistant\n",
        "Capital of {country}?",
    ]


async def test_asynchronous_functions_serve_both_ways() -> None:
    async def model(prompt: str) -> str:
        await asyncio.sleep(0)
        return "Oslo"

    llm = as_llm(model)
    assert (await aask(llm, CHAT)).text == "Oslo"
    assert ask(llm, CHAT).text == "Oslo"  # inside a running loop
    assert await asyncio.to_thread(lambda: ask(llm, CHAT).text) == "Oslo"


@pytest.mark.parametrize(
    ("reply", "completion"),
    [
        (None, Completion("")),
        ("", Completion("")),
        (Completion("x", "length", Usage(1, 2, 3)), Completion("x", "length", Usage(1, 2, 3))),
    ],
)
def test_replies_of_functions(reply: Any, completion: Completion) -> None:
    assert ask(as_llm(lambda prompt: reply), CHAT) == completion


@pytest.mark.parametrize("reply", [5, b"bytes", ["Oslo"], {"text": "Oslo"}])
def test_a_reply_that_is_no_text_is_an_error(reply: Any) -> None:
    with pytest.raises(ModelError, match="where a reply should be"):
        ask(as_llm(lambda prompt: reply), CHAT)


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (RuntimeError("out of memory"), "model_error", False),
        (TimeoutError("late"), "timeout", True),
        (ConnectionResetError("gone"), "model_error", True),
        (ModelError("own", code="x"), "x", False),
    ],
)
async def test_whatever_is_raised_is_typed(error: Exception, code: str, retryable: bool) -> None:
    def model(prompt: str) -> str:
        raise error

    for call in (lambda: ask(as_llm(model), CHAT), lambda: asyncio.run(aask(as_llm(model), CHAT))):
        with pytest.raises(ModelError) as caught:
            await asyncio.to_thread(call)
        assert (caught.value.code, caught.value.retryable) == (code, retryable)


def test_langchain_messages_with_blocks_usage_and_stop_reason() -> None:
    message = AIMessage(
        content=[{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "Os"}, {"type": "text", "text": "lo"}],
        usage_metadata={"input_tokens": 12, "output_tokens": 3, "total_tokens": 15},
        response_metadata={"stopReason": "max_tokens", "model_name": "claude"},
    )
    llm = as_llm(GenericFakeChatModel(messages=iter([message])))
    assert llm.complete(CHAT) == Completion("Oslo", "length", Usage(1, 12, 3), "claude")


async def test_langchain_chat_models_llms_and_chains() -> None:
    chat = FakeListChatModel(responses=["Oslo"])
    for model in (chat, FakeListLLM(responses=["Oslo"]), chat | StrOutputParser(), chat.with_retry()):
        llm = as_llm(model)
        assert llm.complete(CHAT).text == "Oslo"
        assert (await aask(llm, CHAT)).text == "Oslo"
        assert llm.name


async def test_llama_index() -> None:
    llm = as_llm(MockLLM())
    echoed = llm.complete(CHAT).text
    assert "Capital of {country}?" in echoed
    assert (await aask(llm, CHAT)).text == echoed
    assert llm.name == "MockLLM"


def test_llama_index_usage_and_stop_reason() -> None:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse

    class Counting(MockLLM):
        def chat(self, messages: Any, **kwargs: Any) -> ChatResponse:
            raw = {
                "choices": [{"finish_reason": "length"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
                "model": "m",
            }
            return ChatResponse(message=ChatMessage(role="assistant", content="Oslo"), raw=raw)

    assert as_llm(Counting()).complete(CHAT) == Completion("Oslo", "length", Usage(1, 9, 2), "m")


def test_an_llm_stays_what_it_is() -> None:
    fake = FakeLLM(["x"])
    assert as_llm(fake) is fake


@pytest.mark.parametrize("thing", [5, None, object(), FakeLLM])
def test_what_is_no_model_is_refused(thing: Any) -> None:
    with pytest.raises(InputError):
        as_llm(thing)


def test_a_plan_sees_errors_and_failed_calls_are_counted() -> None:
    def plan() -> Any:
        try:
            yield CHAT
        except ModelError as error:
            completion = yield CHAT
            return f"{error}; then {completion.text}"

    fake = FakeLLM([ModelError("busy"), Completion("fine", "stop", Usage(1, 5, 1))])
    assert run(plan(), fake) == ("busy; then fine", Usage(2, 5, 1))
