"""A real, small language model as the chain's model, and as the one that reads and repairs. Its answers are poor."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough

from grapheval import Evaluation, GraphEval
from grapheval.correction.graphcorrect import GraphCorrect
from grapheval.guard.ledger import applied
from grapheval.protocols import Message
from langchain_grapheval import GraphEvalGuard, GraphEvalMiddleware, GraphEvaluator
from tests.llm.test_smollm2 import SmolLM2, llm  # noqa: F401 - a fixture

pytestmark = pytest.mark.llm

DOCUMENTS = [Document("Bergen lies on the west coast of Norway. It has 231 rainy days a year.", id="bergen")]
ROLES = {"human": "user", "ai": "assistant", "system": "system"}


class Chat(BaseChatModel):
    """SmolLM2 as a LangChain chat model."""

    inner: Any

    @property
    def _llm_type(self) -> str:
        return "smollm2"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        turns = [Message(ROLES[message.type], str(message.text)) for message in messages]  # type: ignore[arg-type]
        reply = self.inner.complete(turns, limit=60)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(reply.text))])


@pytest.fixture(scope="module")
def chat(llm: SmolLM2) -> Chat:  # noqa: F811 - the fixture above
    return Chat(inner=llm)


def rag(chat: Chat) -> Any:
    prompt = ChatPromptTemplate.from_template("Context: {context}\nAnswer in one sentence: {question}")
    return RunnablePassthrough.assign(context=lambda _: DOCUMENTS) | RunnablePassthrough.assign(answer=prompt | chat)


QUESTION = {"question": "How many rainy days a year does Bergen have?"}


def test_the_evaluator_judges_what_it_says(chat: Chat) -> None:
    got = (rag(chat) | GraphEvaluator()).invoke(QUESTION)
    assert isinstance(got, Evaluation)
    assert got.verdicts


def test_the_guard_repairs_or_blocks_and_streams_the_same(chat: Chat) -> None:
    guard = GraphEvalGuard(pipeline=GraphEval.local(corrector=GraphCorrect(chat)), output="dict")
    chain = rag(chat) | guard
    whole = chain.invoke(QUESTION)
    original = rag(chat).invoke(QUESTION)["answer"].text
    assert whole["grapheval"]["decision"] in {"passed", "corrected", "blocked"}
    streamed = reduce(add, chain.stream(QUESTION))
    assert str(streamed["answer"].text) == str(whole["answer"].text)
    result = guard._guard.run(original, DOCUMENTS, QUESTION["question"])
    assert result.correction is not None
    assert applied(original, result.correction.edits) == str(whole["answer"].text)


def test_with_its_own_triples_nothing_unjudged_leaves(chat: Chat) -> None:
    whole = (rag(chat) | GraphEvalGuard(pipeline=GraphEval.from_llm(chat), on_flagged="block")).invoke(QUESTION)
    assert whole.response_metadata["grapheval"]["decision"] in {"passed", "blocked"}


def test_in_an_agent(chat: Chat) -> None:
    agent = create_agent(chat, [], middleware=[GraphEvalMiddleware(GraphEval.local(), on_flagged="block")])
    state = agent.invoke({"messages": [("user", QUESTION["question"])]})
    report = state["grapheval"]["GraphEvalMiddleware"]
    assert (report["decision"] == "blocked") == (state["messages"][-1].text != chat.inner.replies[-1])
