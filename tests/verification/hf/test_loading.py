"""Checkpoints as people have them: old formats, shards, missing pieces, damaged or hostile files."""

import json
import pickle

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, normalizers

from grapheval.errors import InputError, ModelError
from grapheval.protocols import Pair, Verifier
from grapheval.verification.hf.weights import weight_files
from grapheval.verification.registry import load_verifier
from tests.fixtures.checkpoints import build

PAIR = [Pair("Oslo is the capital of Norway.", "Oslo is a city.")]


def judge(directory, name="hhem"):
    return load_verifier(name, path=directory, dtype="float32").verify(PAIR)[0].p_entailment


def test_hhem_loads_with_either_name_of_the_tied_embeddings_or_both(checkpoint, tmp_path):
    expected = judge(checkpoint("hhem"))
    shared, embed = "t5.transformer.shared.weight", "t5.transformer.encoder.embed_tokens.weight"
    for number, keep in enumerate([{embed}, {shared, embed}]):
        tensors = build.weights("hhem")
        table = tensors.pop(shared)
        tensors |= {key: table.clone() for key in keep}
        assert judge(build.save(tmp_path / str(number), "hhem", tensors)) == expected


def test_hhem_loads_from_pickled_weights_too(checkpoint, tmp_path):
    directory = build.save(tmp_path, "hhem")
    (directory / "model.safetensors").unlink()
    torch.save(build.weights("hhem"), directory / "pytorch_model.bin")
    assert judge(directory) == judge(checkpoint("hhem"))


def test_hhem_takes_the_prompt_of_the_checkpoints_config(checkpoint, tmp_path):
    prompt = "<pad> Is it so? {text2} Source: {text1}"
    other = judge(build.save(tmp_path / "other", "hhem", changes={"prompt": prompt}))
    same = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
    assert judge(build.save(tmp_path / "same", "hhem", changes={"prompt": same})) == judge(checkpoint("hhem")) != other
    with pytest.raises(InputError, match="exactly once each"):
        judge(build.save(tmp_path / "bad", "hhem", changes={"prompt": "<pad> {text1}"}))


def test_hhem_reads_its_labels_in_whatever_order(checkpoint, tmp_path):
    turned = build.save(tmp_path, "hhem", changes={"id2label": {"0": "consistent", "1": "hallucinated"}})
    assert judge(turned) == pytest.approx(1 - judge(checkpoint("hhem")), abs=1e-6)


def test_hhem_takes_the_foundations_tokenizer_where_it_has_none(checkpoint, tmp_path):
    bare = build.save(tmp_path / "bare", "hhem", with_tokenizer=False)
    build.save_tokenizer(tmp_path / "foundation", "t5")
    (tmp_path / "foundation" / "config.json").write_text('{"model_type": "t5"}')
    verifier = load_verifier("hhem", path=bare, dtype="float32", tokenizer=str(tmp_path / "foundation"))
    assert verifier.verify(PAIR)[0].p_entailment == judge(checkpoint("hhem"))


def test_hhem_with_missing_or_foreign_weights_is_refused(tmp_path):
    tensors = build.weights("hhem")
    del tensors["t5.transformer.encoder.block.1.layer.1.DenseReluDense.wo.weight"]
    with pytest.raises(ModelError, match=r"not those of HHEM 2\.1.*block\.1\.layer\.1\.DenseReluDense\.wo"):
        judge(build.save(tmp_path / "missing", "hhem", tensors))
    tensors = build.weights("hhem") | {"t5.lora_A.weight": torch.zeros(2)}
    with pytest.raises(ModelError, match="lora_A"):
        judge(build.save(tmp_path / "extra", "hhem", tensors))
    with pytest.raises(ModelError, match=r"not those of HHEM 2\.1"):
        judge(build.save(tmp_path / "foreign", "hhem", {"weight": torch.zeros(2)}))


@pytest.mark.parametrize("name", ["hhem-1", "true"])
def test_a_checkpoint_that_lacks_weights_is_refused_not_filled_with_random_ones(name, tmp_path):
    tensors = build.weights(name)
    del tensors[next(key for key in tensors if ".layer.1." in key or ".block.1." in key)]
    with pytest.raises(ModelError, match="lacks weights of its architecture"):
        judge(build.save(tmp_path, name, tensors), name)


def test_tied_embeddings_may_be_stored_once_or_as_copies(checkpoint, tmp_path):
    once = build.save(tmp_path, "true", build.weights("true", copies=False))
    assert judge(once, "true") == judge(checkpoint("true"), "true")


def test_minichecks_own_output_matrix_is_not_tied_away(checkpoint, tmp_path):
    # transformers 5 ties T5's output to its input by default; Flan-T5 has an output matrix of its own.
    tensors = build.weights("minicheck")
    tensors["lm_head.weight"] = tensors["lm_head.weight"].flip(0)
    assert judge(build.save(tmp_path, "minicheck", tensors), "minicheck") != judge(checkpoint("minicheck"), "minicheck")


