"""Amounts: a number with what it counts. "USD 5 million" is "$5m"; 60 minutes are an hour; "five-day" is 5 days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from grapheval.context.quantities import Number, read_numbers
from grapheval.context.words import SCALES, STOPWORDS, stem
from grapheval.types import Span
from grapheval.verification.explicit.dates import date_spans
from grapheval.verification.explicit.units import CURRENCIES, FOREIGN_DOLLARS, SHORT, UNITS, Unit

_SIGNS = "".join(re.escape(sign) for sign in "€£¥₹₽₩₿$¢")
_BEFORE = re.compile(rf"(?:\b([A-Z]{{3}})\s?|((?:\b(?:US|A|C|HK))?[{_SIGNS}])\s?)$")
_AFTER = re.compile(
    rf"[\s\-\u2010\u2011]{{0,2}}(?:(?:of a |of an )(?=percent))?"
    rf"(per cent|per-cent|square [a-z]+|%|°\s?[CF]\b|km/h|[{_SIGNS}]|[^\W\d_]+(?:[^\W\d_])*)",
    re.IGNORECASE,
)
_WORDS_AFTER = re.compile(r"[\s\-\u2010\u2011]{0,2}([^\W\d_]+)")
_HEDGES = {
    "about": 0, "around": 0, "approximately": 0, "roughly": 0, "some": 0, "nearly": 1, "almost": 1, "over": -1,
    "than": 0, "least": -1, "most": 1, "circa": 0, "approx": 0, "estimated": 0, "up": 1, "under": 1, "exceeding": -1,
}  # fmt: skip
_BEFORE_WORDS = re.compile(
    r"(more|less|fewer|at)?\s*\b([a-z]+)\s+(?:an?\s|the\s|to\s)?(?:estimated\s)?$", re.IGNORECASE
)
_NEAR = Decimal("0.1")
_BOUND = Decimal("0.25")
"""How far a number may lie above "more than", or below "nearly"."""
_DECADE = re.compile(r"['’]?s\b")
_CENTURY = re.compile(r"[\s-]centur(?:y|ies)\b", re.IGNORECASE)
_SPACED_SCALE = re.compile(r"\s(m|mn|bn|k)\b(?![²³])")
_FRACTIONS = {"half": 50, "a quarter": 25, "one quarter": 25, "three quarters": 75, "three-quarters": 75}
_FRACTION = re.compile(r"\b(half|(?:a|one) quarter|three[ -]quarters)\b(?!\s+(?:hour|an? hour|time|final|way))", re.I)
_EXACT = Decimal("0.000001")
_ROUNDED = Decimal("0.03")
"""Conversions between systems of units are rounded in texts: 5 miles, 8 km."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a text with what it counts.

    Args:
        value: Its value.
        span: Its place, currency and unit included.
        unit: Unit or currency, None where it has none that is known.
        nouns: Stems of the two words that follow, function words left out: what is counted where there is no unit.
        hedge: "about" 0, "more than" -1 (the true value lies above), "nearly" 1 (below); None = exact.
        certain: In digits, or spelled and above twelve.
        ordinal: A place in an order.
        year: May be a year: four digits, no unit.
        years: The first and last year of a decade ("the 1990s") or century ("the 20th century").
    """

    value: Decimal
    span: Span
    unit: Unit | None = None
    nouns: tuple[str, ...] = ()
    hedge: int | None = None
    certain: bool = True
    ordinal: bool = False
    year: bool = False
    years: tuple[int, int] | None = None

    @property
    def base(self) -> Decimal:
        """The value in the base unit of its dimension."""
        return self.value * self.unit.factor if self.unit else self.value

    def same_kind(self, other: Amount) -> bool:
        """Whether both count the same kind of thing, so that one can stand in the other's place."""
        if self.ordinal is not other.ordinal or self.year is not other.year:
            return False
        if self.unit or other.unit:
            return bool(self.unit and other.unit and self.unit.dimension == other.unit.dimension)
        return self.year or bool(set(self.nouns) & set(other.nouns))

    def stated_by(self, other: Amount) -> bool:
        """Whether the other amount states this one: equal, converted, or near enough for a hedged one."""
        if self.unit and other.unit and self.unit.dimension != other.unit.dimension:
            return False
        bare = self.unit is None or other.unit is None
        mine, theirs = (self.value, other.value) if bare else (self.base, other.base)
        if self.years and other.year and self.years[0] <= other.value <= self.years[1]:
            return True
        gap = abs(mine - theirs)
        largest = max(abs(mine), abs(theirs))
        if gap <= _EXACT * largest:
            return True
        if bare and not (self.unit is None and other.unit is None):
            return False
        converted = not bare and self.unit != other.unit
        if converted and gap <= _ROUNDED * largest:
            return True
        if self.hedge is None or self.ordinal:
            return False
        if self.hedge == 0:
            return gap <= _NEAR * largest
        return (theirs - mine > 0) is (self.hedge < 0) and gap <= _BOUND * largest


