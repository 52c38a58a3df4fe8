"""Several workers compute the gradient that one network would compute."""

from __future__ import annotations

import copy

import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification

from training.batches import Encoded, collate
from training.loop import marginal_loss
from training.workers import Workers


@pytest.fixture
def network() -> BertForSequenceClassification:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=50,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    config.num_labels = 3
    return BertForSequenceClassification(config)


def test_gradient_is_that_of_the_whole_batch(network: BertForSequenceClassification) -> None:
    rows = [Encoded((1, *range(5, 5 + n % 9 + 2), 2, 7, 2), n % 9 + 4, n % 4, 1.0 + n % 2) for n in range(13)]
    alone = copy.deepcopy(network)
    inputs, labels, weights = collate(rows)
    loss = marginal_loss(alone(**inputs).logits, labels, weights)
    loss.backward()  # type: ignore[no-untyped-call]
    value = Workers(network, 3, marginal_loss).gradients(rows)
    assert value == pytest.approx(float(loss.detach()), abs=1e-5)
    for mine, other in zip(network.parameters(), alone.parameters(), strict=True):
        assert mine.grad is not None
        assert other.grad is not None
        assert torch.allclose(mine.grad, other.grad, atol=1e-5)


def test_replicas_see_an_optimiser_step(network: BertForSequenceClassification) -> None:
    rows = [Encoded((1, 6, 2, 7, 2), 3, 0)] * 6
    pool = Workers(network, 2, marginal_loss)
    before = pool.gradients(rows)
    torch.optim.SGD(network.parameters(), lr=0.5).step()
    assert pool.gradients(rows) < before
