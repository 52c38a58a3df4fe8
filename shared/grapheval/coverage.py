"""What no triple covers: sentences, numbers and names of the answer that stand in no triple's place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grapheval.types import Claim, Coverage, Span

# Not the number of a list item, and not a citation marker such as [1] or 【2】.
_LIST_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
_MARKER = re.compile(r"[\[【]\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*[\]】]")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,:/]\d+)*%?(?!\w)")
# A run of capitalised words that does not open a sentence: something of the same sentence stands before it.
_CAPITALISED = r"[^\W\d_a-z][\w'’-]+"
_NAME = re.compile(rf"(?<=[\w,;:)\]]\s){_CAPITALISED}(?:\s{_CAPITALISED})*")


def coverage(answer: str, claims: Sequence[Claim]) -> Coverage:
    """Find what no triple covers.

    Args:
        answer: The text that the spans point into.
        claims: All claims; those without a triple are themselves uncovered sentences.

    Returns:
        Spans in the order of the answer. A number or name counts as covered when the place of a triple, or of one
        of its parts, touches it, or when an unplaced triple names it.
    """
    covered = [span for claim in claims if claim.triple is not None for span in _places(claim)]
    unplaced = " ".join(str(claim.triple) for claim in claims if claim.triple is not None and claim.span is None)
    covered += [Span(*match.span()) for pattern in (_LIST_NUMBER, _MARKER) for match in pattern.finditer(answer)]
    sentences = tuple(sorted({claim.span for claim in claims if claim.triple is None and claim.span is not None}))

    def missing(pattern: re.Pattern[str]) -> tuple[Span, ...]:
        found = (Span(*match.span()) for match in pattern.finditer(answer))
        return tuple(s for s in found if not _touches(s, covered) and s.of(answer) not in unplaced)

    return Coverage(sentences=sentences, numbers=missing(_NUMBER), names=missing(_NAME))


def _places(claim: Claim) -> list[Span]:
    parts = claim.parts
    return [span for span in (claim.span, parts.subject, parts.relation, parts.object) if span is not None]


def _touches(span: Span, others: Sequence[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)
