"""How wide text will be, roughly, without a font at hand; and its cutting into lines."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NARROW = frozenset("iljtfrI.,:;'’!|()[]{}/\\ -`")
_WIDE = frozenset("mwMW@%&—…")


@lru_cache(maxsize=4096)
def _em(character: str) -> float:
    if character in _NARROW:
        return 0.37
    if character in _WIDE:
        return 0.95
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.05
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0.0
    return 0.71 if character.isupper() else 0.61


def width(text: str, size: float) -> float:
    """Width in pixels of a line in a sans-serif font of `size` pixels, a little on the safe side."""
    return sum(map(_em, text)) * size


def wrap(text: str, size: float, limit: float, lines: int) -> list[str]:
    """Cut a text into at most `lines` lines of at most `limit` pixels; what does not fit ends in an ellipsis.

    Words that are longer than a line are broken, so that scripts without spaces wrap too.
    """
    found: list[str] = []
    line = ""
    rest = _pieces(text, size, limit)
    while rest:
        word = rest.pop(0)
        longer = f"{line} {word}" if line else word
        if not line or width(longer, size) <= limit:
            line = longer
            continue
        found.append(line)
        if len(found) == lines:
            found[-1] = _ellipsis(found[-1], size, limit)
            return found
        line = word
    return [*found, line] if line else found or [""]


def _pieces(text: str, size: float, limit: float) -> list[str]:
    """Words, the over-long ones broken; no more than could ever be shown."""
    pieces: list[str] = []
    for word in text[:400].split():
        piece = ""
        for character in word:
            if piece and width(piece + character, size) > limit:
                pieces.append(piece)
                piece = ""
            piece += character
        pieces.append(piece)
    if len(text) > 400:
        pieces.append("…")
    return pieces


def _ellipsis(line: str, size: float, limit: float) -> str:
    while line and width(line + "…", size) > limit:
        line = line[:-1]
    return line.rstrip() + "…"
