"""Batches hold every row once, waste little, and the loss means what it says."""

from __future__ import annotations

import math
import random

import pytest
import torch

from training.batches import Encoded, collate, make_batches, normal_claim
from training.loop import marginal_loss
from training.workers import split_batch


def test_every_row_stands_in_one_batch_within_the_limit() -> None:
    rng = random.Random(1)
    lengths = [rng.randint(10, 200) for _ in range(3000)]
    batches = make_batches(lengths, tokens=2048, seed=3)
    assert sorted(n for b in batches for n in b) == list(range(3000))
    padded = [max(lengths[n] for n in b) * len(b) for b in batches]
    assert max(padded) <= 2048
    assert sum(padded) / sum(lengths) < 1.03
    assert batches == make_batches(lengths, tokens=2048, seed=3)
    assert batches != make_batches(lengths, tokens=2048, seed=4)


def test_padding_and_segments() -> None:
    inputs, labels, weights = collate([Encoded((101, 7, 102, 8, 102), 3, 0), Encoded((101, 102, 9, 102), 2, 3, 0.5)])
    assert inputs["input_ids"].tolist() == [[101, 7, 102, 8, 102], [101, 102, 9, 102, 0]]
    assert inputs["attention_mask"].tolist() == [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]
    assert inputs["token_type_ids"].tolist() == [[0, 0, 0, 1, 1], [0, 0, 1, 1, 0]]
    assert labels.tolist() == [0, 3]
    assert weights.tolist() == [1.0, 0.5]


def test_loss_of_known_and_of_marginal_labels() -> None:
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]))
    loss = marginal_loss(logits, torch.tensor([1, 3]), torch.tensor([1.0, 3.0]))
    assert float(loss) == pytest.approx((-math.log(0.3) - 3 * math.log(0.5)) / 4, abs=1e-6)


def test_a_batch_is_split_into_contiguous_parts() -> None:
    rows = [Encoded(tuple(range(10)), 5, 0) for _ in range(7)]
    parts = split_batch(rows, 3)
    assert [len(p) for p in parts] == [3, 2, 2]
    assert [r for p in parts for r in p] == rows


@pytest.mark.parametrize(
    ("claim", "wanted"), [("It rains", "It rains."), ("It rains!? ", "It rains."), ("a.b.", "a.b.")]
)
def test_claims_end_with_one_full_stop(claim: str, wanted: str) -> None:
    assert normal_claim(claim) == wanted
