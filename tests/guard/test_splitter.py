"""However a text is cut into chunks, its sentences are those of the whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval.context.sentences import split_sentences
from grapheval.guard.splitter import SentenceBuffer

_BITS = st.sampled_from(
    [
        *"ab .,\n",
        "Dr. ",
        "Inc. The ",
        "e.g. ",
        "U.S. ",
        "3.",
        "14 ",
        "\n\n",
        "- item\n",
        "1. one\n",
        "Who? ",
        "“So!” he said ",
        "No. 5 ",
        "… then ",
        "文章。",
        "次の文",
        "word ",
        "Word ",
        "# Head\n",
        "| a |\n",
        "\r\n",
        "   ",
        "etc. And ",
        "J. S. ",
        "(see p. 3). ",
        "x" * 30,
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(_BITS, max_size=40).map("".join), st.lists(st.integers(1, 12), min_size=1, max_size=60))
def test_the_cuts_do_not_matter(text: str, sizes: list[int]) -> None:
    buffer, pieces, place, turn = SentenceBuffer(), [], 0, 0
    while place < len(text):
        size = sizes[turn % len(sizes)]
        pieces += buffer.feed(text[place : place + size])
        place, turn = place + size, turn + 1
    pieces += buffer.close()
    whole = split_sentences(text)
    assert [(piece.start, piece.end) for piece in pieces] == [(span.start, span.end) for span in whole]
    assert [piece.next for piece in pieces] == [*[span.start for span in whole[1:]], len(text)][: len(whole)]


def test_a_sentence_is_handed_out_when_the_next_ones_first_word_is_complete() -> None:
    buffer = SentenceBuffer()
    assert buffer.feed("It rains. ") == []
    assert buffer.feed("The") == []
    (piece,) = buffer.feed(" sun")
    assert buffer.text[piece.start : piece.end] == "It rains."
    assert piece.next == len("It rains. ")


@pytest.mark.parametrize("text", ["", "   \n"])
def test_white_space_has_no_sentence(text: str) -> None:
    buffer = SentenceBuffer()
    assert buffer.feed(text) == []
    assert buffer.close() == []


def test_a_script_without_spaces_does_not_wait_for_the_end() -> None:
    buffer = SentenceBuffer()
    pieces = [piece for character in "最初の文です。" + "次" * 60 for piece in buffer.feed(character)]
    assert [buffer.text[piece.start : piece.end] for piece in pieces] == ["最初の文です。"]
