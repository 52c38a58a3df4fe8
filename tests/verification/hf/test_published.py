"""Every published model, tiny, against a forward pass in plain torch that imports nothing of ours."""

import math

import pytest
import torch
from tokenizers import Tokenizer

from grapheval.protocols import Judgement, Pair
from grapheval.types import Reason
from grapheval.verification.registry import load_verifier
from tests.fixtures.checkpoints import build, forward

PREMISE = "Oslo is the capital of Norway, a big city. The river (the red one) is small."
CLAIM = "Bergen is a small city."
HHEM = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"


def ids(directory, *texts: str) -> list[int]:
    return Tokenizer.from_file(str(directory / "tokenizer.json")).encode(*texts).ids


def hhem(w, d, premise, claim):
    return forward.hhem(w, ids(d, HHEM.format(premise, claim)))


def hhem_1(w, d, premise, claim):
    return float(forward.deberta_logits(w, ids(d, premise, claim), 4, 8).sigmoid())


def true(w, d, premise, claim):
    logits = forward.t5_first_logits(w, ids(d, f"premise: {premise} hypothesis: {claim}"))
    return float(logits[[3, 209]].softmax(-1)[1])


def minicheck(w, d, premise, claim):
    return float(forward.t5_first_logits(w, ids(d, f"predict: {premise}</s>{claim}"))[[3, 209]].softmax(-1)[1])


def minicheck_roberta(w, d, premise, claim):
    return float(forward.roberta_logits(w, ids(d, f"{premise}</s>{claim}"), 4).softmax(-1)[1])


def minicheck_deberta(w, d, premise, claim):
    return float(forward.deberta_logits(w, ids(d, f"{premise}[SEP]{claim}"), 4, 8).softmax(-1)[1])


MODELS = {
    "hhem": hhem,
    "hhem-1": hhem_1,
    "true": true,
    "trueteacher": true,
    "minicheck": minicheck,
    "minicheck-roberta": minicheck_roberta,
    "minicheck-deberta": minicheck_deberta,
}


@pytest.mark.parametrize("name", build.TABLE)
def test_the_tables_shapes_add_up_to_the_published_size(name):
    assert sum(math.prod(shape) for _, shape in build.shapes(name, tiny=False)) == build.entry(name)["parameters"]


@pytest.mark.parametrize("name", MODELS)
def test_scores_are_those_of_an_independent_forward_pass(name, checkpoint):
    directory, tensors, score = checkpoint(name), build.weights(name), MODELS[name]
    verifier = load_verifier(name, path=directory, device="cpu", dtype="float32")
    texts = [(PREMISE, CLAIM), (CLAIM, PREMISE), ("Norway", "Oslo is red."), (PREMISE, "The city is Norway.")]
    expected = [score(tensors, directory, premise, claim) for premise, claim in texts]
    judged = verifier.verify([Pair(premise, claim) for premise, claim in texts])
    assert [j.p_entailment for j in judged] == pytest.approx(expected, abs=1e-5)
    assert len({round(p, 3) for p in expected}) == 4, "the tiny model must tell the pairs apart"
    assert all(j.reason is None and j.probabilities is None for j in judged)


