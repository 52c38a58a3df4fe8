"""Spans that keep Markdown's marks in pairs: a claim that begins within `**bold**` is shown with both its marks."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from grapheval.types import Claim, Span, TripleParts

_MARK = re.compile(r"`+|\*+|_+|~+")


def with_marks(source: str, claim: Claim) -> Claim:
    """A claim whose spans do not cut a pair of marks in two.

    Args:
        source: The answer that the spans point into.
        claim: The claim as it was read.
    """
    if claim.span is None or not _MARK.search(source):
        return claim
    parts = claim.parts
    return replace(
        claim,
        span=_paired(source, claim.span),
        parts=TripleParts(*(part and _paired(source, part) for part in (parts.subject, parts.relation, parts.object))),
    )


def _paired(source: str, span: Span) -> Span:
    start, end = span
    marks = Counter(match[0] for match in _MARK.finditer(source, start, end))
    for mark, count in marks.items():
        if count % 2 == 0:
            continue
        if source.endswith(mark, 0, start):
            start -= len(mark)
        elif source.startswith(mark, end):
            end += len(mark)
    return span if (start, end) == (span.start, span.end) else Span(start, end)
