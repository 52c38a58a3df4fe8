"""The way to the hub and what may go wrong on it, against a small hub on this machine."""

import socket

import pytest

from grapheval.errors import InputError, ModelError
from grapheval.protocols import Pair
from grapheval.verification.hf import hub
from grapheval.verification.registry import load_verifier
from tests.fixtures.checkpoints import build
from tests.tools.hub_stub import COMMIT, hub_stub

HHEM = "vectara/hallucination_evaluation_model"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache of its own for each test."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True, raising=False)


def use(monkeypatch, endpoint):
    fetch = hub.fetch
    monkeypatch.setattr(hub, "fetch", lambda *args, **options: fetch(*args, **{**options, "endpoint": endpoint}))


def test_hhem_needs_its_name_only_and_no_code_is_fetched(tmp_path, monkeypatch):
    model = build.save(tmp_path / "hhem", "hhem", with_tokenizer=False)
    (model / "modeling_hhem_v2.py").write_text("raise SystemExit\n")
    (model / "README.md").write_text("card\n")
    foundation = build.save(tmp_path / "flan", "minicheck")
    with hub_stub({HHEM: model, "google/flan-t5-base": foundation}) as stub:
        use(monkeypatch, stub.endpoint)
        verifier = load_verifier("hhem", dtype="float32")
        judged = verifier.verify([Pair("Oslo is the capital.", "Oslo is a city.")])
        # From the foundation only config and tokenizer, never its weights.
        assert sorted(stub.asked) == [
            "config.json",
            "config.json",
            "model.safetensors",
            "tokenizer.json",
            "tokenizer_config.json",
        ]
    local = load_verifier("hhem", path=build.save(tmp_path / "local", "hhem"), dtype="float32")
    assert judged == local.verify([Pair("Oslo is the capital.", "Oslo is a city.")])
    assert verifier.info.version == COMMIT


def test_pickled_weights_are_fetched_only_where_there_are_no_safetensors(tmp_path, monkeypatch):
    model = build.save(tmp_path / "true", "true")
    (model / "training_args.bin").write_bytes(b"no")
    with hub_stub({"google/t5_xxl_true_nli_mixture": model}) as stub:
        use(monkeypatch, stub.endpoint)
        assert load_verifier("true").verify([Pair("Oslo is big.", "Oslo is red.")])[0].p_entailment is not None
        assert "training_args.bin" not in stub.asked
        assert "pytorch_model-00001-of-00002.bin" in stub.asked


def test_a_model_in_the_cache_needs_no_hub(tmp_path, monkeypatch):
    with hub_stub({"someone/nli": build.save(tmp_path / "nli", "nli")}) as stub:
        first = hub.fetch("someone/nli", endpoint=stub.endpoint)
    assert hub.fetch("someone/nli", endpoint=stub.endpoint) == first


def test_no_such_model_and_no_such_revision_differ_from_no_hub(tmp_path):
    with hub_stub({"someone/nli": build.save(tmp_path / "nli", "nli")}) as stub:
        with pytest.raises(InputError, match=r"the hub has no model 'someone/nil'.*check the spelling"):
            hub.fetch("someone/nil", endpoint=stub.endpoint)
        with pytest.raises(InputError, match="'someone/nli' has no revision 'v9'"):
            hub.fetch("someone/nli", "v9", endpoint=stub.endpoint)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(ModelError, match=r"hub cannot be reached and 'x/y' is not in its cache.*path=") as caught:
        hub.fetch("x/y", endpoint=gone)
    assert (caught.value.code, caught.value.retryable) == ("hub_unreachable", True)


def test_offline_mode_counts_as_no_hub(monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        hub.fetch("x/y")
    assert caught.value.code == "hub_unreachable"


def test_a_hub_that_refuses_is_told_apart():
    with hub_stub({}, status=403) as stub, pytest.raises(ModelError, match=r"refused .*HTTP 403") as caught:
        hub.fetch("x/y", endpoint=stub.endpoint)
    assert not caught.value.retryable


def test_directories_that_are_none_are_refused(tmp_path):
    with pytest.raises(InputError, match="there is no model directory"):
        load_verifier("hhem", path=tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"has no config\.json"):
        load_verifier("hhem", path=tmp_path)
