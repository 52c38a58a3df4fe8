"""The hand-written answers beyond news: that labels, places and lengths are what the reader says."""

from __future__ import annotations

from collections import Counter

from tests.benchmarks import rag_answers

ROWS = rag_answers.rows()
ANSWERS = rag_answers.answers()


def test_half_of_the_answers_hold_an_error() -> None:
    assert len(ANSWERS) == 2 * len(ROWS) >= 60
    assert sum(answer.label for answer in ANSWERS) == len(ROWS)
    assert len({answer.sample.id for answer in ANSWERS}) == len(ANSWERS)


def test_every_domain_has_its_share() -> None:
    counts = Counter(row["domain"] for row in ROWS)
    assert {"medicine", "law", "products", "travel", "code", "tables", "dialogue"} <= set(counts)
    assert min(counts.values()) >= 3


def test_answers_are_as_long_as_an_assistant_s_and_have_several_passages() -> None:
    for row in ROWS:
        assert 60 <= len(row["answer"].split()) <= 300, row["id"]
        assert len(row["passages"]) >= 2, row["id"]
        assert row["question"].strip().endswith(("?", ".")), row["id"]


def test_the_two_forms_differ_in_the_planted_error_alone() -> None:
    for grounded, wrong, row in zip(ANSWERS[::2], ANSWERS[1::2], ROWS, strict=True):
        assert grounded.wrong == ()
        (place,) = wrong.wrong
        assert place.of(wrong.sample.answer) == row["planted"]["text"]
        right = grounded.sample.answer[row["planted"]["start"] : row["planted"]["end"]]
        assert right
        assert right != row["planted"]["text"]
        assert wrong.sample.answer[: place.start] == grounded.sample.answer[: place.start]
        assert wrong.sample.answer[place.end :] == grounded.sample.answer[row["planted"]["end"] :]
        assert (grounded.label, wrong.label) == (0, 1)
        assert grounded.sample.sources == wrong.sample.sources
        assert grounded.group == wrong.group


def test_grounded_answers_are_not_copied_from_their_passages() -> None:
    copied = 0
    for row in ROWS:
        known = " ".join(" ".join(row["passages"]).split())
        words = row["answer"].split()
        runs = [" ".join(words[i : i + 8]) for i in range(len(words) - 7)]
        copied += sum(run in known for run in runs) > 0.1 * len(runs)
    assert copied <= 2
