"""Texts -> a model's exact input: templates filled once, forged special tokens broken, premises cut to fit.

A tokenizer that is told to truncate a pair cuts the longer side and says nothing. Here the claim is never cut, and a
premise that was cut is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

from grapheval.errors import InputError

_LONGEST_WORD = 32
"""Characters; a longer run without white space may also be cut inside."""


def fill(template: str, premise: str, claim: str) -> str:
    """Put premise and claim into a template: once, so that braces in them stay what they are.

    Args:
        template: Text with `{text1}` for the premise and `{text2}` for the claim, each exactly once.
        premise: Premise.
        claim: Claim.

    Raises:
        InputError: The template lacks a slot, or has one twice.
    """
    if template.count("{text1}") != 1 or template.count("{text2}") != 1:
        msg = f"a prompt must hold {{text1}} and {{text2}} exactly once each, this one does not: {template!r}"
        raise InputError(msg)
    parts = re.split(r"(\{text[12]\})", template)
    return "".join({"{text1}": premise, "{text2}": claim}.get(part, part) for part in parts)


class Defuser:
    """Breaks the spelling of special tokens in text from outside, so that it cannot forge a boundary.

    Args:
        specials: The tokenizer's special tokens, as text.
    """

    def __init__(self, specials: Iterable[str]) -> None:
        longest_first = sorted({token for token in specials if len(token) > 1}, key=lambda token: (-len(token), token))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def __call__(self, text: str) -> str:
        """`text` with a space after the first character of each special token: `</s>` becomes `< /s>`."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: f"{match[0][0]} {match[0][1:]}", text)


def has_more_words(text: str, limit: int) -> bool:
    """Whether a text has more than `limit` words, found without reading all of it."""
    return next(islice(re.finditer(r"\S+", text), limit, None), None) is not None


def cut(text: str, limit: int, fits: Callable[[str], bool]) -> str:
    """The longest beginning of a text that fits, found by bisection; cut at white space where there is some.

    Args:
        text: The premise.
        limit: Token budget; a word counts for at least one token, so only that many are looked at.
        fits: Whether a beginning of the text fits the model together with everything else.

    Returns:
        The beginning without trailing white space; "" if not even a first piece fits.
    """
    stops = _stops(text, max(limit, 0))
    low, high = 0, len(stops)  # stops[:low] fits, stops[:high + 1] does not
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[: stops[middle - 1]]):
            low = middle
        else:
            high = middle - 1
    return text[: stops[low - 1]] if low else ""


def _stops(text: str, limit: int) -> list[int]:
    """Places where a text may be cut: ends of words, and every eight characters inside very long ones."""
    stops: list[int] = []
    for word, match in enumerate(re.finditer(r"\S+", text)):
        if word >= limit:
            break
        if match.end() - match.start() > _LONGEST_WORD:
            # Each piece is about a token at least; what lies beyond the budget is never looked at.
            inside = range(match.start() + 8, match.end(), 8)
            stops += inside[: limit * 2]
            if len(inside) > limit * 2:
                break
        stops.append(match.end())
    return stops
