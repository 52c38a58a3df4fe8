"""The pairs made of the same words: that neither the bag of words nor the order alone gives them away."""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Sequence

import pytest

from grapheval.protocols import Judgement, Pair, VerifierInfo
from tests.benchmarks import same_words

ROWS = same_words.rows()


class Answers:
    """A verifier that knows the claims it entails."""

    info = VerifierInfo(name="answers")

    def __init__(self, entailed: set[str]) -> None:
        self._entailed = entailed

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [Judgement(0.9 if pair.hypothesis in self._entailed else 0.1) for pair in pairs]


def test_the_file_is_what_its_maker_writes() -> None:
    maker = runpy.run_path(str(same_words.PAIRS.with_name("make_same_bag_of_words.py")))
    assert maker["pairs"]() == ROWS


def test_there_are_500_claims_half_of_them_true() -> None:
    assert len(ROWS) == 500
    assert [row["label"] for row in ROWS] == ["entailment", "not_entailment"] * 250
    assert len({row["premise"] for row in ROWS}) == 250
    assert len({row["claim"] for row in ROWS}) == 500


def test_both_claims_of_a_premise_are_made_of_the_same_words() -> None:
    for true, false in zip(ROWS[::2], ROWS[1::2], strict=True):
        assert true["premise"] == false["premise"]
        assert true["kind"] == false["kind"]
        assert Counter(same_words.words(true["claim"])) == Counter(same_words.words(false["claim"])), true


def test_closeness_to_the_wording_does_not_tell_true_from_false() -> None:
    more, equal, less = same_words.order_alone(ROWS)
    assert more + equal + less == 250
    assert abs(more - less) <= 15
    shares = [same_words.verbatim(row["claim"], row["premise"]) for row in ROWS]
    true, false = sum(shares[::2]) / 250, sum(shares[1::2]) / 250
    assert abs(true - false) < 0.02


def test_verbatim_counts_pairs_of_neighbouring_words() -> None:
    assert same_words.verbatim("The dog bit Ann", "Yesterday the dog bit Bob.") == pytest.approx(2 / 3)
    assert same_words.verbatim("Dog", "The dog") == 0.0


def test_groups_count_what_is_right() -> None:
    rows = [
        {"kind": "a", "premise": "p", "claim": "x y", "label": "entailment"},
        {"kind": "a", "premise": "p", "claim": "y x", "label": "not_entailment"},
        {"kind": "b", "premise": "q", "claim": "v w", "label": "entailment"},
        {"kind": "b", "premise": "q", "claim": "w v", "label": "not_entailment"},
    ]
    found = same_words.right_by_group(rows, Answers({"x y", "v w", "w v"}))
    assert found["all"] == [True, True, True, False]
    assert found["not_entailment"] == [True, False]
    assert found["b"] == [True, False]
    assert found["both of a premise"] == [True, False]
    assert same_words.summary(found["all"])["share"] == 0.75
