"""Numbers in running text, reduced to their values: "1.2k", "1,200" and "twelve hundred" are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from grapheval.context.words import NUMBER_WORDS, ORDINAL_WORDS, SCALES, canonical_number

_TOKEN = re.compile(r"(\d+(?:[.,]\d+)*)([^\W\d_]*)|([^\W\d_]+)")
_ALWAYS_SCALES = frozenset(
    {"hundred", "thousand", "million", "millions", "billion", "billions", "trillion", "trillions"}
)
_SCALE_LETTERS = frozenset({"k", "m", "mn", "mln", "b", "bn", "tn"})
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_ANY = re.compile(rf"\d|\b(?:{'|'.join([*NUMBER_WORDS, *ORDINAL_WORDS])})\b", re.IGNORECASE)
_TELLING = frozenset({*NUMBER_WORDS, *ORDINAL_WORDS, *SCALES, "and"})
_SMALL = 12
"""Spelled numbers up to this one are often stated by listing ("two of them")."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number and its place.

    Args:
        value: Canonical decimal string, "1200".
        start: First code point.
        end: One past the last; a scale ("million", "k") belongs to it, a unit does not.
        certain: Whether a passage must state it: in digits, or spelled and above twelve.
        ordinal: "3rd", "third".
        scaled: Whether a scale was multiplied in ("2m", "two million").
    """

    value: str
    start: int
    end: int
    certain: bool
    ordinal: bool = False
    scaled: bool = False


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text in canonical form.

    Args:
        text: Any text. Ordinals count as their value (3rd = 3, so "March 3rd" equals "3 March"), decades as their
            first year; signs, units, currency and percent signs are left aside.

    Returns:
        Canonical decimal strings: "1200", "3.5".
    """
    return frozenset(number.value for number in read_numbers(text))


def stated_numbers(text: str) -> frozenset[str]:
    """The numbers of a claim that a passage must state: those in digits, and spelled ones above twelve.

    Small spelled numbers ("two of them", "first") are left out: a passage often states them by listing.
    """
    return frozenset(number.value for number in read_numbers(text) if number.certain)


@lru_cache(maxsize=256)
def read_numbers(text: str) -> tuple[Number, ...]:
    """Each number of a text with its place, in order."""
    if not _ANY.search(text):
        return ()
    found: list[Number] = []
    value: Decimal | None = None  # the spelled number that is being read
    part = Decimal(0)
    begin = position = 0
    scaled = False

    def finish(*, ordinal: bool = False, end: int | None = None) -> None:
        nonlocal value, part, scaled
        if value is not None:
            total = value + part
            stop = last if end is None else end
            found.append(Number(format(total.normalize(), "f"), begin, stop, total > _SMALL, ordinal, scaled))
        value, part, scaled = None, Decimal(0), False

    last = 0  # end of the last token of the spelled number
    # Other words only keep numbers apart, and the gap between two numbers shows that too.
    tokens = [match for match in _TOKEN.finditer(text) if match[1] or match[3].lower() in _TELLING]
    for place, match in enumerate(tokens):
        digits, suffix, word = match[1], match[2].lower() if match[1] else "", (match[3] or "").lower()
        gap = text[position : match.start()]
        joined = len(gap) <= 2 and gap.strip() in ("", "-")
        position = match.end()
        if not joined:
            finish()
        if digits:
            finish()
            found.append(_in_digits(text, tokens, place, digits, suffix))
        elif word in NUMBER_WORDS:
            small = Decimal(NUMBER_WORDS[word])
            if value is None:
                value, begin = Decimal(0), match.start()
            elif part % 10 != 0 or (part == 0 and small >= 10 and value == 0):
                finish()  # "two three": two numbers
                value, begin = Decimal(0), match.start()
            part += small
            last = match.end()
        elif word in ORDINAL_WORDS:
            base = (value or Decimal(0)) + part
            if value is None:
                begin = match.start()
            value, part = base + ORDINAL_WORDS[word], Decimal(0)
            finish(ordinal=True, end=match.end())
        elif word in _ALWAYS_SCALES and value is not None:
            scale = SCALES[word]
            if scale == 100:
                part *= 100
            else:
                value, part = value + part * scale, Decimal(0)
            scaled, last = True, match.end()
        elif word == "and" and value is not None and (part >= 100 or (value and not part)):
            continue  # "two hundred and fifty"
        else:
            finish()
    finish()
    return tuple(found)


def _in_digits(text: str, tokens: list[re.Match[str]], place: int, digits: str, suffix: str) -> Number:
    """The number that begins with the digits of a token: "1.2k", "3rd", "5 million"."""
    match = tokens[place]
    scale = SCALES.get(suffix, 1) if suffix in _SCALE_LETTERS else 1
    end = match.end() if scale > 1 else match.end(1)
    following = tokens[place + 1] if place + 1 < len(tokens) and not suffix else None
    if following is not None and following[3] and text[match.end() : following.start()].strip() in ("", "-"):
        word = following[3].lower()
        spoken = word in _ALWAYS_SCALES or (word in {"bn", "mn", "mln", "tn"} and following.start() - match.end() <= 1)
        if spoken:
            scale, end = SCALES[word], following.end()
    return Number(
        canonical_number(digits, scale),
        match.start(),
        end if suffix not in _ORDINAL_ENDINGS else match.end(),
        True,
        suffix in _ORDINAL_ENDINGS,
        scale > 1,
    )
