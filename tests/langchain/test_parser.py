"""The parser in LangChain's idiom; what it can read is tested with the core's parser."""

from __future__ import annotations

import pytest
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.load import dumps, loads
from langchain_core.messages import AIMessage

from grapheval import Triple
from langchain_grapheval import TripleOutputParser

REPLY = '<triples>[["Oslo", "is in", "Norway"], ["Oslo", "has", "trams"]]</triples>'
TRIPLES = [Triple("Oslo", "is in", "Norway"), Triple("Oslo", "has", "trams")]


def model(*replies: str) -> GenericFakeChatModel:
    return GenericFakeChatModel(messages=iter([AIMessage(reply) for reply in replies]))


def test_a_string_and_a_message() -> None:
    assert TripleOutputParser().invoke(REPLY) == TRIPLES
    assert TripleOutputParser().invoke(AIMessage([{"type": "text", "text": REPLY}])) == TRIPLES


def test_nothing_stated_is_an_empty_list() -> None:
    assert TripleOutputParser().invoke("<triples>[]</triples>") == []


@pytest.mark.parametrize(
    ("reply", "word"),
    [("", "empty"), ("I would rather not.", "no list"), ('[["a", "b"]]', ""), ("<triples>[[", "cut off")],
)
def test_a_reply_without_triples_is_an_exception_that_tells_the_model_why(reply: str, word: str) -> None:
    with pytest.raises(OutputParserException, match=word) as caught:
        TripleOutputParser().invoke(reply)
    assert caught.value.send_to_llm
    assert caught.value.llm_output == reply
    assert "<triples>" in str(caught.value.observation)


def test_a_reply_that_was_cut_off_keeps_what_is_complete_unless_strict() -> None:
    cut = '<triples>[["Oslo", "is in", "Norway"], ["Oslo", "ha'
    assert TripleOutputParser().invoke(cut) == TRIPLES[:1]
    with pytest.raises(OutputParserException, match="cut off"):
        TripleOutputParser(strict=True).invoke(cut)


def test_a_stream_gives_what_is_complete_so_far() -> None:
    got = list((model(REPLY) | TripleOutputParser()).stream("x"))
    assert got == [TRIPLES[:1], TRIPLES]


async def test_an_async_stream_too() -> None:
    got = [item async for item in (model(REPLY) | TripleOutputParser()).astream("x")]
    assert got == [TRIPLES[:1], TRIPLES]


async def test_a_stream_without_triples_fails_like_a_whole_reply() -> None:
    with pytest.raises(OutputParserException):
        list((model("no thanks") | TripleOutputParser()).stream("x"))
    with pytest.raises(OutputParserException):
        _ = [item async for item in (model("no thanks") | TripleOutputParser()).astream("x")]


def test_a_stream_of_an_empty_list_gives_one_empty_list() -> None:
    assert list((model("<triples>[]</triples>") | TripleOutputParser()).stream("x")) == [[]]


def test_format_instructions_are_followed_by_their_own_example() -> None:
    parser = TripleOutputParser()
    assert parser.invoke(parser.get_format_instructions().split("Example: ")[1])


def test_it_can_be_stored_and_loaded() -> None:
    text = dumps(TripleOutputParser(strict=True))
    back = loads(text, valid_namespaces=["langchain_grapheval"], allowed_objects=[TripleOutputParser])
    assert back == TripleOutputParser(strict=True)


async def test_async() -> None:
    assert await TripleOutputParser().ainvoke(REPLY) == TRIPLES
