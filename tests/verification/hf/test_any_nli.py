"""NLI classifiers of other architectures: their own pair form, token types, positions and label order."""

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from grapheval.errors import InputError
from grapheval.protocols import Pair
from grapheval.types import Reason
from grapheval.verification.registry import load_verifier
from tests.fixtures.checkpoints import build

PAIR = Pair("Oslo is the capital of Norway.", "Oslo is a city.")
NLI = {0: "contradiction", 1: "entailment", 2: "neutral"}
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


@pytest.fixture
def bert(tmp_path):
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=60, max_position_embeddings=64, id2label=NLI, initializer_range=0.5, **SMALL
    )
    model = transformers.BertForSequenceClassification(config).eval()
    model.save_pretrained(tmp_path)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "oslo", "is", "the", "a", "capital", "city", "of", "norway", "."]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", unk_token="[UNK]"
    )
    fast.save_pretrained(tmp_path)
    return tmp_path, model


def test_berts_token_types_tell_premise_from_claim(bert):
    directory, model = bert
    premise, claim = "the capital of a city is the city .", "a city ."
    pair = [[2, 6, 8, 10, 7, 9, 5, 6, 9, 12, 3, 7, 9, 12, 3]]
    types = [[0] * 11 + [1] * 4]
    with torch.no_grad():
        row = model(torch.tensor(pair), token_type_ids=torch.tensor(types)).logits.softmax(-1)[0].tolist()
        flat = model(torch.tensor(pair)).logits.softmax(-1)[0].tolist()
    verifier = load_verifier(directory, dtype="float32", normalize_claims=False)
    (judged,) = verifier.verify([Pair(premise, claim)])
    assert judged.probabilities == pytest.approx((row[1], row[2], row[0]), abs=1e-5)
    assert row != pytest.approx(flat, abs=1e-3)


def test_berts_table_of_positions_is_its_limit(bert):
    verifier = load_verifier(str(bert[0]))
    assert verifier.info.max_tokens == 64
    assert verifier.verify([Pair("the city " * 100, "a city")])[0].reason is Reason.CONTEXT_CUT


def test_a_single_output_is_not_taken_for_entailment(checkpoint):
    directory = checkpoint("hhem-1")
    with pytest.raises(InputError, match=r"has a single output.*pass entailment_label=0"):
        load_verifier(directory).verify([PAIR])
    as_hhem = load_verifier("hhem-1", path=directory).verify([PAIR])
    assert load_verifier(directory, entailment_label=0).verify([PAIR]) == as_hhem


def test_labels_without_meaning_need_the_users_word(tmp_path):
    names = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    directory = build.save(tmp_path, "nli", changes={"id2label": names, "label2id": None})
    with pytest.raises(InputError, match="pass entailment_label="):
        load_verifier(directory).verify([PAIR])
    by_name = load_verifier(directory, entailment_label="LABEL_2").verify([PAIR])[0]
    by_position = load_verifier(directory, entailment_label=2).verify([PAIR])[0]
    first = load_verifier(directory, entailment_label=0).verify([PAIR])[0]
    assert by_name == by_position
    assert by_name.probabilities is None
    assert by_name.p_entailment != first.p_entailment
