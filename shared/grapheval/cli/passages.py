"""Claims and passages as styled text: the words that decide stand out."""

from __future__ import annotations

from rich.text import Text

from grapheval.report.passages import deciding_words, excerpt
from grapheval.report.text import one_line
from grapheval.types import Claim, Evidence

MAX_PASSAGE = 320
"""Characters of a passage that are shown; its place in the source is in the JSON."""

SHORT_PASSAGE = 100
"""The same for claims that nobody need worry about."""


def claim_text(claim: Claim, *, dim: bool = False, ascii_only: bool = False) -> Text:
    """The triple with arrows between its parts, or the sentence that no triple covers."""
    style = "dim" if dim else ""
    if claim.triple is None:
        return Text(one_line(claim.text), f"italic {style}".strip())
    arrow = " > " if ascii_only else " → "
    text = Text(one_line(claim.triple.subject), style)
    text.append(arrow, "bright_black")
    text.append(one_line(claim.triple.relation), style)
    text.append(arrow, "bright_black")
    text.append(one_line(claim.triple.object), style)
    return text


def passage_text(evidence: Evidence, claim: Claim, *, limit: int = MAX_PASSAGE, dim: bool = False) -> Text:
    """The passage, cut around its deciding words to at most `limit` characters; the words are bold, unless `dim`."""
    passage = one_line(evidence.text)
    words = deciding_words(passage, claim.text, evidence.stance)
    start, end = excerpt(passage, words, limit)
    text = Text(passage, "dim" if dim else "")
    if not dim:
        for first, last in words:
            text.stylize("bold", first, last)
    cut = text[start:end]
    return Text.assemble("…" if start else "", cut, "…" if end < len(passage) else "")
