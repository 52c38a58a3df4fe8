"""Scores against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from grapheval import InputError
from grapheval.bench.metrics import gain, rouge, score, weighted_gain
from grapheval.bench.paper import PAPER_ROWS


def test_balanced_accuracy_precision_recall_and_auc_by_hand() -> None:
    # Above 0.5: answers 0, 1, 3. True positives 0, 1; false negative 2; false positive 3; true negatives 4, 5, 6, 7.
    labels = [1, 1, 1, 0, 0, 0, 0, 0]
    found = score(labels, [0.9, 0.7, 0.2, 0.8, 0.4, 0.3, 0.1, 0.5])
    assert found.n == 8
    assert found.inconsistent == 3
    assert found.unjudged == 0
    assert found.recall == pytest.approx(2 / 3)
    assert found.specificity == pytest.approx(4 / 5)
    assert found.balanced_accuracy == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert found.precision == pytest.approx(2 / 3)
    # Of the 15 pairs: 0.9 beats all five, 0.7 four, 0.2 only the 0.1.
    assert found.auc == pytest.approx((5 + 4 + 1) / 15)


def test_exactly_one_half_is_consistent() -> None:
    found = score([1, 0], [0.5, 0.5])
    assert found.recall == 0
    assert found.specificity == 1


def test_ties_count_half_in_the_auc() -> None:
    assert score([1, 0], [0.4, 0.4]).auc == pytest.approx(0.5)


def test_unjudged_answers_are_wrong_whatever_their_label() -> None:
    judged = score([1, 1, 0, 0], [0.9, 0.8, 0.1, 0.2])
    assert judged.balanced_accuracy == 1
    assert judged.auc == 1
    found = score([1, 1, 0, 0], [0.9, None, 0.1, None])
    assert found.unjudged == 2
    assert found.recall == 0.5
    assert found.specificity == 0.5
    assert found.precision == 0.5
    # Pairs (positive, negative): 0.9 beats 0.1 only; the unjudged positive ranks below both negatives.
    assert found.auc == pytest.approx(1 / 4)


def test_nothing_judged_is_zero_not_one_half() -> None:
    found = score([1, 0, 1], [None, None, None])
    assert found.balanced_accuracy == 0
    assert found.auc == 0


def test_one_class_has_no_balanced_accuracy() -> None:
    found = score([0, 0], [0.1, 0.9])
    assert found.balanced_accuracy is None
    assert found.balanced_accuracy_ci is None
    assert found.auc is None
    assert found.recall is None
    assert found.specificity == 0.5
    assert found.precision == 0
    assert score([1, 1], [0.1, 0.2]).precision is None


def test_intervals_hold_the_estimate_and_repeat() -> None:
    labels = [1, 0] * 50
    probabilities = [0.9 if i % 5 else 0.3 for i in range(100)]
    first, second = score(labels, probabilities), score(labels, probabilities)
    assert first == second
    interval = first.balanced_accuracy_ci
    assert interval is not None
    assert first.balanced_accuracy is not None
    assert interval.low < first.balanced_accuracy < interval.high
    assert score(labels, probabilities, seed=1).balanced_accuracy_ci != interval
    assert score(labels, probabilities, resamples=0).balanced_accuracy_ci is None


def test_the_interval_is_that_of_the_binomial() -> None:
    # 200 answers of each class, 80 % right in each: SE = sqrt(0.8 * 0.2 / 200 / 2) = 0.02 around 0.8.
    labels = [1] * 200 + [0] * 200
    probabilities = [0.9 if i % 5 else 0.1 for i in range(200)] + [0.1 if i % 5 else 0.9 for i in range(200)]
    interval = score(labels, probabilities, resamples=4000).balanced_accuracy_ci
    assert interval is not None
    assert interval.low == pytest.approx(0.8 - 1.96 * 0.02, abs=0.004)
    assert interval.high == pytest.approx(0.8 + 1.96 * 0.02, abs=0.004)


def test_answers_of_one_context_are_resampled_together() -> None:
    # Four contexts of 25 equal answers each: the interval must be far wider than for 100 independent answers.
    labels = ([1] * 25 + [0] * 25) * 2
    probabilities = [0.9] * 25 + [0.1] * 25 + [0.9] * 25 + [0.9] * 25
    groups = [str(i // 25) for i in range(100)]
    alone = score(labels, probabilities).balanced_accuracy_ci
    together = score(labels, probabilities, groups=groups).balanced_accuracy_ci
    assert alone is not None
    assert together is not None
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_bootstrapped_auc_agrees_with_the_plain_one() -> None:
    labels = [1, 0, 1, 0, 0, 1, 0, 1] * 40
    probabilities = [0.9, 0.2, 0.6, 0.6, 0.4, 0.3, 0.5, 0.8] * 40
    found = score(labels, probabilities)
    assert found.auc is not None
    assert found.auc_ci is not None
    assert (found.auc_ci.low + found.auc_ci.high) / 2 == pytest.approx(found.auc, abs=0.01)


def test_gain_is_paired() -> None:
    labels = [1, 1, 0, 0] * 20
    base, ours = [0.9, 0.1, 0.1, 0.1] * 20, [0.9, 0.9, 0.1, 0.1] * 20
    found = gain(labels, base, ours)
    assert found.value == pytest.approx(0.25)
    assert found.interval is not None
    assert 0.1 < found.interval.low < 0.25 < found.interval.high < 0.4
    same = gain(labels, base, base)
    assert same.value == 0
    assert same.interval is not None
    assert (same.interval.low, same.interval.high) == (0, 0)
    assert gain([1, 1], [0.1, 0.2], [0.9, 0.9]).value is None


def test_the_papers_rows_give_the_papers_weighted_gain() -> None:
    sizes = {"summeval": 1600, "qags-c": 235, "qags-x": 239}
    cells = [(row.grapheval[name] - row.raw[name], n) for row in PAPER_ROWS for name, n in sizes.items()]
    mean, error = weighted_gain([g for g, _ in cells], [n for _, n in cells])
    assert round(mean, 1) == 6.2
    assert error is not None
    assert round(error, 1) == 1.3


def test_weighted_gain_by_hand() -> None:
    mean, error = weighted_gain([2.0, 6.0], [300, 100])
    assert mean == pytest.approx(3.0)
    assert error == pytest.approx(2 / math.sqrt(2))  # deviations of 2 around 4, over the root of two sets
    assert weighted_gain([2.0], [10]) == (2.0, None)
    with pytest.raises(InputError):
        weighted_gain([], [])


def test_rouge_by_hand() -> None:
    found = rouge("the cat sat on the mat", "the cat lay on the mat")
    assert found.rouge1 == pytest.approx(5 / 6)
    assert found.rouge2 == pytest.approx(3 / 5)  # the cat, on the, the mat
    assert found.rouge_l == pytest.approx(5 / 6)
    shorter = rouge("one two three four", "one two")  # precision 1, recall 1/2; one bigram of three
    assert shorter.rouge1 == pytest.approx(2 / 3)
    assert shorter.rouge2 == pytest.approx(1 / 2)
    assert rouge("same text", "same text").rouge_l == 1
    assert rouge("same text", "").rouge1 == 0


def test_rouge_l_respects_order_and_rouge_does_not_stem() -> None:
    assert rouge("a b c d", "d c b a").rouge1 == 1
    assert rouge("a b c d", "d c b a").rouge_l == pytest.approx(1 / 4)
    assert rouge("he walks", "he walked").rouge1 == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("labels", "probabilities"),
    [([], []), ([1], [0.1, 0.2]), ([2], [0.1]), ([1, 0], [1.5, 0.1]), ([1], [float("nan")])],
)
def test_bad_input_is_refused(labels: list[int], probabilities: list[float]) -> None:
    with pytest.raises(InputError):
        score(labels, probabilities)
