"""Dates and times of day: "March 3rd", "3 March 2004" and "2004-03-03"; "9 am" and "09:00"."""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from grapheval.types import Span

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = (
    r"(January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_DAY = r"([0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"((?:1\d|20)\d\d)"
_PREFIXES = tuple(name[:3] for name in _MONTHS)
_MONTH_WORDS = frozenset({*_MONTHS, *_PREFIXES, "sept"})
_FIGURES = re.compile(r"\d[-/]\d")
_LETTERS = re.compile(r"[^\W\d_]*")
_BEFORE, _AFTER = 16, 32
"""What belongs to a date before and after the name of its month or the first dash, in characters."""
_ANY_TIME = re.compile(r"\d\s?[apAP]\.?\s?[mM]|\d:\d\d|\b[nN]oon|\b[mM]id(?:day|night)|[a-zA-Z]\s[apAP]\.?[mM]\b")
_PATTERNS = (
    ("ymd", re.compile(rf"\b{_YEAR}-(\d\d)-(\d\d)\b")),
    ("dmy", re.compile(rf"\b{_DAY}\s(?:of\s)?{_MONTH}(?![a-z])(?:,?\s{_YEAR})?\b", re.IGNORECASE)),
    ("mdy", re.compile(rf"\b{_MONTH}\s(?:the\s)?{_DAY}\b(?![:.,]\d)(?:,?\s{_YEAR}\b)?", re.IGNORECASE)),
    ("my", re.compile(rf"\b{_MONTH},?\s(?:of\s)?{_YEAR}\b", re.IGNORECASE)),
    ("slash", re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")),
)
_ALONE = re.compile(
    r"\b(?:(?:in|of|by|since|until|till|last|next|early|late|this|from|to|and|mid|during|every|each)[\s-])"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\b(January|February|April|June|July|August|September|October|November|December)\b"
)
_WEEKDAY = re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
_TIME = re.compile(
    r"(?<![\d:.,])(?:(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:\.\s?m\.|m\b)"
    r"|(?P<h24>[01]?\d|2[0-4]):(?P<m24>[0-5]\d)(?![\d:]))|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![\d:.,])(\d{1,2})\s?(?:-|–|to|until|and)\s?$")
_SPOKEN = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s([ap])(?:\.m\.|m\b)", re.IGNORECASE
)
_FOUR = re.compile(r"\d{4}")
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True, slots=True)
class Date:
    """A date as far as the text says it; None = not said.

    Args:
        span: Its place.
        year: 1000 to 2099.
        month: 1 to 12.
        day: 1 to 31.
    """

    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None
    swapped: bool = False
    """Written in figures only, so that day and month may be exchanged."""

    def stated_by(self, other: Date) -> bool:
        """Whether the other date says all that this one says, but for the year, which may stand apart."""
        if self.year is not None and other.year is not None and self.year != other.year:
            return False
        ways = {(other.month, other.day)}
        if self.swapped or other.swapped:
            ways.add((other.day, other.month))
        return any(month == self.month and self.day in (None, day) for month, day in ways)

    def rivals(self, other: Date) -> bool:
        """Whether the other date is as exact and another one."""
        return (self.day is None) is (other.day is None) and not self.stated_by(other)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: minutes after midnight."""

    span: Span
    minutes: int


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week."""

    span: Span
    name: str


@lru_cache(maxsize=256)
def read_dates(text: str) -> tuple[Date, ...]:
    """The dates of a text that name a month, in order."""
    places = _places(text)
    if not places:
        return ()
    found: list[Date] = []
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        for match in _matches(pattern, text, places):
            date = _date(kind, match)
            if date is not None and not any(taken[date.span.start : date.span.end]):
                found.append(date)
                taken[date.span.start : date.span.end] = b"\1" * (date.span.end - date.span.start)
    for match in _matches(_ALONE, text, places):
        group = 1 if match[1] else 2
        span = Span(match.start(group), match.end(group))
        name = match[group]
        if name[0].isupper() and not any(taken[span.start : span.end]):
            found.append(Date(span, month=_MONTHS.index(name.lower()) + 1))
    return tuple(sorted(found, key=lambda date: date.span))


def _places(text: str) -> list[Span]:
    """Stretches of the text that hold all its dates, apart from each other and in order: the patterns are slow."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose small form is two
        return [Span(0, len(text))]
    found = [match.span() for match in _FIGURES.finditer(text)]
    for prefix in _PREFIXES:
        start = lowered.find(prefix)
        while start >= 0:
            end = match.end() if (match := _LETTERS.match(lowered, start)) else start
            if not (start and lowered[start - 1].isalpha()) and lowered[start:end] in _MONTH_WORDS:
                found.append((start, end))
            start = lowered.find(prefix, start + 3)
    return _stretches(text, sorted(found))


def _stretches(text: str, found: Iterable[tuple[int, int]]) -> list[Span]:
    """What stands around each of the places; a stretch begins and ends between words."""
    stretches: list[Span] = []
    for first, last in found:
        start, end = max(0, first - _BEFORE), min(len(text), last + _AFTER)
        while start and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        if stretches and start <= stretches[-1].end:
            stretches[-1] = Span(stretches[-1].start, end)
        else:
            stretches.append(Span(start, end))
    return stretches


def _matches(pattern: re.Pattern[str], text: str, places: Iterable[Span]) -> Iterator[re.Match[str]]:
    for place in places:
        yield from pattern.finditer(text, place.start, place.end)


def _date(kind: str, match: re.Match[str]) -> Date | None:
    span, groups = Span(*match.span()), match.groups()
    swapped = False
    if kind == "ymd":
        year, month, day = (int(group) for group in groups)
    elif kind == "slash":
        day, month, year = (int(group) for group in groups)
        swapped = day != month
        if month > 12:
            day, month = month, day
        if day > 12:
            swapped = False
    else:
        named = next(group for group in groups if group and group[0].isalpha())
        if not named[0].isupper() and named.lower() in {"may", "march", "mar"}:
            return None  # "may 2 people": a verb
        month = [name[:3] for name in _MONTHS].index(named[:3].lower()) + 1
        figures = [int(group) if group and group.isdigit() else None for group in groups]
        year = next((figure for figure in figures if figure is not None and figure > 999), 0)
        day = next((figure for figure in figures if figure is not None and figure <= 31), 0)
    if not 1 <= month <= 12 or day > 31 or (day < 1 and kind != "my"):
        return None
    return Date(span, year or None, month, day or None, swapped)


@lru_cache(maxsize=256)
def read_times(text: str) -> tuple[Clock, ...]:
    """The times of day of a text; of "9 to 10 pm" only the second is certain."""
    places = _stretches(text, (match.span() for match in _ANY_TIME.finditer(text)))
    found = []
    for match in _matches(_TIME, text, places):
        if match["word"]:
            minutes = 0 if match["word"].lower() == "midnight" else 720
        elif match["h24"]:
            minutes = 60 * int(match["h24"]) + int(match["m24"])
        else:
            hour = int(match["hour"])
            if match["half"].lower() == "p" and hour < 12:
                hour += 12
            elif match["half"].lower() == "a" and hour == 12:
                hour = 0
            minutes = 60 * hour + int(match["minute"] or 0)
        found.append(Clock(Span(*match.span()), minutes % 1440))
    for match in _matches(_SPOKEN, text, places):
        hour = (_HOURS.index(match[1].lower()) + 1) % 12 + (12 if match[2].lower() == "p" else 0)
        found.append(Clock(Span(*match.span()), 60 * hour))
    return tuple(sorted(found, key=lambda clock: clock.span))


@lru_cache(maxsize=256)
def read_weekdays(text: str) -> tuple[Weekday, ...]:
    """The days of the week that a text names."""
    return tuple(Weekday(Span(*match.span()), match[1]) for match in _WEEKDAY.finditer(text))


def date_spans(text: str) -> list[Span]:
    """Where dates and times stand, years left out: numbers there are no amounts."""
    spans = [clock.span for clock in read_times(text)]
    for clock in tuple(spans):
        base = max(0, clock.start - 12)
        first = _RANGE.search(text[base : clock.start])
        if first:
            spans.append(Span(base + first.start(1), base + first.end(1)))
    for date in read_dates(text):
        year = _FOUR.search(text, date.span.start, date.span.end)
        if year is None:
            spans.append(date.span)
        else:
            spans += [Span(date.span.start, year.start()), Span(year.end(), date.span.end)]
    return [span for span in spans if span.start < span.end]
