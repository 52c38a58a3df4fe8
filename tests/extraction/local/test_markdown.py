"""Blocks and inline Markdown, with offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.extraction.markdown import read_blocks


def plain(text):
    return [block.plain.text for block in read_blocks(text)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**bold** and _it_ and ~~no~~", "bold and it and no"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("see [the site](http://x.y/(z)) now", "see the site now"),
        ("Oslo [1], Bergen[2, 3] and Bodø【4†source】.", "Oslo, Bergen and Bodø."),
        ("a note[^n1] here (Passage 4).", "a note here."),
        ("`a[1]` and a[1] and my_list[0]", "a[1] and a[1] and my_list[0]"),
        ("R&amp;D &lt;now&gt;", "R&D <now>"),
        ("a<br>b <b>c</b> <!-- x --> d", "a b c d"),
        (r"\*not bold\*", "*not bold*"),
        ("one\u200b two\u00a0three", "one two three"),
        ("x < y and y > z", "x < y and y > z"),
        ("![alt](a.png) text", "text"),
    ],
)
def test_inline(source, expected):
    assert plain(source) == [expected]


def test_blocks():
    source = "# Title\n\nText goes\non here.\n\n- one\n  more\n  - two\n\n1. three\n\n> quoted\n\n```\ncode\n```\n\n[1]: http://x\n"
    found = read_blocks(source)
    assert [(b.kind, b.plain.text, b.heading) for b in found] == [
        ("heading", "Title", None),
        ("paragraph", "Text goes on here.", 0),
        ("item", "one more", 0),
        ("item", "two", 0),
        ("item", "three", 0),
        ("paragraph", "quoted", 0),
        ("code", "", 0),
    ]
    assert found[3].intro == 2


def test_spans():
    source = "The **big** town, see [map](u): R&amp;D."
    (block,) = read_blocks(source)
    text = block.plain.text
    assert text == "The big town, see map: R&D."
    for word, original in (("big", "big"), ("map", "map"), ("&", "&amp;"), ("town", "town")):
        start = text.index(word)
        assert block.plain.span(start, start + len(word)).of(source) == original


@given(st.text(alphabet=st.sampled_from("ab *_`[]()<>&!|#-\n\\~1^:;\"'"), max_size=120))
def test_every_character_has_its_place(source):
    for block in read_blocks(source):
        text = block.plain.text
        last = 0
        for index in range(len(text)):
            span = block.plain.span(index, index + 1)
            assert 0 <= span.start < span.end <= len(source)
            assert span.start >= last
            last = span.start