def test_a_shard_that_is_missing_is_named(tmp_path):
    directory = build.save(tmp_path, "true")
    (directory / "pytorch_model-00002-of-00002.bin").unlink()
    with pytest.raises(ModelError, match=r"incomplete, missing: pytorch_model-00002-of-00002\.bin"):
        weight_files(directory)


def test_an_index_cannot_point_outside_of_its_directory(tmp_path):
    directory = build.save(tmp_path / "model", "true")
    save_file({"x": torch.zeros(1)}, tmp_path / "outside.safetensors")
    index = directory / "pytorch_model.bin.index.json"
    index.write_text(json.dumps({"weight_map": {"x": "../outside.safetensors"}}))
    with pytest.raises(ModelError, match="incomplete"):
        weight_files(directory)


def test_damaged_weights_say_so(tmp_path):
    directory = build.save(tmp_path, "hhem")
    weights = directory / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelError, match="cannot be read as weights"):
        judge(directory)
    weights.unlink()
    with pytest.raises(ModelError, match="no weights in"):
        judge(directory)


class Attack:
    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return (open, (str(self.marker), "w"))


@pytest.mark.parametrize("name", ["hhem", "hhem-1"])
def test_a_pickle_that_runs_code_does_not_run(name, tmp_path):
    directory, marker = build.save(tmp_path / "model", name), tmp_path / "ran"
    (directory / "model.safetensors").unlink(missing_ok=True)
    (directory / "pytorch_model.bin").write_bytes(pickle.dumps({"weight": Attack(marker)}))
    with pytest.raises(ModelError):
        judge(directory, name)
    assert not marker.exists()


def test_remote_code_beside_the_weights_does_not_run(tmp_path):
    directory, marker = build.save(tmp_path / "model", "hhem"), tmp_path / "ran"
    for module in ("configuration_hhem_v2", "modeling_hhem_v2"):
        (directory / f"{module}.py").write_text(f"open({str(marker)!r}, 'w')\n")
    assert judge(directory) is not None
    classifier = build.save(
        tmp_path / "nli",
        "nli",
        changes={
            "auto_map": {"AutoModelForSequenceClassification": "modeling_hhem_v2.HHEMv2ForSequenceClassification"}
        },
    )
    (classifier / "modeling_hhem_v2.py").write_text(f"open({str(marker)!r}, 'w')\n")
    assert load_verifier(classifier).verify(PAIR)[0].p_entailment is not None
    assert not marker.exists()


def test_a_model_without_tokenizer_says_so(tmp_path):
    with pytest.raises(ModelError, match="no tokenizer in"):
        judge(build.save(tmp_path, "true", with_tokenizer=False), "true")


@pytest.mark.parametrize("name", ["true", "hhem-1", "minicheck-roberta"])
def test_the_published_tokenizer_file_is_taken_as_it_is(name, tmp_path):
    directory = build.save(tmp_path, name)
    published = Tokenizer.from_file(str(directory / "tokenizer.json"))
    published.normalizer = normalizers.NFKC()
    published.save(str(directory / "tokenizer.json"))
    verifier = load_verifier(name, path=directory, dtype="float32")
    wide = verifier.verify([Pair("Ｏｓｌｏ is big…", "Oslo is a city.")])
    assert wide == verifier.verify([Pair("Oslo is big...", "Oslo is a city.")])


def test_the_version_pins_the_weights(checkpoint, tmp_path):
    one = load_verifier("hhem", path=checkpoint("hhem")).load()
    same = load_verifier("hhem", path=build.save(tmp_path / "same", "hhem")).load()
    other = load_verifier("hhem", path=build.save(tmp_path / "other", "hhem", build.weights("hhem", seed=1))).load()
    assert one.info.version == same.info.version != other.info.version
    assert len(one.info.version) == 12


def test_name_version_and_limits_are_the_same_from_the_first_call_on(checkpoint):
    verifier = load_verifier("minicheck-roberta", path=checkpoint("minicheck-roberta"))
    before = verifier.info
    verifier.verify(PAIR)
    assert verifier.info == before


def test_a_copy_in_another_process_is_configuration_only(checkpoint):
    verifier = load_verifier("hhem", path=checkpoint("hhem"), dtype="float32").load()
    sent = pickle.dumps(verifier)
    assert len(sent) < 5_000
    copy = pickle.loads(sent)
    assert isinstance(copy, Verifier)
    assert copy.verify(PAIR) == verifier.verify(PAIR)


def test_loading_is_put_off_until_it_is_needed(tmp_path):
    directory = build.save(tmp_path, "hhem")
    verifier = load_verifier("hhem", path=directory)
    (directory / "model.safetensors").unlink()
    # What is known without the weights is told, and only `verify` raises.
    assert (verifier.info.name, verifier.info.version, verifier.info.max_tokens) == ("hhem", "", 4096)
    with pytest.raises(ModelError, match="no weights"):
        verifier.verify(PAIR)
