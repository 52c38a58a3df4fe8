"""For people with the hub: the scores on HHEM 2.1's model card. Run: pytest -m network."""

import pytest

from grapheval.protocols import Pair
from grapheval.verification.registry import load_verifier

CARD = [
    ("The capital of France is Berlin.", "The capital of France is Paris.", 0.0111),
    ("I am in California", "I am in United States.", 0.6474),
    ("I am in United States", "I am in California.", 0.1290),
    ("A person on a horse jumps over a broken down airplane.", "A person is outdoors, on a horse.", 0.8969),
    (
        "A boy is jumping on skateboard in the middle of a red bridge.",
        "The boy skates down the sidewalk on a red bridge",
        0.1846,
    ),
    (
        "A man with blond-hair, and a brown shirt drinking out of a public water fountain.",
        "A blond man wearing a brown shirt is reading a book.",
        0.0050,
    ),
    ("Mark Wahlberg was a fan of Manny.", "Manny was a fan of Mark Wahlberg.", 0.0543),
]


@pytest.mark.network
def test_hhem_gives_the_scores_of_its_model_card():
    # The card's fifth claim has no full stop: its score is that of the claim as it is.
    verifier = load_verifier("hhem", dtype="float32", normalize_claims=False)
    judged = verifier.verify([Pair(premise, claim) for premise, claim, _ in CARD])
    assert [j.p_entailment for j in judged] == pytest.approx([score for *_, score in CARD], abs=2e-4)
