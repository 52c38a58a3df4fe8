"""Labelled answers of a made-up verifier whose probabilities are known exactly."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from grapheval import GraphEval, Sample
from grapheval.calibration import LabelledSample
from grapheval.testing import FakeExtractor, FakeVerifier

Made = tuple[GraphEval, list[LabelledSample]]


@pytest.fixture
def make() -> Callable[..., Made]:
    """A pipeline and labelled answers whose claims have the given `p_ungrounded`."""

    def build(answers: list[tuple[list[float], int]], contexts: int | None = None) -> Made:
        claims, table, labelled = {}, {}, []
        for number, (worst, label) in enumerate(answers):
            triples = [(f"Item{number}", "has", f"part{k}") for k in range(len(worst))]
            text = ". ".join(" ".join(triple) for triple in triples) + "."
            claims[text] = triples
            for triple, p in zip(triples, worst, strict=True):
                table[" ".join(triple)] = 1.0 - p
            context = f"Context {number if contexts is None else number % contexts}."
            labelled.append(LabelledSample(Sample(text, context), label))
        return GraphEval(FakeExtractor(claims), FakeVerifier(table)), labelled

    return build


def shifted(n: int = 120, *, seed: int = 1) -> list[tuple[list[float], int]]:
    """Answers of one claim that are inconsistent exactly when p is above 0.8: the default threshold is far off."""
    chance = random.Random(seed)
    found = []
    for _ in range(n):
        p = round(chance.uniform(0.55, 0.99), 3)
        found.append(([p], int(p > 0.8)))
    return found
