"""Numbers, units, dates and times of a claim that a text does not state, and what it states in their place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grapheval.types import FindingKind, Span
from grapheval.verification.explicit.amounts import Amount, read_amounts, rivals, stated
from grapheval.verification.explicit.dates import read_dates, read_times, read_weekdays

_MOST = 40
"""Numbers of one claim that are compared; longer rows of figures are no claim."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """Something exact in a claim that a text does not state.

    Args:
        kind: Number, unit, date or time.
        span: Its place in the claim.
        certain: False for small spelled numbers, which a text may state by listing.
        instead: What the text states in its place, in the text's words.
    """

    kind: FindingKind
    span: Span
    certain: bool
    instead: tuple[str, ...]


def lacking(claim: str, text: str, place: str | None = None) -> list[Lacking]:
    """What of the claim's numbers, dates and times the text does not state.

    Args:
        claim: The claim's text.
        text: A window, or a whole source.
        place: The part of the text where what stands instead is looked for; None = all of it.
    """
    place = text if place is None else place
    return [*_amounts(claim, text, place), *_dates(claim, text, place), *_times(claim, text, place)]


def _amounts(claim: str, text: str, place: str) -> list[Lacking]:
    own = read_amounts(claim)[:_MOST]
    if not own:
        return []
    theirs = read_amounts(text)
    found = []
    for amount in own:
        if stated(amount, theirs):
            continue
        instead = rivals(amount, read_amounts(place))
        other = [rival for rival in instead if not _stated_by_claim(rival, own)]
        kind = FindingKind.NUMBER
        if amount.unit is not None:
            units = [a for a in read_amounts(place) if a.unit and a.value == amount.value and a.unit != amount.unit]
            if units:
                kind, other = FindingKind.UNIT, units
        found.append(Lacking(kind, amount.span, amount.certain, _words(place, (a.span for a in other))))
    return found


def _stated_by_claim(rival: Amount, own: Iterable[Amount]) -> bool:
    """Whether the claim states what seems to stand in another number's place: "3 of the 5 boys"."""
    return any(amount.stated_by(rival) for amount in own)


def _dates(claim: str, text: str, place: str) -> list[Lacking]:
    found = []
    theirs = read_dates(text)
    for date in read_dates(claim):
        if not any(date.stated_by(other) for other in theirs):
            instead = (other.span for other in read_dates(place) if date.rivals(other))
            found.append(Lacking(FindingKind.DATE, date.span, True, _words(place, instead)))
    days = {day.name for day in read_weekdays(text)}
    for day in read_weekdays(claim):
        if day.name not in days:
            instead = (other.span for other in read_weekdays(place))
            found.append(Lacking(FindingKind.DATE, day.span, True, _words(place, instead)))
    return found


def _times(claim: str, text: str, place: str) -> list[Lacking]:
    own = read_times(claim)
    if not own:
        return []
    theirs = {clock.minutes for clock in read_times(text)}
    instead = [clock for clock in read_times(place) if clock.minutes not in {clock.minutes for clock in own}]
    return [
        Lacking(FindingKind.TIME, clock.span, True, _words(place, (other.span for other in instead)))
        for clock in own
        if clock.minutes not in theirs
    ]


def _words(text: str, spans: Iterable[Span]) -> tuple[str, ...]:
    """The texts of the spans with single spaces, each once."""
    return tuple(dict.fromkeys(" ".join(span.of(text).split()) for span in spans))
