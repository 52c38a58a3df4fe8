"""Where the answer is marked: stretches that one or several claims question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grapheval.report.kinds import Kind, is_marked, kind_of
from grapheval.types import Span, Verdict


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of the answer that one or several claims question.

    Args:
        span: Its place.
        numbers: The claims' numbers in the table, ascending.
        kind: The gravest of their kinds.
    """

    span: Span
    numbers: tuple[int, ...]
    kind: Kind


def marks_of(verdicts: Sequence[Verdict], length: int, *, chosen: Callable[[Verdict], bool] = is_marked) -> list[Mark]:
    """Where the answer is marked: claims whose places overlap are marked as one stretch.

    Args:
        verdicts: In the order of the table; those that have no place leave no mark.
        length: Of the answer, in characters.
        chosen: Which of them are marked: those that are ungrounded, in dispute, or were not judged.
    """
    spans = [
        (span, number, kind_of(verdict))
        for number, verdict in enumerate(verdicts, start=1)
        if chosen(verdict)
        for span in [place_of(verdict)]
        if span is not None and span.start < min(span.end, length)
    ]
    marks: list[Mark] = []
    for span, number, kind in sorted(spans, key=lambda item: (item[0], item[1])):
        last = marks[-1] if marks else None
        if last is not None and span.start < last.span.end:
            merged = Span(last.span.start, max(last.span.end, span.end))
            graver = max(last.kind, kind, key=lambda k: k.rank)
            marks[-1] = Mark(merged, tuple(sorted({*last.numbers, number})), graver)
        else:
            marks.append(Mark(span, (number,), kind))
    return marks


def place_of(verdict: Verdict) -> Span | None:
    """The claim's place, or else the stretch from its first to its last part; None if it has none."""
    claim = verdict.claim
    if claim.span is not None:
        return claim.span
    parts = [p for p in (claim.parts.relation, claim.parts.object) if p is not None]
    return Span(min(p.start for p in parts), max(p.end for p in parts)) if parts else None


def trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends."""
    part = span.of(text)
    start = span.start + len(part) - len(part.lstrip())
    return Span(start, max(start, span.end - len(part) + len(part.rstrip())))
