from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from grapheval.serve import Limits
from grapheval.serve.page import passages

from .conftest import ANSWER, CONTEXT, client


class Tags(HTMLParser):
    """The tags of a page, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


async def test_the_page_is_a_form_without_a_script() -> None:
    async with client() as http:
        reply = await http.get("/")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    found = Tags(reply.text).tags
    names = [attrs["name"] for tag, attrs in found if tag in {"textarea", "input", "button"}]
    assert names == ["answer", "context", "question", "do", "do"]
    assert [tag for tag, _ in found if tag == "script"] == []
    (frame,) = [attrs for tag, attrs in found if tag == "iframe"]
    assert frame["sandbox"] == "allow-scripts"
    assert not re.search(r"https?://", reply.text)


async def test_the_form_is_answered_by_a_report() -> None:
    form = {"answer": ANSWER, "context": CONTEXT, "question": "", "do": "check"}
    async with client() as http:
        reply = await http.post("/report", data=form)
        corrected = await http.post("/report", data=form | {"do": "correct"})
    assert reply.status_code == 200
    assert reply.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "nine million inhabitants" in reply.text
    assert "700,000" in corrected.text


async def test_hostile_text_stays_text() -> None:
    hostile = "</textarea></script><script>alert(1)</script><img src=x onerror=alert(1)> $style ${correct}"
    async with client() as http:
        reply = await http.post("/report", data={"answer": hostile, "context": hostile, "question": hostile})
        refused = await http.post("/report", data={"answer": hostile * 1000, "context": "x"})
    for page in (reply.text, refused.text):
        assert "<script>alert" not in page
        assert "<img" not in page
    assert "alert(1)" in reply.text


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 422, "lacks an answer"),
        (b"answer=x", 422, "lacks an answer"),
        (b"\xff=1&answer=x&context=y", 422, "cannot be read"),
        (b"&".join(b"a=1" for _ in range(99)), 422, "cannot be read"),
        (b"answer=" + b"x" * 30_000 + b"&context=y", 422, "30,000 characters"),
        (b"answer=%ff%fe%00&context=%00", 200, ""),
    ],
)
async def test_bad_forms_get_a_page_that_says_why(body: bytes, status: int, message: str) -> None:
    async with client() as http:
        reply = await http.post("/report", content=body)
    assert reply.status_code == status
    assert message in reply.text
    assert reply.headers["content-type"].startswith("text/html")


async def test_the_form_has_limits_too() -> None:
    async with client(limits=Limits(body_bytes=100)) as http:
        assert (await http.post("/report", data={"answer": "x" * 200, "context": "y"})).status_code == 413


def test_passages_are_cut_at_lines_of_hyphens() -> None:
    found = passages("One.\n---\nTwo,\nstill two - - -\n -----  \n\n---\nThree--- and more.")
    assert [source.text for source in found] == ["One.", "Two,\nstill two - - -", "Three--- and more."]
    assert passages("") == []
