"""Complete sentences of a text that is still arriving: the same ones that the whole text has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grapheval.context.sentences import split_sentences

AHEAD = 48
"""The splitter looks at most 40 characters past a place where a sentence may end."""

STEP = 12
"""Without white space, the text is looked at again after so many characters."""

_LINE_START = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]\s*")
_WORD_AND_SPACE = re.compile(r"\S+\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of the text: `text[start:end]`, and the white space behind it, `text[end:next]`."""

    start: int
    end: int
    next: int


class SentenceBuffer:
    """Collects chunks and hands out sentences as soon as more text can no longer change them.

    However the text is cut into chunks, the pieces are those of `split_sentences` on the whole text. A sentence is
    handed out once the first word of the next one is complete.
    """

    def __init__(self) -> None:
        self.text = ""
        self._done = 0  # everything before was handed out
        self._seen = 0  # length of the text when it was last looked at
        self._base = 0  # where scanning starts again: the beginning of the line that holds `_done`

    def feed(self, chunk: str) -> list[Piece]:
        """Add a chunk.

        Returns:
            The sentences that are complete now, in order.
        """
        self.text += chunk
        grown = len(self.text) - self._seen
        return self._take(at_end=False) if grown >= STEP or any(map(str.isspace, chunk)) else []

    def close(self) -> list[Piece]:
        """Hand out the rest: no more text will come."""
        return self._take(at_end=True)

    def _take(self, *, at_end: bool) -> list[Piece]:
        self._seen = len(self.text)
        spans = [(s.start + self._base, s.end + self._base) for s in split_sentences(self.text[self._base :])]
        spans = [span for span in spans if span[0] >= self._done]
        pieces = []
        for number, (start, end) in enumerate(spans):
            following = spans[number + 1][0] if number + 1 < len(spans) else None
            if following is None:
                if at_end:
                    pieces.append(Piece(start, end, len(self.text)))
                break
            settled = len(self.text) - following >= AHEAD or _WORD_AND_SPACE.match(self.text, following)
            if not (at_end or settled):
                break
            pieces.append(Piece(start, end, following))
        if pieces:
            self._done = pieces[-1].next
            for line in _LINE_START.finditer(self.text, self._base, self._done):
                self._base = line.end()
        return pieces
