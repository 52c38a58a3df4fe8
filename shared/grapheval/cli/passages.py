"""Claims and passages as styled text: the words that decide stand out."""

from __future__ import annotations

import re

from rich.text import Text

from grapheval.cli.text import one_line
from grapheval.types import Claim, Evidence, Stance

MAX_PASSAGE = 320
"""Characters of a passage that are shown; its place in the source is in the JSON."""

SHORT_PASSAGE = 100
"""The same for claims that nobody need worry about."""

_WORD = re.compile(r"\w+(?:[.,:'’/-]\w+)*%?")
_POLARITY = {"no", "not", "never", "none", "neither", "nor", "without", "cannot"}
_SMALL = set(re.findall(r"\w+", "with from this that these those were been being have does will would could into"))
_SMALL |= set(re.findall(r"\w+", "their they which than then there what when where while about after before also"))


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
    start, end = _excerpt(passage, words, limit)
    text = Text(passage, "dim" if dim else "")
    if not dim:
        for first, last in words:
            text.stylize("bold", first, last)
    cut = text[start:end]
    return Text.assemble("…" if start else "", cut, "…" if end < len(passage) else "")


def deciding_words(passage: str, claim: str, stance: Stance) -> list[tuple[int, int]]:
    """Where the passage says what decides the claim.

    For support these are the words that it shares with the claim; for contradiction the numbers, names and negations
    that the claim does not have. A reading aid: the verdict is the model's.
    """
    known = {_key(word) for word in _WORD.findall(claim)}
    found = []
    for match in _WORD.finditer(passage):
        word = match.group()
        shared = _key(word) in known
        if stance is Stance.SUPPORTS:
            decides = shared and not _is_small(word)
        else:
            name = word[0].isupper() and match.start() > 0
            negates = word.casefold() in _POLARITY or word.casefold().endswith(("n't", "n’t"))
            decides = not shared and (name or negates or any(c.isdigit() for c in word))
        if decides:
            found.append(match.span())
    return found


def _is_small(word: str) -> bool:
    """Articles, pronouns, prepositions, auxiliaries; names and numbers are none, however short."""
    return word.isalpha() and word.islower() and (len(word) <= 3 or word in _SMALL)


def _key(word: str) -> str:
    """Words are the same but for case and the usual endings."""
    folded = word.casefold().removesuffix("'s").removesuffix("’s")
    for ending in ("ing", "ed", "es", "s"):
        if folded.endswith(ending) and len(folded) - len(ending) >= 3:
            return folded.removesuffix(ending)
    return folded


def _excerpt(passage: str, words: list[tuple[int, int]], limit: int) -> tuple[int, int]:
    """The stretch of at most `limit` characters that holds the most deciding words, cut between words."""
    if len(passage) <= limit:
        return 0, len(passage)
    words = words[:200]
    starts = [0, *(first for first, _ in words)]
    best = max(starts, key=lambda s: (sum(s <= first and last <= s + limit for first, last in words), -s))
    start = max(0, min(best - limit // 8, len(passage) - limit))
    if start:
        start = passage.find(" ", start) + 1 or start
    end = start + limit
    if end < len(passage):
        end = max(passage.rfind(" ", start, end), start + limit // 2)
    return start, min(end, len(passage))