@lru_cache(maxsize=256)
def read_amounts(text: str) -> tuple[Amount, ...]:
    """The amounts of a text in order; the numbers of dates and times of day are left to `dates`."""
    dated = bytearray(len(text))
    for span in date_spans(text):
        dated[span.start : span.end] = b"\1" * (span.end - span.start)
    found = [
        amount
        for number in read_numbers(text)
        if not any(dated[number.start : number.end]) and (amount := _amount(text, number)) is not None
    ]
    for match in _FRACTION.finditer(text):
        value = _FRACTIONS[match[1].lower().replace("one quarter", "a quarter").replace("-", " ")]
        found.append(Amount(Decimal(value), Span(*match.span()), UNITS["%"], certain=False))
    return tuple(sorted(found, key=lambda amount: amount.span))


def _amount(text: str, number: Number) -> Amount | None:
    try:
        value = Decimal(number.value)
    except InvalidOperation:
        return None  # a version, an address: `1.2.3`
    if not value.is_finite():
        return None
    start, end, unit = number.start, number.end, None
    if value == 0 or (start and text[start - 1].isalpha() and not _BEFORE.search(text[max(0, start - 5) : start])):
        return None  # nothing, or part of a name: "A55"
    before = _BEFORE.search(text[max(0, start - 5) : start])
    if before:
        unit = UNITS.get((before[1] or before[2]).lower())
        if unit is not None and unit.dimension in CURRENCIES:
            start -= len(before[0])
            scale = _SPACED_SCALE.match(text, end)  # "£ 7.8 m"
            if scale and not number.scaled:
                value, end = value * SCALES[scale[1]], scale.end()
        else:
            unit = None
    if unit is None:
        unit, end = _unit_after(text, number)
    hedge = _hedge(text[max(0, start - 32) : start])
    if unit is None and text[number.end : number.end + 1] == "+":
        hedge = -1
    digits = text[number.start : number.end]
    year = unit is None and digits.isdigit() and len(digits) == 4 and 1000 <= value <= 2100
    years = None
    if year and _DECADE.match(text, number.end) and value % 10 == 0:
        years = (int(value), int(value) + (99 if value % 100 == 0 else 9))
    elif number.ordinal and 0 < value <= 21 and _CENTURY.match(text, number.end):
        years = (100 * int(value) - 100, 100 * int(value))
    nouns = _nouns(text, number.end)
    return Amount(value, Span(start, end), unit, nouns, hedge, number.certain, number.ordinal, year, years)


def _unit_after(text: str, number: Number) -> tuple[Unit | None, int]:
    match = _AFTER.match(text, number.end)
    if match is None or number.ordinal:
        return None, number.end
    word = match[1].lower().replace(" ", "") if match[1].startswith("°") else match[1].lower()
    if word == "per cent":
        word = "percent"
    if word.startswith("square "):
        unit = UNITS.get(word.split()[1])
        return (Unit("square-" + unit.dimension, unit.factor**2), match.end()) if unit else (None, number.end)
    if word in {"us", "u", "australian", "canadian", "hong"}:
        follow = re.compile(r"\s?(?:\.?s\.?)?\s?(?:kong )?(dollars?)", re.IGNORECASE).match(text, match.end())
        if follow:
            key = FOREIGN_DOLLARS.get("hong kong" if word == "hong" else word, "usd")
            return UNITS[key], follow.end()
        return None, number.end
    unit = UNITS.get(word)
    decade = word == "s" and len(number.value) == 4 and number.value.endswith("0")
    if unit is None or decade or (word in SHORT and not text[number.end - 1].isdigit()):
        return None, number.end
    return unit, match.end()


def _hedge(before: str) -> int | None:
    match = _BEFORE_WORDS.search(before)
    if match is None or match[2].lower() not in _HEDGES:
        return None
    word, first = match[2].lower(), (match[1] or "").lower()
    if word == "than":
        return {"more": -1, "less": 1, "fewer": 1}.get(first)
    if word in {"least", "most"} and first != "at":
        return None
    return _HEDGES[word]


def _nouns(text: str, place: int) -> tuple[str, ...]:
    found: list[str] = []
    for _ in range(4):
        match = _WORDS_AFTER.match(text, place)
        if match is None or len(found) == 2:
            break
        place = match.end()
        word = match[1].lower()
        if word in STOPWORDS:
            if found or word not in {"more", "other"}:
                break
            continue
        found.append(stem(word))
    return tuple(found)


def stated(amount: Amount, others: Iterable[Amount]) -> bool:
    """Whether any of the others states the amount."""
    return any(amount.stated_by(other) for other in others)


def rivals(amount: Amount, others: Sequence[Amount]) -> list[Amount]:
    """The amounts that say otherwise about the same kind of thing."""
    return [other for other in others if amount.same_kind(other) and not amount.stated_by(other)]
