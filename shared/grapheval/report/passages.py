"""The words of a passage that decide a claim, and the stretch of a long passage that holds them."""

from __future__ import annotations

import re

from grapheval.types import Stance

_WORD = re.compile(r"\w+(?:[.,:'’/-]\w+)*%?")
_POLARITY = {"no", "not", "never", "none", "neither", "nor", "without", "cannot"}
_OPENERS = set(re.findall(r"\w+", "the a an it its he his she her they their we our you your this that these those"))
_OPENERS |= set(re.findall(r"\w+", "in on at by as for from after before and but when while there if so or to with"))
_SMALL = set(re.findall(r"\w+", "with from this that these those were been being have does will would could into"))
_SMALL |= set(re.findall(r"\w+", "their they which than then there what when where while about after before also"))


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
            name = word[0].isupper() and match.start() > 0 and word.casefold() not in _OPENERS
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


def excerpt(passage: str, words: list[tuple[int, int]], limit: int) -> tuple[int, int]:
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
