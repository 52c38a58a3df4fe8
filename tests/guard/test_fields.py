"""Structured data, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest
from pydantic import BaseModel

from grapheval.guard import Decision, Guard, GuardError
from grapheval.guard.fields import aguard_fields, guard_fields
from tests.guard.helpers import CONTEXT, TableCorrector, pipeline

WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."


class Kind(StrEnum):
    TOWN = "wrong town."


class Place(BaseModel):
    name: str
    kind: Kind = Kind.TOWN
    notes: list[str] = []


@dataclass(frozen=True)
class Trip:
    place: Place
    days: int
    extra: dict[str, tuple[str, ...]]


def guard(**settings: object) -> Guard:
    return Guard(pipeline(TableCorrector({WRONG: FIXED})), block_message="No.", **settings)  # type: ignore[arg-type]


def test_strings_are_repaired_where_they_stand() -> None:
    trip = Trip(Place(name="Bergen", notes=["Oslo is the capital of Norway.", WRONG]), 3, {"a": (WRONG, "")})
    got = guard_fields(guard(), trip, CONTEXT)
    assert got.data == Trip(
        Place(name="Bergen", notes=["Oslo is the capital of Norway.", FIXED]), 3, {"a": (FIXED, "")}
    )
    assert got.decision is Decision.CORRECTED
    assert set(got.results) == {("place", "name"), ("place", "notes", 0), ("place", "notes", 1), ("extra", "a", 0)}
    assert trip.place.notes[1] == WRONG


def test_what_is_clean_is_the_same_object() -> None:
    data = {"town": "Oslo is the capital of Norway.", "size": 7, "none": None}
    got = guard_fields(guard(), data, CONTEXT)
    assert got.data is data
    assert got.decision is Decision.PASSED


def test_a_short_field_is_judged_with_its_name_as_question() -> None:
    asked = []

    class Asking(type(pipeline().extractor)):  # type: ignore[misc]
        def extract(self, samples):  # type: ignore[no-untyped-def]
            asked.extend(sample.question for sample in samples)
            return super().extract(samples)

    one = Guard(pipeline(extractor=Asking()), on_flagged="flag")
    guard_fields(one, {"capital": "Oslo", "headOffice": {"street_name": "Main Street"}}, CONTEXT, "Tell me all.")
    assert asked == ["What is the capital?", "What is the street name of the head office?"]
    asked.clear()
    guard_fields(one, {"text": "Oslo is the capital city of Norway."}, CONTEXT, "Tell me all.")
    assert asked == ["Tell me all."]


def test_the_most_serious_decision_counts() -> None:
    got = guard_fields(guard(on_flagged="block"), {"a": WRONG, "b": "Oslo is big."}, CONTEXT)
    assert (got.decision, got.data) == (Decision.BLOCKED, {"a": "No.", "b": "Oslo is big."})
    with pytest.raises(GuardError):
        guard_fields(guard(on_flagged="raise"), [WRONG], CONTEXT)


async def test_async() -> None:
    data = {"a": WRONG, "b": ["Oslo is big."]}
    assert await aguard_fields(guard(), data, CONTEXT) == guard_fields(guard(), data, CONTEXT)
