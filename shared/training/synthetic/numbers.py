"""Numbers and dates: written another way (still true), or changed (no longer true)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_MONTH = "|".join(MONTHS)
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-]*\w)(?!\.\d)")


def reformat(text: str, rng: random.Random) -> str | None:
    """Write one number or date another way; None if there is none to rewrite.

    Ways: `1,200` / `1200`, `1.2 million` / `1,200,000`, `5%` / `5 percent`, `three` / `3`, `3 March` / `March 3`,
    `$5` / `5 dollars`.
    """
    options: list[tuple[int, int, str]] = []

    def offer(match: re.Match[str], new: str) -> None:
        options.append((match.start(), match.end(), new))

    for m in re.finditer(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+)(?![\w,]|\.\d)", text):
        value = int(m[1].replace(",", ""))
        offer(m, str(value))
        for name, scale in _SCALES.items():
            if scale <= value < 1000 * scale and value % (scale // 10) == 0 and "$" not in text:
                offer(m, f"{value / scale:g} {name}")
    for m in re.finditer(r"(?<![\w.,])(\d+(?:\.\d+)?) (million|thousand)\b", text):
        offer(m, f"{round(float(m[1]) * _SCALES[m[2]]):,}")
    for m in re.finditer(r"(?<=\d)%", text):
        offer(m, " percent")
    for m in re.finditer(r"(?<=\d) (?:per ?cent)\b", text):
        offer(m, "%")
    for m in re.finditer(rf"\b(\d{{1,2}}) ({_MONTH})\b(?! \d{{1,2}}\b)", text):
        offer(m, f"{m[2]} {m[1]}")
    for m in re.finditer(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)", text):
        offer(m, f"{m[2]} {m[1]}")
        offer(m, f"{m[1]} {m[2]}{_ordinal_ending(int(m[2]))}")
    for m in re.finditer(r"\$(\d+)(?![\d,.]| [mbt]r?illion)", text):
        offer(m, f"{m[1]} dollars")
    for m in re.finditer(rf"\b({'|'.join(WORDS[2:13])})\b", text):
        offer(m, str(WORDS.index(m[1])))
    for m in re.finditer(r"(?<![\w.,:$£€/-])([2-9]|1[0-2])(?= [a-z]{3,})", text):
        offer(m, WORDS[int(m[1])])
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def _ordinal_ending(value: int) -> str:
    """Return `st`, `nd`, `rd` or `th`."""
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def change(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Change one number, month, weekday or unit; None if there is none.

    Args:
        text: A true claim.
        others: Numbers that stand elsewhere in the passage, as written there; half of the new numbers are
            taken from them.
        rng: Source of choices.
    """
    options: list[tuple[int, int, str]] = []
    options.extend((m.start(), m.end(), _other_number(m[0], others, rng)) for m in _NUMBER.finditer(text))
    words = re.finditer(rf"\b({'|'.join(WORDS[2:])})\b", text)
    options.extend((m.start(), m.end(), rng.choice([w for w in WORDS[2:] if w != m[1]])) for m in words)
    for names in (MONTHS, DAYS):
        for m in re.finditer(rf"\b({'|'.join(names)})\b", text):
            if m[1] not in ("May", "March") or re.search(r"\d", text):
                options += [(m.start(), m.end(), rng.choice([n for n in names if n != m[1]]))]
    scales = re.finditer(r"(?<=\d )(thousand|million|billion|trillion)\b", text)
    options.extend((m.start(), m.end(), rng.choice([u for u in _SCALES if u != m[1]])) for m in scales)
    units = ("hours", "days", "weeks", "months", "years", "minutes")
    counted = rf"(?<=\d )({'|'.join(units)})\b|(?<=[a-z] )({'|'.join(units)})\b"
    for m in re.finditer(counted, text):
        if m[1] or text[: m.start()].rsplit(maxsplit=1)[-1] in WORDS:
            options += [(m.start(), m.end(), rng.choice([u for u in units if u != m[0]]))]
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def _other_number(old: str, others: Sequence[str], rng: random.Random) -> str:
    """Return a number that is not `old` but looks like it."""
    value = float(old.replace(",", ""))
    year = old.isdigit() and 1500 <= value <= 2100
    fitting = [
        o
        for o in others
        if float(o.replace(",", "")) != value and (1500 <= float(o.replace(",", "")) <= 2100 and o.isdigit()) == year
    ]
    if fitting and rng.random() < 0.5:
        return rng.choice(fitting)
    if year:
        return str(int(value) + rng.choice([-30, -12, -10, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 8, 10, 20]))
    if "." in old:
        digits = len(old.split(".")[1])
        return f"{value * rng.choice([0.1, 0.5, 0.7, 1.3, 1.8, 2.5, 10]) + 0.1:.{digits}f}"
    if value < 10:
        return str(rng.choice([n for n in range(1, 13) if n != value]))
    new = int(value * rng.choice([0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.4, 2, 3, 10]))
    if new == value or new < 2:
        new = int(value) + rng.choice([1, 2, 5, 10, 20])
    return f"{new:,}" if "," in old else str(new)


def numbers_in(text: str) -> list[str]:
    """Return the numbers written in digits in a text."""
    return [m[0] for m in _NUMBER.finditer(text)]
