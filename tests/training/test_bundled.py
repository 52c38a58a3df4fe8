"""The files in the package belong together, and the model can do the plainest things."""

from __future__ import annotations

import hashlib
import json

import pytest

from grapheval.protocols import Pair
from grapheval.verification.bundled import MODEL_FOLDER, BundledVerifier
from training.network import BASE_SHA256
from training.rows import LABELS

CONFIG = json.loads((MODEL_FOLDER / "config.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["model.int8.onnx", "tokenizer.json"])
def test_checksums(name: str) -> None:
    assert hashlib.sha256((MODEL_FOLDER / name).read_bytes()).hexdigest() == CONFIG["sha256"][name]


def test_configuration_says_what_the_recipe_says() -> None:
    assert CONFIG["labels"] == list(LABELS)
    assert CONFIG["max_length"] == 512
    assert CONFIG["training"]["base_sha256"] == BASE_SHA256


def test_the_model_is_small_enough_for_a_package() -> None:
    assert (MODEL_FOLDER / "model.int8.onnx").stat().st_size < 32_000_000


def test_the_card_speaks_of_this_model() -> None:
    card = (MODEL_FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert CONFIG["sha256"]["model.int8.onnx"][:12] in card


PREMISE = "The lighthouse at Cape Arn was built in 1874 by Nils Haug. It is 31 metres high and painted white."


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The lighthouse at Cape Arn was built in 1874.", True),
        ("Nils Haug built the lighthouse.", True),
        ("The lighthouse was built in 1912.", False),
        ("The lighthouse was not built in 1874.", False),
        ("The lighthouse was closed by the navy after a fire.", False),
    ],
)
def test_plain_claims(claim: str, supported: bool) -> None:
    (judgement,) = BundledVerifier().verify([Pair(PREMISE, claim)])
    assert judgement.p_entailment is not None
    assert (judgement.p_entailment >= 0.5) is supported