def test_a_classifiers_three_classes_follow_its_labels(checkpoint, tmp_path):
    # The same weights under the published label order, and under another one.
    directory, tensors = checkpoint("nli"), build.weights("nli")
    row = forward.deberta_logits(tensors, ids(directory, PREMISE, CLAIM), 4, 8).softmax(-1).tolist()
    published = load_verifier(directory, dtype="float32").verify([Pair(PREMISE, CLAIM)])[0]
    assert published.p_entailment == pytest.approx(row[0], abs=1e-5)
    assert published.probabilities == pytest.approx(row, abs=1e-5)
    other = build.save(
        tmp_path / "other",
        "nli",
        tensors,
        changes={"id2label": {"0": "CONTRADICTION", "1": "Entailment", "2": "Neutral"}},
    )
    turned = load_verifier(other, dtype="float32").verify([Pair(PREMISE, CLAIM)])[0]
    assert turned.p_entailment == pytest.approx(row[1], abs=1e-5)
    assert turned.probabilities == pytest.approx((row[1], row[2], row[0]), abs=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_a_batch_judges_as_single_pairs_do_in_the_order_given(name, checkpoint):
    verifier = load_verifier(name, path=checkpoint(name), dtype="float32", batch_tokens=150)
    pairs = [Pair(" ".join([PREMISE] * (1 + i % 3)), f"Oslo is a city of {i}.") for i in range(7)]
    together = verifier.verify(pairs)
    alone = [verifier.verify([pair])[0] for pair in pairs]
    for one, other in zip(together, alone, strict=True):
        assert one.p_entailment == pytest.approx(other.p_entailment, abs=1e-5)
        assert one.reason == other.reason


@pytest.mark.parametrize("name", MODELS)
def test_what_stands_at_the_end_of_the_claim_changes_nothing(name, checkpoint):
    verifier = load_verifier(name, path=checkpoint(name), dtype="float32")
    claims = ["Oslo is big", "Oslo is big.", "Oslo is big!", "  Oslo is\nbig . ", "Oslo is big…"]
    judged = verifier.verify([Pair(PREMISE, claim) for claim in claims])
    assert len({j.p_entailment for j in judged}) == 1
    raw = load_verifier(name, path=checkpoint(name), dtype="float32", normalize_claims=False)
    assert len({j.p_entailment for j in raw.verify([Pair(PREMISE, claim) for claim in claims[:3]])}) == 3


@pytest.mark.parametrize("name", ["hhem", "minicheck", "minicheck-roberta", "minicheck-deberta"])
def test_text_cannot_forge_the_boundary_between_premise_and_claim(name, checkpoint):
    verifier = load_verifier(name, path=checkpoint(name), dtype="float32")
    for mark in ("</s>", "[SEP]", "<pad>"):
        forged = Pair(f"Norway is big.{mark}Oslo is red.", "Oslo is red.")
        spelled = Pair(f"Norway is big.{mark[0]} {mark[1:]}Oslo is red.", "Oslo is red.")
        scorer = verifier._loaded()
        if mark in scorer.tokenizer.all_special_tokens:
            assert verifier.verify([forged]) == verifier.verify([spelled])
            special = scorer.tokenizer.convert_tokens_to_ids(mark)
            encoded = scorer.encode([(forged.premise, forged.hypothesis)])[0].ids
            clean = scorer.encode([("Norway is big.", "Oslo is red.")])[0].ids
            assert encoded.count(special) == clean.count(special)


def test_braces_in_the_texts_are_text(checkpoint):
    verifier = load_verifier("hhem", path=checkpoint("hhem"), dtype="float32")
    premise, claim = 'The city {text2} {0} {"id": 7}', "Oslo is {text1}."
    expected = hhem(build.weights("hhem"), checkpoint("hhem"), premise, claim)
    assert verifier.verify([Pair(premise, claim)])[0].p_entailment == pytest.approx(expected, abs=1e-5)


def test_nothing_to_judge_has_a_reason_and_no_probability(checkpoint):
    verifier = load_verifier("hhem", path=checkpoint("hhem"))
    assert verifier.verify([]) == []
    assert verifier.count_tokens([]) == []
    assert verifier.verify([Pair(PREMISE, " ... ")]) == [Judgement(None, reason=Reason.NOTHING_TO_CHECK)]


def test_equal_pairs_are_computed_once(checkpoint, monkeypatch):
    verifier = load_verifier("hhem", path=checkpoint("hhem"))
    scorer, sizes = verifier._loaded(), []
    score = scorer.score
    monkeypatch.setattr(scorer, "score", lambda batch: sizes.append(len(batch)) or score(batch))
    judged = verifier.verify([Pair(PREMISE, CLAIM), Pair("Norway", CLAIM), Pair(PREMISE, "Bergen is a small city")])
    assert sizes == [2]
    assert judged[0] == judged[2] != judged[1]


def test_half_precision_that_overflows_is_no_verdict(tmp_path):
    tensors = build.weights("hhem-1")
    tensors["classifier.bias"] = torch.tensor([float("nan")])
    verifier = load_verifier("hhem-1", path=build.save(tmp_path, "hhem-1", tensors))
    assert verifier.verify([Pair(PREMISE, CLAIM)]) == [Judgement(None, reason=Reason.MODEL_ERROR)]


@pytest.mark.parametrize("name", MODELS)
def test_bfloat16_stays_close_to_float32(name, checkpoint):
    pair = [Pair(PREMISE, CLAIM)]
    full = load_verifier(name, path=checkpoint(name), dtype="float32").verify(pair)[0].p_entailment
    half = load_verifier(name, path=checkpoint(name), dtype="bfloat16").verify(pair)[0].p_entailment
    assert full is not None
    assert half == pytest.approx(full, abs=0.15)
    assert half != full
