"""What the explicit comparison found, names known in part, exchanged roles, and what is no repair."""

from __future__ import annotations

import pytest

from grapheval.correction.edits import apply
from grapheval.correction.evidence.findings import corrections, names_in_part, place_of
from grapheval.correction.evidence.passages import Library, Passage
from grapheval.correction.evidence.reading import Sentence, parse
from grapheval.correction.evidence.slots import find_slots
from grapheval.types import Finding, FindingKind, Source
from tests.correction.words import repair


def _read(text: str, context: str) -> tuple[Sentence, list[Passage]]:
    (sentence,) = parse([text])
    (passages,) = Library([Source(context, "1")], [text]).passages([text])
    return sentence, passages


def _finding(kind: FindingKind, stated: str, *found: str) -> Finding:
    return Finding(kind, stated, found, "")


def test_the_words_that_the_comparison_found_take_the_place_of_the_wrong_ones() -> None:
    sentence, passages = _read("The ferry sails at 9 am on Monday.", "The ferry sails at 10 am on Monday.")
    (made,) = corrections(sentence, [_finding(FindingKind.TIME, "9 am", "10 am")], passages)
    assert apply(sentence.text, made.changes) == "The ferry sails at 10 am on Monday."
    assert (made.sure, made.told) == (True, True)


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("9 am", "11 am"),  # no passage says so
        ("8 am", "10 am"),  # the sentence does not say so
        ("9 am", "9am"),  # the same
    ],
)
def test_findings_that_give_no_repair(stated: str, found: str) -> None:
    sentence, passages = _read("The ferry sails at 9 am on Monday.", "The ferry sails at 10 am, not at 9am, on Monday.")
    assert corrections(sentence, [_finding(FindingKind.TIME, stated, found)], passages) == []


@pytest.mark.parametrize(
    ("context", "new"),
    [
        ("Lind founded the firm in Bergen.", "Lind founded the firm."),
        ("Tove Lind founded the firm in Bergen.", "Tove Lind founded the firm."),
        ("Lind, whose uncle is Otto Lind, founded the firm.", "Lind founded the firm."),
    ],
)
def test_a_first_name_that_no_source_gives(context: str, new: str) -> None:
    sentence, passages = _read("Karin Lind founded the firm.", context)
    findings = [_finding(FindingKind.NAME, "Karin")]
    (made,) = names_in_part(sentence, find_slots(sentence), findings, passages)
    assert apply(sentence.text, made.changes) == new


def test_place_of_whole_words_only() -> None:
    assert place_of("It has 140 ships, 40 boats.", "40") == (18, 20)
    assert place_of("It has 40,000 ships.", "40") is None
    assert place_of("on 3  March", "3 March") == (3, 11)
    assert place_of("any text", "") is None


class TestNoRepair:
    def test_a_name_is_not_replaced_by_any_other_of_its_kind(self) -> None:
        context = "Ada Berg owns a hotel. Nils Moe sold the ferry to the town in May."
        answer = "Ola Hansen painted the church in Voss."
        assert repair(answer, context).answer == answer

    def test_nor_by_one_of_whom_something_else_is_said(self) -> None:
        context = "A controlled explosion was carried out by the Royal Logistics Corps after the chemicals had dried."
        answer = "A controlled explosion was carried out at Cardiff University after the chemicals had dried."
        assert "at the Royal Logistics" not in repair(answer, context).answer

    def test_nor_is_a_value_put_in_that_the_sentence_states_already(self) -> None:
        context = "The hall was closed on Sunday and Monday."
        assert repair("The hall was closed on Friday and Monday.", context).answer == context


def test_several_places_are_put_right_at_once() -> None:
    context = "Tove Lind founded Nordkai in Bergen in 1958."
    assert repair("Karin Lind founded Nordkai in Bergen in 1985.", context).answer == context


def test_a_sentence_that_is_repeated_is_repaired_wherever_it_stands() -> None:
    context = "The firm owns 14 ships. It sits in Bergen."
    answer = "The firm owns 40 ships. It sits in Bergen. The firm owns 40 ships."
    assert repair(answer, context).answer == answer.replace("40", "14")
