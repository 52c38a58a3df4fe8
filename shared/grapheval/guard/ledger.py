"""What has left of an answer, and the edits that lead from the original to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grapheval.guard.splitter import Piece
from grapheval.types import Action, Claim, Edit


class Ledger:
    """Text going out, sentence by sentence, with the white space between the sentences.

    At any time, `out` is the beginning of the original with `edits` applied. The white space behind a sentence is
    held until the next one leaves, so that nothing dangles when that one is dropped.
    """

    def __init__(self) -> None:
        self.out = ""
        self.edits: list[Edit] = []
        self.read = ""  # as `out`, but without marks: what the next sentence is read after
        self._starts: list[int] = []  # where the sentences of `read` begin
        self._gap = ""
        self._gap_at = 0

    def begin(self, leading: str) -> None:
        """Take the white space before the first sentence."""
        self._gap = leading

    def lookback(self, limit: int) -> str:
        """The end of what has left, from a sentence's beginning, up to `limit` characters, and the white space."""
        if not self.read:
            return ""
        oldest = len(self.read) + len(self._gap) - limit
        start = next((start for start in self._starts if start >= oldest), None)
        return "" if start is None else self.read[start:] + self._gap

    def here(self) -> str:
        """What stands before the next sentence if it leaves."""
        return self.out + self._gap

    def release(self, text: str, piece: Piece, body: str, edits: Iterable[Edit] = (), mark: str = "") -> str:
        """Let a sentence leave.

        Args:
            text: The original as far as it has come.
            piece: The sentence's place in it.
            body: What it has become.
            edits: How, in coordinates of the original; the edit that adds `mark` included.
            mark: Goes out behind it.

        Returns:
            What leaves now.
        """
        self._starts.append(len(self.read) + len(self._gap))
        self.read += self._gap + body
        leaving = self._gap + body + mark
        self.out += leaving
        self.edits += edits
        self._gap, self._gap_at = text[piece.end : piece.next], piece.end
        return leaving

    def drop(self, text: str, piece: Piece, claim: Claim) -> None:
        """Leave a sentence out, with the white space on that side where there is less of a break."""
        gap, behind = self._gap, text[piece.end : piece.next]
        last_gap_end = self._gap_at + len(gap)
        if not self.out or gap.count("\n") > behind.count("\n"):
            self._cut(text, piece.start, piece.next, claim)
            return
        if last_gap_end == piece.start:
            self._cut(text, self._gap_at, piece.end, claim)
        else:  # earlier drops stand between the white space and this sentence
            place = next(i for i, edit in enumerate(self.edits) if edit.start >= last_gap_end)
            if gap:
                cut = Edit(self._gap_at, last_gap_end, gap, "", self.edits[place].claim, (), Action.DROP)
                self.edits.insert(place, cut)
            self._cut(text, piece.start, piece.end, claim)
        self._gap, self._gap_at = behind, piece.end

    def _cut(self, text: str, start: int, end: int, claim: Claim) -> None:
        self.edits.append(Edit(start, end, text[start:end], "", claim, (), Action.DROP))

    def finish(self, end: int) -> str:
        """Let the white space at the end leave.

        Args:
            end: Length of the original.
        """
        leaving, self._gap = self._gap, ""
        self.out += leaving
        self._gap_at = end
        return leaving

    def replace_rest(self, text: str, start: int, message: str, claim: Claim, *, everything: bool = False) -> str:
        """End the answer with a message: in the place of the sentence at `start` and what follows, or of everything.

        Args:
            text: The original as far as it has come; `extend` adds what comes later.
            start: Where the sentence begins.
            message: What stands there instead.
            claim: Why.
            everything: Replace what went before, too.

        Returns:
            What leaves now.
        """
        if everything or not self.out:
            self.edits = [Edit(0, len(text), text, message, claim)]
            self.out = message
            return message
        leaving = self._gap + message
        self.out += leaving
        self.edits.append(Edit(start, len(text), text[start:], message, claim))
        return leaving

    def extend(self, text: str) -> None:
        """After `replace_rest`: the original goes on, up to the end of `text`."""
        last = self.edits[-1]
        self.edits[-1] = Edit(last.start, len(text), text[last.start :], last.new, last.claim)


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with edits applied.

    Args:
        text: The original.
        edits: Sorted, not overlapping.
    """
    pieces, place = [], 0
    for edit in edits:
        pieces += [text[place : edit.start], edit.new]
        place = edit.end
    return "".join([*pieces, text[place:]])
