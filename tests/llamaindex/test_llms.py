"""Language models of each host inside the other."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.llms import MockLLM
from llama_index.core.response_synthesizers import get_response_synthesizer

from grapheval import GraphEval, InputError
from grapheval.llm import as_llm
from grapheval.protocols import Completion, Message
from grapheval.testing import FakeVerifier
from grapheval.types import Usage
from langchain_grapheval import bedrock_chat
from llamaindex_grapheval import GraphEvalEvaluator, LangChainLLM, LlamaIndexChatModel
from tests.langchain.bedrock_stub import Bedrock, bedrock
from tests.llamaindex.helpers import GOOD, QUESTION, ScriptedLLM

CHAT = [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="Capital of {country}?")]


class TestLangChainInside:
    async def test_every_way_to_ask(self) -> None:
        chat = FakeListChatModel(responses=["Oslo it is"])
        for model in (chat, chat.with_retry(), chat | StrOutputParser(), FakeListLLM(responses=["Oslo it is"])):
            llm = LangChainLLM(model)
            assert llm.chat(CHAT).message.content == "Oslo it is"
            assert (await llm.achat(CHAT)).message.content == "Oslo it is"
            assert llm.complete("Capital?").text == "Oslo it is"
            assert (await llm.acomplete("Capital?")).text == "Oslo it is"
            chunks = list(llm.stream_chat(CHAT))
            assert "".join(chunk.delta or "" for chunk in chunks) == "Oslo it is" == chunks[-1].message.content
            last = [chunk async for chunk in await llm.astream_chat(CHAT)][-1]
            assert last.message.content == "Oslo it is"
            assert "".join(chunk.delta or "" for chunk in llm.stream_complete("Capital?")) == "Oslo it is"
            deltas = [chunk.delta or "" async for chunk in await llm.astream_complete("Capital?")]
            assert "".join(deltas) == "Oslo it is"

    def test_roles_blocks_usage_and_stop_reason(self) -> None:
        seen: list[Any] = []
        message = AIMessage(
            content=[{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Oslo"}],
            usage_metadata={"input_tokens": 12, "output_tokens": 3, "total_tokens": 15},
            response_metadata={"stopReason": "max_tokens", "model_name": "claude"},
        )

        class Recording(GenericFakeChatModel):
            def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
                seen.append(messages)
                return super()._generate(messages, *args, **kwargs)

        llm = LangChainLLM(Recording(messages=iter([message, message])))
        reply = llm.chat(CHAT)
        assert (reply.message.content, reply.additional_kwargs["prompt_tokens"]) == ("Oslo", 12)
        assert [(type(m), m.text) for m in seen[0]] == [
            (SystemMessage, "Be brief."),
            (HumanMessage, "Capital of {country}?"),
        ]
        # ... and through the core's adapter for LlamaIndex
        assert as_llm(llm).complete([Message("user", "Capital?")]) == Completion("Oslo", "length", Usage(1, 12, 3))

    def test_what_is_no_model_is_refused(self) -> None:
        with pytest.raises(InputError, match="needs a model of LangChain, not str"):
            LangChainLLM("gpt-4")

    async def test_bedrock_answers_and_judges(self) -> None:
        triples = {GOOD: [["Oslo", "is the capital of", "Norway"]]}
        with bedrock(Bedrock(GOOD, triples)) as stub:
            llm = LangChainLLM(
                bedrock_chat(
                    "anthropic.claude-3-haiku-20240307-v1:0", region_name="us-east-1", endpoint_url=stub.url,
                    aws_access_key_id="x", aws_secret_access_key="y",
                )
            )  # fmt: skip
            assert "claude" in llm.metadata.model_name
            synthesizer = get_response_synthesizer(llm=llm)
            assert synthesizer.get_response(QUESTION, [GOOD]) == GOOD
            streaming = get_response_synthesizer(llm=llm, streaming=True)
            assert "".join(streaming.get_response(QUESTION, [GOOD])) == GOOD
            one = GraphEvalEvaluator(GraphEval.from_llm(llm, verifier=FakeVerifier({}, 0.9)))
            for result in (one.evaluate(QUESTION, GOOD, [GOOD]), await one.aevaluate(QUESTION, GOOD, [GOOD])):
                assert (result.passing, result.triples[0]["subject"]) == (True, "Oslo")


class TestLlamaIndexInside:
    async def test_every_way_to_ask(self) -> None:
        model = LlamaIndexChatModel(llm=ScriptedLLM(reply="Oslo it is"))
        assert model.invoke("Capital?").text == "Oslo it is"
        assert (await model.ainvoke("Capital?")).text == "Oslo it is"
        assert "".join(str(chunk.text) for chunk in model.stream("Capital?")) == "Oslo it is"
        assert "".join([str(chunk.text) async for chunk in model.astream("Capital?")]) == "Oslo it is"
        assert model.invoke("Capital?", stop=["it"]).text == "Oslo "
        assert "".join(str(chunk.text) for chunk in model.stream("Capital?", stop=["it"])) == "Oslo "

    def test_roles_and_usage(self) -> None:
        seen: list[Any] = []

        class Recording(MockLLM):
            def chat(self, messages: Any, **kwargs: Any) -> ChatResponse:
                seen.append([(message.role.value, message.content) for message in messages])
                usage = {"prompt_tokens": 9, "completion_tokens": 2}
                return ChatResponse(message=ChatMessage(role="assistant", content="Oslo"), additional_kwargs=usage)

        got = LlamaIndexChatModel(llm=Recording()).invoke(
            [SystemMessage("Be brief."), HumanMessage("Capital of {x}?"), AIMessage("Well."), HumanMessage("So?")]
        )
        assert seen == [[("system", "Be brief."), ("user", "Capital of {x}?"), ("assistant", "Well."), ("user", "So?")]]
        assert got.usage_metadata == {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
