"""What happens to what cannot be repaired: dropped, kept, marked; and citations of what is supported."""

from __future__ import annotations

import pytest

from grapheval import Sample
from grapheval.correction.cite import cite
from grapheval.correction.edits import apply
from grapheval.correction.evidence.drop import without_phrase
from grapheval.correction.evidence.reading import parse
from grapheval.types import Action, CorrectionStatus
from tests.correction.words import pipeline, repair

CONTEXT = [
    "Tove Lind founded Nordkai in 1958. The firm sits in Bergen. The firm owns 14 ships.",
    "Tove Lind was an engineer.",
]
TRUE = "Tove Lind founded Nordkai in 1958."
FALSE = "The weather was fine in the village."
LAST = "The firm owns 14 ships."


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"{TRUE} {FALSE} {LAST}", f"{TRUE} {LAST}"),
        (f"{FALSE} {TRUE}", TRUE),
        (f"{TRUE} {FALSE}", TRUE),
        (f"- {TRUE}\n- {FALSE}\n- {LAST}\n", f"- {TRUE}\n- {LAST}\n"),
        (f"1. {TRUE}\n2. {FALSE}", f"1. {TRUE}"),
        (f"{TRUE}\n\n{FALSE}\n\n{LAST}\n", f"{TRUE}\n\n{LAST}\n"),
        (f"{TRUE} **{FALSE}** {LAST}", f"{TRUE} {LAST}"),
        (f"{TRUE} {FALSE} [2] {LAST}", f"{TRUE} {LAST}"),
    ],
)
def test_a_sentence_is_dropped_with_its_list_item_and_its_space(answer: str, left: str) -> None:
    correction = repair(answer, CONTEXT, "drop")
    assert (correction.answer, correction.status) == (left, CorrectionStatus.CORRECTED)
    assert [edit.action for edit in correction.edits] == [Action.DROP]


def test_what_can_be_repaired_is_repaired_and_only_the_rest_dropped() -> None:
    correction = repair(f"Tove Lind founded Nordkai in 1985. {FALSE}", CONTEXT, "drop")
    assert correction.answer == TRUE
    assert [edit.action for edit in correction.edits] == [Action.REPLACE, Action.DROP]


def test_a_pronoun_gets_its_name_when_the_sentence_with_the_name_is_dropped() -> None:
    answer = "Tove Lind liked warm weather in the village. She was an engineer."
    correction = repair(answer, CONTEXT, "drop")
    assert correction.answer == "Tove Lind was an engineer."
    assert [edit.action for edit in correction.edits][-1] in {Action.REPLACE, Action.DROP}


def test_nothing_is_left_of_an_answer_without_a_supported_sentence() -> None:
    correction = repair(FALSE, CONTEXT, "drop")
    assert (correction.answer, correction.edits) == (FALSE, ())
    assert correction.status in {CorrectionStatus.FAILED, CorrectionStatus.REVERTED}
    assert correction.unrepaired[0].reason == "nothing would be left of the answer"


@pytest.mark.parametrize(
    ("sentence", "bad", "left"),
    [
        ("The firm sold the ferry in Wales last year.", "Wales", "The firm sold the ferry last year."),
        ("Lind, a keen sailor, founded the firm.", "sailor", "Lind founded the firm."),
        ("Lind founded the firm, which owns 14 ships.", "ships", "Lind founded the firm."),
        ("A 25-year-old man founded the firm.", "25", "A man founded the firm."),
        ("The firm sits in Bergen.", "Bergen", None),
        ("The firm consists of 14 ships.", "14", None),
        ("Lind founded the firm.", "firm", None),
    ],
)
def test_the_phrase_that_is_cut_out_leaves_a_sentence(sentence: str, bad: str, left: str | None) -> None:
    (read,) = parse([sentence])
    changes = without_phrase(read, [read.tree.words.index(bad)])
    assert (apply(sentence, changes) if changes else None) == left


def test_marks() -> None:
    correction = repair(f"{TRUE} {FALSE} {LAST}", CONTEXT, "mark")
    mark = " [not supported by the sources]"
    assert correction.answer == f"{TRUE} {FALSE}{mark} {LAST}"
    (edit,) = correction.edits
    assert (edit.start, edit.end, edit.new, edit.action) == (71, 71, mark, Action.MARK)
    assert correction.status is CorrectionStatus.PARTIAL
    assert correction.after is not None
    last = correction.after.verdicts[-1].claim.span
    assert last is not None
    assert last.of(correction.answer).startswith("The firm owns 14 ships")


def test_keep_leaves_the_text() -> None:
    answer = f"{TRUE} {FALSE}"
    assert repair(answer, CONTEXT, "keep").answer == answer


class TestCite:
    def test_supported_sentences_get_the_numbers_of_their_sources(self) -> None:
        answer = f"{TRUE} {FALSE}\n\n- Tove Lind was an engineer.\n- {LAST}\n"
        cited = cite(answer, pipeline().evaluate(Sample(answer, CONTEXT)))
        assert cited.text == f"{TRUE} [1] {FALSE}\n\n- Tove Lind was an engineer. [2]\n- {LAST} [1]\n"
        assert [(c.number, c.source_id) for c in cited.citations] == [(1, "1"), (2, "2")]
        assert [p.text for p in cited.citations[0].passages] == [TRUE, LAST]

    def test_numbers_begin_above_those_that_stand_there(self) -> None:
        answer = f"{TRUE} [3]"
        cited = cite(answer, pipeline().evaluate(Sample(answer, CONTEXT)))
        assert [c.number for c in cited.citations] == [4]
        assert cited.text == f"{TRUE} [4] [3]"

    def test_nothing_supported_nothing_cited(self) -> None:
        cited = cite(FALSE, pipeline().evaluate(Sample(FALSE, CONTEXT)))
        assert (cited.text, cited.citations) == (FALSE, ())

    def test_a_repaired_answer_is_cited_by_its_re_check(self) -> None:
        correction = repair("Tove Lind founded Nordkai in 1985.", CONTEXT)
        assert correction.after is not None
        assert cite(correction.answer, correction.after).text == f"{TRUE} [1]"
