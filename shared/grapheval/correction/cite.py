"""Citations: a number behind each supported sentence, and the sources that the numbers stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grapheval.correction.edits import Change, apply
from grapheval.correction.evidence.answer import Piece, read_pieces
from grapheval.types import Evaluation, Evidence, Label, Stance, Verdict

_MARKER = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")


@dataclass(frozen=True, slots=True)
class Citation:
    """What a number in a cited answer stands for.

    Args:
        number: The number.
        source_id: The source.
        passages: The passages of the source that support the sentences with the number, in the source's order.
    """

    number: int
    source_id: str
    passages: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer with citations.

    Args:
        text: The answer; behind each supported sentence stands ` [1]`, or ` [1, 2]`. Without these it is the
            original, byte for byte.
        citations: In the order of their numbers.
    """

    text: str
    citations: tuple[Citation, ...]


def cite(answer: str, evaluation: Evaluation) -> Cited:
    """Put a marker behind each sentence of which every claim is supported.

    Sentences with a claim that is flagged, not judged, or in conflict get none, nor do sentences that claim nothing.
    Numbers are given in the order of first use, beginning above the highest number that the answer has in square
    brackets itself.

    Args:
        answer: The text that was judged.
        evaluation: Its judgement: after a repair, `Correction.answer` and `Correction.after`.
    """
    pieces = [piece for piece in read_pieces(answer) if piece.kind != "heading"]
    highest = max((int(n) for m in _MARKER.finditer(answer) for n in m[1].split(",")), default=0)
    numbers: dict[str, int] = {}
    passages: dict[str, dict[Evidence, None]] = {}
    changes: list[Change] = []
    for place, found in _by_row(pieces, evaluation):
        evidence = [e for v in found for e in v.evidence if e.stance is Stance.SUPPORTS]
        if not evidence or not all(_is_supported(v) for v in found):
            continue
        for item in evidence:
            numbers.setdefault(item.source_id, highest + len(numbers) + 1)
            passages.setdefault(item.source_id, {})[item] = None
        listed = sorted({numbers[item.source_id] for item in evidence})
        changes.append(Change(place, place, f" [{', '.join(map(str, listed))}]"))
    citations = tuple(
        Citation(number, source_id, tuple(sorted(passages[source_id], key=lambda item: (item.start, item.end))))
        for source_id, number in numbers.items()
    )
    return Cited(apply(answer, sorted(changes, key=lambda change: change.start)), citations)


def _is_supported(verdict: Verdict) -> bool:
    return verdict.label is Label.SUPPORTED and not verdict.flagged


def _by_row(pieces: list[Piece], evaluation: Evaluation) -> list[tuple[int, list[Verdict]]]:
    """(where the marker goes, the claims) for each piece with a claim; claims across pieces count for each."""
    found: list[tuple[int, list[Verdict]]] = []
    for piece in pieces:
        own = [
            v
            for v in evaluation.verdicts
            if v.claim.span is not None and v.claim.span.start < piece.span.end and piece.span.start < v.claim.span.end
        ]
        if own:
            found.append((piece.span.end, own))
    return found
