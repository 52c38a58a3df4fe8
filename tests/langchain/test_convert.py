"""Documents, messages and the odd things that retrievers and tools return."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from grapheval import InputError
from grapheval.types import to_sources
from langchain_grapheval.convert import answer_text, question_text, to_context, to_sample, with_text


def texts(context: Any) -> list[str]:
    return [source.text for source in to_sources(to_context(context))]


def test_documents_strings_and_lists_of_lists() -> None:
    one, two = Document("one", id="d1"), Document("two", metadata={"page": 3})
    assert texts(one) == ["one"]
    assert texts("plain") == ["plain"]
    assert texts([[one], [two, "three"]]) == ["one", "two", "three"]
    sources = to_sources(to_context([one, two]))
    assert [source.id for source in sources] == ["d1", "2"]
    assert sources[1].metadata == {"page": 3}


@pytest.mark.parametrize("context", [None, [], [[]], ()])
def test_an_empty_retrieval_is_an_empty_context(context: Any) -> None:
    assert texts(context) == []


def test_documents_without_content_are_empty_passages() -> None:
    assert texts([Document.model_construct(page_content=None), None, Document("x")]) == ["", "", "x"]


def test_huge_documents_are_taken_whole() -> None:
    assert len(texts(Document("word " * 400_000))[0]) == 2_000_000


def test_of_a_conversation_the_tool_results_count() -> None:
    conversation = [
        SystemMessage("Oslo is in Sweden."),
        HumanMessage("Oslo is in Denmark."),
        AIMessage("", tool_calls=[{"name": "search", "args": {}, "id": "1"}]),
        ToolMessage("text for the model", tool_call_id="1", artifact=[Document("Oslo is in Norway.")]),
        ToolMessage("Bergen is in Norway.", tool_call_id="2"),
        ToolMessage([{"type": "image", "url": "x"}, {"type": "text", "text": "A map."}], tool_call_id="3"),
        ToolMessage([{"type": "image", "url": "x"}], tool_call_id="4"),
        ToolMessage("Traceback", tool_call_id="5", status="error"),
        ToolMessage("{}", tool_call_id="6", artifact={"documents": [Document("Nested.")], "took": 3}),
        AIMessage("Oslo is in Finland."),
    ]
    assert texts(conversation) == ["Oslo is in Norway.", "Bergen is in Norway.", "A map.", "Nested."]


@pytest.mark.parametrize("context", [7, [object()], {"no": "text"}])
def test_what_is_no_context(context: Any) -> None:
    with pytest.raises(InputError):
        texts(context)


def test_answers_and_questions() -> None:
    blocks = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Oslo"}, {"type": "text", "text": "."}]
    assert answer_text(AIMessage(blocks)) == "Oslo."
    assert question_text([HumanMessage("first"), AIMessage("x"), HumanMessage("second")]) == "second"
    assert question_text(HumanMessage("who")) == question_text("who") == "who"
    assert question_text(None) is None
    with pytest.raises(InputError):
        question_text(7)


def test_a_sample_from_a_chains_dictionary() -> None:
    sample = to_sample({"answer": AIMessage("a"), "context": [Document("c")], "input": "q", "other": 1})
    assert (sample.answer, sample.question, sample.sources[0].text) == ("a", "q", "c")
    for data, word in (({"answer": "a"}, "no 'context'"), ({"context": "c"}, "no 'answer'"), ("a", "a dictionary")):
        with pytest.raises(InputError, match=word):
            to_sample(data)  # type: ignore[arg-type]


def test_another_text_keeps_everything_else_of_a_message() -> None:
    message = AIMessage("old", id="7", name="bot", response_metadata={"model": "m"}, usage_metadata=None)
    got = with_text(message, "new", report={"decision": "corrected"})
    assert (got.content, got.id, got.name) == ("new", "7", "bot")
    assert got.response_metadata == {"model": "m", "grapheval": {"decision": "corrected"}}
    assert message.response_metadata == {"model": "m"}


def test_other_blocks_stay_unless_the_answer_is_blocked() -> None:
    image = {"type": "image", "url": "x"}
    cited = {"type": "text", "text": "old", "annotations": [{"type": "citation", "start_index": 0, "end_index": 3}]}
    message = AIMessage([cited, image, {"type": "text", "text": " more"}])
    assert with_text(message, "old more").content == message.content
    assert with_text(message, "new").content == [{"type": "text", "text": "new"}, image]
    assert with_text(message, "no", blocked=True).content == "no"
    assert with_text(AIMessage([image]), "new").content == [image, {"type": "text", "text": "new"}]
