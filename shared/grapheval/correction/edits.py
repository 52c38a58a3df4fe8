"""Edits of a text: the difference of two texts, confined to a place, composed over rounds in original coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from grapheval.types import Action, Claim, Edit, Evidence, Span

_TOKEN = re.compile(r"\w+(?:[.,:'’]\w+)*|\s+|[^\w\s]")
_BRIDGE = re.compile(r"[ \t]*[^\w\s.!?…。！？]?[ \t]*")
"""Between two changes, this little is part of them: two replaced words with a space between are one edit. A sentence's
end is not, so that what a reply does to the next sentence can be told apart."""

MAX_TOKENS: Final = 20_000
"""Texts that differ over more tokens than this are compared as one block: a table of all pairs would be too large."""


@dataclass(frozen=True, slots=True)
class Change:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


def diff(old: str, new: str) -> list[Change]:
    """What turns one text into the other: whole words, few and sorted changes.

    Args:
        old: The text that the offsets point into.
        new: The text that the changes make of it.
    """
    if old == new:
        return []
    from rapidfuzz.distance import Levenshtein

    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    middle_left, middle_right = left[head : len(left) - tail], right[head : len(right) - tail]
    offset = sum(map(len, left[:head]))
    if max(len(middle_left), len(middle_right)) > MAX_TOKENS:
        return [Change(offset, offset + len("".join(middle_left)), "".join(middle_right))]
    starts = [offset]
    for token in middle_left:
        starts.append(starts[-1] + len(token))
    changes = [
        Change(starts[op.src_start], starts[op.src_end], "".join(middle_right[op.dest_start : op.dest_end]))
        for op in Levenshtein.opcodes(middle_left, middle_right)
        if op.tag != "equal"
    ]
    return _merged(old, changes)


def _merged(text: str, changes: Sequence[Change]) -> list[Change]:
    """Changes with next to nothing between them become one."""
    merged: list[Change] = []
    for change in changes:
        if merged and _BRIDGE.fullmatch(text, merged[-1].end, change.start):
            last = merged.pop()
            between = text[last.end : change.start]
            merged.append(Change(last.start, change.end, last.new + between + change.new))
        else:
            merged.append(change)
    return merged


def apply(text: str, changes: Iterable[Change]) -> str:
    """The text with the changes made; they must be sorted and not overlap."""
    pieces, position = [], 0
    for change in changes:
        pieces += [text[position : change.start], change.new]
        position = change.end
    return "".join([*pieces, text[position:]])


def confine(text: str, changes: Iterable[Change], place: Span) -> tuple[list[Change], list[Change]]:
    """Split changes into those inside a place and those that touch anything outside it.

    What is inserted behind the last mark of the place stands outside: it would be a new sentence.
    """
    inside: list[Change] = []
    outside: list[Change] = []
    for change in changes:
        fits = place.start <= change.start and change.end <= place.end
        appended = change.start == change.end == place.end and not text[place.end - 1 : place.end].isalnum()
        (inside if fits and not appended else outside).append(change)
    return inside, outside


@dataclass(frozen=True, slots=True)
class _Piece:
    """An edit in coordinates of the original."""

    start: int
    end: int
    new: str
    claim: Claim
    evidence: tuple[Evidence, ...]
    action: Action


class Draft:
    """A text under repair: remembers, for all that was changed, what stood there originally.

    Args:
        original: The text that `edits` point into.
    """

    def __init__(self, original: str) -> None:
        self.original = original
        self._pieces: list[_Piece] = []

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return apply(self.original, (Change(p.start, p.end, p.new) for p in self._pieces))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Sorted, not overlapping, in coordinates of the original."""
        return tuple(
            Edit(p.start, p.end, self.original[p.start : p.end], p.new, p.claim, p.evidence, p.action)
            for p in self._pieces
        )

    def now(self, span: Span) -> Span:
        """Where a span of the original lies in the text as it stands now, grown over edits that it touches."""
        start, end, shift = span.start, span.end, 0
        for piece in self._pieces:
            growth = len(piece.new) - (piece.end - piece.start)
            if piece.end <= span.start and not (piece.start == piece.end == span.start):
                start, end = start + growth, end + growth
            elif piece.start < span.end or piece.start == piece.end == span.start:
                start = min(start, piece.start + shift)
                end = max(end, piece.end + shift) + growth
            shift += growth
        return Span(start, end)

    def change(
        self,
        change: Change,
        claim: Claim,
        evidence: tuple[Evidence, ...] = (),
        action: Action = Action.REPLACE,
    ) -> None:
        """Change the text as it stands now; earlier edits that it touches become part of the new one."""
        text = self.text
        before: list[_Piece] = []
        after: list[_Piece] = []
        start, end, now_start, now_end = None, None, change.start, change.end
        shift = 0
        first_shift = 0
        for piece in self._pieces:
            here = Span(piece.start + shift, piece.start + shift + len(piece.new))
            shift += len(piece.new) - (piece.end - piece.start)
            if here.end < change.start or (here.end == change.start and here.start < here.end):
                before.append(piece)
                first_shift = shift
            elif here.start > change.end or (here.start == change.end and change.start < change.end):
                after.append(piece)
            else:
                start = piece.start if start is None else start
                end = piece.end
                now_start, now_end = min(now_start, here.start), max(now_end, here.end)
                evidence = tuple(dict.fromkeys((*evidence, *piece.evidence)))
                merged_shift = shift
        if start is None or end is None:
            old_start, old_end = change.start - first_shift, change.end - first_shift
        else:
            old_start = min(start, change.start - first_shift)
            old_end = max(end, change.end - merged_shift)
        new = text[now_start : change.start] + change.new + text[change.end : now_end]
        piece = _Piece(old_start, old_end, new, claim, evidence, action)
        own = [] if self.original[old_start:old_end] == new else [piece]
        self._pieces = [*before, *own, *after]

    def absorb(self, later: Draft) -> None:
        """Compose the edits of a later draft, whose original is this draft's text, into this one."""
        for edit in reversed(later.edits):
            self.change(Change(edit.start, edit.end, edit.new), edit.claim, edit.evidence, edit.action)

    def copy(self) -> Draft:
        """An independent copy."""
        twin = Draft(self.original)
        twin._pieces = [replace(piece) for piece in self._pieces]
        return twin
