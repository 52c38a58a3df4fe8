"""What does not fit: premises are cut and it is said, claims are never cut, memory that runs out halves the batch."""

import pytest
import torch

from grapheval.errors import InputError, ModelError
from grapheval.protocols import Judgement, Pair
from grapheval.types import Reason
from grapheval.verification.hf.inputs import Defuser, cut, fill
from grapheval.verification.registry import load_verifier

LONG = " ".join(f"Oslo has {i} red houses." for i in range(400))


@pytest.mark.parametrize("name", ["hhem", "hhem-1", "true", "minicheck", "minicheck-roberta", "minicheck-deberta"])
def test_a_long_premise_is_cut_to_the_limit_and_the_claim_is_whole(name, checkpoint):
    verifier = load_verifier(name, path=checkpoint(name), dtype="float32", max_tokens=100)
    scorer, seen = verifier._loaded(), []
    score = scorer.score
    scorer.score = lambda batch: seen.extend(batch) or score(batch)
    claim = "Bergen is a small city."
    judged = verifier.verify([Pair(LONG, claim), Pair("Oslo is big.", claim)])
    assert [j.reason for j in judged] == [Reason.CONTEXT_CUT, None]
    assert all(0 < j.p_entailment < 1 for j in judged)
    longest = max(seen, key=lambda item: len(item.ids))
    # One more word would not fit: a word has at most eight letters here, and each may be a token.
    assert 90 < len(longest.ids) <= 100
    kept = scorer.tokenizer.decode(longest.ids)
    assert kept.replace("</s>", " ").replace("[SEP]", " ").split("Bergen")[1].strip().startswith("is a small city.")


def test_the_judgement_of_a_cut_premise_is_that_of_its_beginning(checkpoint):
    verifier = load_verifier("hhem-1", path=checkpoint("hhem-1"), dtype="float32", max_tokens=60)
    claim = "Bergen is big."
    whole = verifier.verify([Pair(LONG, claim)])[0]
    words = LONG.split()
    scorer = verifier._loaded()
    fitting = max(n for n in range(1, 60) if len(scorer.encode([(" ".join(words[:n]), claim)])[0].ids) <= 60)
    head = verifier.verify([Pair(" ".join(words[:fitting]), claim)])[0]
    assert head.reason is None
    assert whole.p_entailment == pytest.approx(head.p_entailment, abs=1e-6)


def test_a_claim_that_does_not_fit_is_not_judged(checkpoint):
    verifier = load_verifier("true", path=checkpoint("true"), max_tokens=50)
    long_claim = "Oslo is big and " * 30
    judged = verifier.verify([Pair("Oslo is big.", long_claim), Pair("Oslo is big.", "Oslo is red.")])
    assert judged[0] == Judgement(None, reason=Reason.CLAIM_TOO_LONG)
    assert judged[1].reason is None
    assert verifier.verify([Pair("", "x" * 1_000_000)]) == [Judgement(None, reason=Reason.CLAIM_TOO_LONG)]


def test_a_table_of_positions_is_a_limit_that_no_option_lifts(checkpoint):
    # The tiny RoBERTa has 130 positions, two of which come before the first token.
    verifier = load_verifier("minicheck-roberta", path=checkpoint("minicheck-roberta"), max_tokens=5000).load()
    assert verifier.info.max_tokens == 128
    assert verifier.verify([Pair(LONG, "Oslo is red.")])[0].reason is Reason.CONTEXT_CUT


def test_any_nli_model_reads_its_limit_from_its_files(checkpoint):
    assert load_verifier(checkpoint("nli")).info.max_tokens == 512


def test_a_premise_of_a_million_words_costs_one_count_and_a_short_search(checkpoint):
    verifier = load_verifier("hhem-1", path=checkpoint("hhem-1"))
    premise = "Oslo is red. " * 100_000
    judged = verifier.verify([Pair(premise, f"Oslo has {i} houses.") for i in range(5)])
    assert {j.reason for j in judged} == {Reason.CONTEXT_CUT}


def test_text_without_white_space_is_cut_too(checkpoint):
    verifier = load_verifier("hhem-1", path=checkpoint("hhem-1"), max_tokens=64)
    assert verifier.verify([Pair("abcdefgh" * 200, "Oslo is red.")])[0].reason is Reason.CONTEXT_CUT


def test_cut_keeps_the_longest_beginning_that_fits():
    text = "one two  three\nfour"
    assert cut(text, 100, lambda t: len(t.split()) <= 3) == "one two  three"
    assert cut(text, 100, lambda t: True) == text
    assert cut(text, 100, lambda t: False) == ""
    assert cut("", 100, lambda t: True) == ""
    assert cut("x" * 100, 100, lambda t: len(t) <= 30) == "x" * 24
    assert cut("a b c d", 2, lambda t: True) == "a b"


def test_fill_puts_both_texts_in_once():
    assert fill("{text2}|{text1}", "{text2}", "{text1}") == "{text1}|{text2}"
    for template in ("{text1}", "{text1}{text1}{text2}", ""):
        with pytest.raises(InputError, match="exactly once"):
            fill(template, "p", "c")


def test_defuser_breaks_special_tokens_and_nothing_else():
    defuse = Defuser(["</s>", "<pad>", "<extra_id_1>", "x"])
    assert defuse("a</s>b <pad> <extra_id_1>") == "a< /s>b < pad> < extra_id_1>"
    assert defuse("x < y </S> [SEP]") == "x < y </S> [SEP]"
    assert Defuser([])("</s>") == "</s>"


class Cramped:
    """Lets through batches up to a size, as a small GPU would."""

    def __init__(self, verifier, most):
        self.scorer, self.most, self.sizes = verifier._loaded(), most, []
        self.score = self.scorer.score
        self.scorer.score = self

    def __call__(self, batch):
        self.sizes.append(len(batch))
        if len(batch) > self.most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return self.score(batch)


def test_out_of_memory_halves_the_batch_and_goes_on(checkpoint):
    pairs = [Pair("Oslo is the capital.", f"Oslo has {i} houses.") for i in range(8)]
    expected = load_verifier("hhem", path=checkpoint("hhem"), dtype="float32").verify(pairs)
    verifier = load_verifier("hhem", path=checkpoint("hhem"), dtype="float32")
    cramped = Cramped(verifier, 3)
    judged = verifier.verify(pairs)
    assert cramped.sizes == [8, 4, 2, 2, 2, 2]
    assert [j.p_entailment for j in judged] == pytest.approx([j.p_entailment for j in expected], abs=1e-6)


def test_a_pair_that_fits_no_memory_has_a_reason(checkpoint):
    verifier = load_verifier("hhem", path=checkpoint("hhem"))
    Cramped(verifier, 0)
    pairs = [Pair("Oslo is big.", "Oslo is red."), Pair("Oslo is big.", "Oslo is small.")]
    assert verifier.verify(pairs) == [Judgement(None, reason=Reason.MODEL_ERROR)] * 2


def test_a_model_that_fails_as_a_whole_raises(checkpoint):
    verifier = load_verifier("hhem", path=checkpoint("hhem"))

    def broken(batch):
        msg = "mat1 and mat2 shapes cannot be multiplied"
        raise RuntimeError(msg)

    verifier._loaded().score = broken
    with pytest.raises(ModelError, match="hhem failed on cpu: mat1 and mat2"):
        verifier.verify([Pair("a", "b")])
