"""Evidence as standard content blocks."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage

from grapheval import InputError
from langchain_grapheval import with_citations
from tests.guard.helpers import CONTEXT, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
DOCUMENTS = [Document(CONTEXT, id="towns", metadata={"title": "Towns", "source": "https://example.org/towns"})]


def test_a_supported_claim_gets_a_citation() -> None:
    text = f"{GOOD} {WRONG}"
    message = AIMessage(text, id="m")
    got = with_citations(message, pipeline().evaluate(text, DOCUMENTS), DOCUMENTS)
    (block,) = got.content_blocks
    assert block["type"] == "text"
    assert (got.text, got.id) == (text, "m")
    (citation,) = block["annotations"]
    assert citation["type"] == "citation"
    assert text[citation["start_index"] : citation["end_index"]] == GOOD
    assert (citation["title"], citation["url"]) == ("Towns", "https://example.org/towns")
    assert citation["cited_text"] in CONTEXT
    assert citation["extras"]["source_id"] == "towns"


def test_other_blocks_stay_and_strings_become_messages() -> None:
    image = {"type": "image", "url": "https://example.org/x.png"}
    evaluation = pipeline().evaluate(GOOD, CONTEXT)
    got = with_citations(AIMessage([{"type": "text", "text": GOOD}, image]), evaluation)
    assert [block["type"] for block in got.content_blocks] == ["text", "image"]
    assert "url" not in with_citations(GOOD, evaluation).content_blocks[0]["annotations"][0]


def test_an_evaluation_of_another_text() -> None:
    with pytest.raises(InputError, match="another text"):
        with_citations(AIMessage("Oslo."), pipeline().evaluate(GOOD, CONTEXT))
