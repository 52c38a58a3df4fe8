"""Claims under construction: sequences of words that remember where they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a draft.

    Attributes:
        text: The word.
        space: Whether a space follows.
        index: Its token number in the parsed document; None for a word that was put in.
    """

    text: str
    space: bool = True
    index: int | None = None


Draft = tuple[Piece, ...]


def of_tokens(tokens: Iterable[Token]) -> Draft:
    """Return a draft of the document's tokens, in the order given; a space stands where words were left out."""
    pieces: list[Piece] = []
    last: Token | None = None
    for token in tokens:
        if last is not None and token.i != last.i + 1 and not token.is_punct and not last.is_left_punct:
            pieces[-1] = Piece(last.text, True, last.i)
        pieces.append(Piece(token.text, bool(token.whitespace_), token.i))
        last = token
    return tuple(pieces)


def of_text(text: str) -> Draft:
    """Return a draft of words that stand in no document."""
    return tuple(Piece(word) for word in text.split())


def find(draft: Draft, start: int, end: int) -> tuple[int, int] | None:
    """Return the half-open place of the document's tokens `start` to `end` in a draft, or None."""
    wanted = list(range(start, end))
    indexes = [piece.index for piece in draft]
    for place in range(len(indexes) - len(wanted) + 1):
        if indexes[place : place + len(wanted)] == wanted:
            return place, place + len(wanted)
    return None


def put(draft: Draft, place: tuple[int, int], new: Draft) -> Draft:
    """Return the draft with the pieces at `place` replaced; the spacing after the place is kept."""
    first, last = place
    if new and last > first:
        new = (*new[:-1], Piece(new[-1].text, draft[last - 1].space, new[-1].index))
    return draft[:first] + new + draft[last:]


_DANGLING = re.compile(r"(?:[\s,;:–—-]+(?:and|or|but|,))?[\s,;:–—-]*([.!]?)$")


def render(draft: Draft) -> str:
    """Return a draft as a sentence: spacing repaired, first letter upper-case, one full stop at the end."""
    text = "".join(piece.text + (" " if piece.space else "") for piece in draft)
    if text.count('"') % 2:
        text = text.replace('"', "")
    if text.count("(") != text.count(")"):
        text = re.sub(r"[()]", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([,.;:!?%)])", r"\1", text)
    text = re.sub(r"([(]) ", r"\1", text)
    text = re.sub(r"(?:,\s*)+([,.;])", r"\1", text)
    text = re.sub(r",(?=[^\s\d\"”'’])", ", ", text)
    text = re.sub(r"^[\s,;:.!?–—-]+", "", text)
    text = _DANGLING.sub(r"\1", text)
    if not text:
        return ""
    text = text[0] + text[1].upper() + text[2:] if text[0] in '"“‘' and len(text) > 1 else text[0].upper() + text[1:]
    return text if text[-1] in '.!?"”' else text + "."
