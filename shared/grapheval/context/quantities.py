"""Numbers in running text, reduced to their values: "1.2k", "1,200" and "twelve hundred" are the same."""

from __future__ import annotations

import re
from decimal import Decimal

from grapheval.context.words import NUMBER_WORDS, ORDINAL_WORDS, SCALES, canonical_number

_TOKEN = re.compile(r"(\d+(?:[.,]\d+)*)([^\W\d_]*)|([^\W\d_]+)")
_ALWAYS_SCALES = frozenset(
    {"hundred", "thousand", "million", "millions", "billion", "billions", "trillion", "trillions"}
)
_SCALE_LETTERS = frozenset({"k", "m", "mn", "mln", "b", "bn", "tn"})


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text in canonical form.

    Args:
        text: Any text. Ordinals count as their value (3rd = 3, so "March 3rd" equals "3 March"), decades as their
            first year; signs, units, currency and percent signs are left aside.

    Returns:
        Canonical decimal strings: "1200", "3.5".
    """
    return frozenset(value for value, _ in _read(text))


def stated_numbers(text: str) -> frozenset[str]:
    """The numbers of a claim that a passage must state: those in digits, and spelled ones above twelve.

    Small spelled numbers ("two of them", "first") are left out: a passage often states them by listing.
    """
    return frozenset(value for value, certain in _read(text) if certain)


def _read(text: str) -> list[tuple[str, bool]]:
    """(canonical value, whether it is stated for certain) of each number, in order."""
    found: list[tuple[str, bool]] = []
    value: Decimal | None = None  # the spelled number that is being read
    part = Decimal(0)
    position = 0

    def finish() -> None:
        nonlocal value, part
        if value is not None:
            total = value + part
            found.append((format(total.normalize(), "f"), total > 12))
        value, part = None, Decimal(0)

    tokens = list(_TOKEN.finditer(text))
    for number, match in enumerate(tokens):
        digits, suffix, word = match[1], match[2].lower() if match[1] else "", (match[3] or "").lower()
        gap = text[position : match.start()]
        joined = gap.strip() in ("", "-") and len(gap) <= 2
        position = match.end()
        if not joined:
            finish()
        if digits:
            finish()
            following = tokens[number + 1][3] if number + 1 < len(tokens) else None
            scale = SCALES.get(suffix, 1) if suffix in _SCALE_LETTERS else 1
            if scale == 1 and following and following.lower() in _ALWAYS_SCALES:
                between = text[match.end() : tokens[number + 1].start()]
                scale = SCALES[following.lower()] if between.strip() in ("", "-") else 1
            found.append((canonical_number(digits, scale), True))
        elif word in NUMBER_WORDS:
            small = Decimal(NUMBER_WORDS[word])
            if value is None:
                value = Decimal(0)
            elif part % 10 != 0 or (part == 0 and small >= 10 and value == 0):
                finish()  # "two three": two numbers
                value = Decimal(0)
            part += small
        elif word in ORDINAL_WORDS:
            base = (value or Decimal(0)) + part
            value, part = base + ORDINAL_WORDS[word], Decimal(0)
            finish()
        elif word in _ALWAYS_SCALES and value is not None:
            scale = SCALES[word]
            if scale == 100:
                part *= 100
            else:
                value, part = value + part * scale, Decimal(0)
        elif word == "and" and value is not None and (part >= 100 or (value and not part)):
            continue  # "two hundred and fifty"
        else:
            finish()
    finish()
    return found
