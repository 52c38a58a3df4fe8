"""The answer as pieces that can be edited: sentences, list items and cells, with their way back to the original."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grapheval.context.sentences import split_sentences
from grapheval.correction.edits import Change
from grapheval.extraction.inline import Plain
from grapheval.extraction.markdown import read_blocks
from grapheval.types import Claim, Span
from grapheval.verification.overlap import Overlap

_LINK_END = re.compile(r"\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of the answer, or a table's cell.

    Args:
        plain: Its text without Markdown.
        span: Its place in the answer.
        kind: Kind of its block: `paragraph`, `item`, `heading`, `row`.
        alone: Whether it is all of its block.
    """

    plain: Plain
    span: Span
    kind: str
    alone: bool

    def to_answer(self, answer: str, changes: Sequence[Change]) -> list[Change] | None:
        """Changes of the plain text as changes of the answer; None where markup or code stands in their way.

        Args:
            answer: The answer.
            changes: Sorted, in coordinates of the plain text.
        """
        found: list[Change] = []
        for change in changes:
            placed = self._placed(answer, change)
            if placed is None:
                return None
            found.append(placed)
        found.sort(key=lambda change: change.start)
        return None if any(left.end > right.start for left, right in pairwise(found)) else found

    def _placed(self, answer: str, change: Change) -> Change | None:
        text = self.plain.text
        if any(change.start < code.end and code.start < change.end for code in self.plain.code):
            return None
        if change.start == change.end:
            if change.start > 0:
                place = self.plain.span(change.start - 1, change.start).end
            else:
                place = self.plain.span(0, 1).start
            return Change(place, place, change.new)
        start, end = self.plain.span(change.start, change.end)
        if answer[start:end] != text[change.start : change.end]:
            return (
                None
                if "".join(answer[start:end].split()) != "".join(text[change.start : change.end].split())
                else (Change(start, end, change.new))
            )
        link = _LINK_END.match(answer, end)
        opened = answer[start - 1 : start] == "["
        if link and opened:  # the link leads to what the text said before
            return Change(start - 1, link.end(), change.new)
        inside = answer.rfind("[", self.span.start, start)
        if inside >= 0 and "]" not in answer[inside:start] and _LINK_END.search(answer, end, self.span.end):
            return None
        return Change(start, end, change.new)


def read_pieces(answer: str) -> list[Piece]:
    """The pieces of an answer, in order; code has none."""
    pieces = []
    for block in read_blocks(answer):
        if block.kind == "code":
            continue
        if block.kind == "row":
            cells = [cell for cell in block.cells if cell.text]
            pieces += [Piece(cell, cell.span(0, len(cell.text)), "row", False) for cell in cells]
            continue
        sentences = split_sentences(block.plain.text)
        for sentence in sentences:
            plain = block.plain.slice(sentence.start, sentence.end)
            pieces.append(Piece(plain, plain.span(0, len(plain.text)), block.kind, len(sentences) == 1))
    return pieces


def pieces_of(claim: Claim, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that state a claim: those that its place touches; without a place, the one that holds its words."""
    if claim.span is not None:
        start, end = claim.span
        return [piece for piece in pieces if piece.span.start < max(end, start + 1) and start < piece.span.end]
    overlap = Overlap(claim.text)
    shares = [(overlap.share(overlap.held(piece.plain.text)), -number) for number, piece in enumerate(pieces)]
    if not shares:
        return []
    share, number = max(shares)
    return [pieces[-number]] if share >= 0.7 else []
