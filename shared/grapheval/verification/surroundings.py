"""What stands around the windows that are read for a claim: the sentences of their sources, near them.

A model reads few windows, for it is dear; words are cheap to look up. Whether a claim's words stand anywhere near is a
sign of its own: a window that lacks a word says little where the next paragraph has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from grapheval.protocols import Passage
from grapheval.types import Source
from grapheval.verification.explicit.reading import Sentence, read

_REACH = 4000
"""Characters to each side, at least: a page or so. Not the whole source, for in a book every word stands somewhere."""
_LONGEST_WORD = 100


def surroundings(passages: Iterable[Passage], sources: Sequence[Source]) -> list[Sentence]:
    """The sentences around passages.

    Args:
        passages: Pieces of the sources.
        sources: The context.

    Returns:
        Sentences of all sources that hold a passage: of short ones all, of long ones those near a passage. Their
        spans count from the beginning of the piece that they were read in.
    """
    texts = {source.id: source.text for source in sources}
    pieces = dict.fromkeys(
        piece
        for passage in passages
        for piece in _pieces(texts[passage.source_id], passage.span.start, passage.span.end)
    )
    return [sentence for piece in pieces for sentence in read(piece).sentences]


def _pieces(text: str, start: int, end: int) -> list[str]:
    """The text, or the pieces of it around a span, cut at fixed places, so that neighbours share what was read."""
    if len(text) <= 3 * _REACH:
        return [text]
    first, last = max(0, start - _REACH) // _REACH, (end - 1 + _REACH) // _REACH
    cuts = [_between_words(text, number * _REACH) for number in range(first, last + 2)]
    return [text[low:high] for low, high in pairwise(cuts) if low < high]


def _between_words(text: str, position: int) -> int:
    """The first place from `position` on that does not cut a word, if there is one near."""
    for place in range(min(position, len(text)), min(position + _LONGEST_WORD, len(text))):
        if text[place].isspace():
            return place
    return min(position, len(text))
