import subprocess
import sys

import pytest

from grapheval.errors import InputError, MissingExtraError
from grapheval.testing import FakeVerifier
from grapheval.verification import registry
from grapheval.verification.registry import load_verifier, verifier_names


def test_a_verifier_object_is_handed_back():
    fake = FakeVerifier()
    assert load_verifier(fake) is fake
    with pytest.raises(InputError, match="options go with names"):
        load_verifier(fake, device="cpu")
    with pytest.raises(InputError, match="int does not"):
        load_verifier(3)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("hem", "did you mean 'hhem'"), ("mini-check", "'minicheck'"), ("bundeld", "did you mean 'bundled'")],
)
def test_a_typo_gets_a_suggestion(name, hint):
    with pytest.raises(InputError, match=hint) as caught:
        load_verifier(name)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(InputError, match=r"there is no verifier 'zzzzzz': known are bundled, hhem, .*owner/name"):
        load_verifier("zzzzzz")
    with pytest.raises(InputError, match="there is no model directory"):
        load_verifier("./models/none")
    with pytest.raises(InputError, match="there is no model directory"):
        load_verifier("a/b/c")


@pytest.mark.parametrize("name", ["hhem", "HHEM", "hhem-1", "hhem_1", "true", "minicheck-roberta"])
def test_published_names_need_no_hub_to_be_named(name):
    spec = load_verifier(name).spec
    assert spec.name == name.lower().replace("_", "-")
    assert spec.max_tokens


def test_published_ids_are_called_as_their_authors_do():
    assert load_verifier("vectara/hallucination_evaluation_model").spec.name == "hhem"
    first = load_verifier("vectara/hallucination_evaluation_model", revision="hhem-1.0-open")
    assert first.spec.name == "hhem-1"
    assert load_verifier("lytang/MiniCheck-Flan-T5-Large").spec.name == "minicheck"


def test_a_t5_in_a_directory_must_be_told_how_it_is_asked(tmp_path):
    (tmp_path / "config.json").write_text('{"architectures": ["T5ForConditionalGeneration"]}')
    with pytest.raises(InputError, match=r'load_verifier\("true", path='):
        load_verifier(tmp_path)
    with pytest.raises(InputError, match=r"say how it is asked"):
        load_verifier(str(tmp_path))


def test_an_hhem_in_a_directory_is_recognised(tmp_path):
    (tmp_path / "config.json").write_text('{"architectures": ["HHEMv2ForSequenceClassification"]}')
    assert load_verifier(tmp_path).spec.name == "hhem"


def test_a_missing_extra_is_told_at_once_with_the_command(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda module: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r'pip install "grapheval\[hf\]"'):
        load_verifier("hhem")


def test_the_judge_needs_a_model():
    with pytest.raises(InputError, match=r'load_verifier\("llm", llm=MODEL\)'):
        load_verifier("llm")


def test_a_service_that_needs_an_id_says_so():
    with pytest.raises(InputError, match=r"needs guardrail_id: load_verifier\('bedrock-grounding', guardrail_id="):
        load_verifier("bedrock-grounding")


def test_naming_verifiers_imports_no_framework():
    code = (
        "import sys, grapheval.verification.registry as r, grapheval.verification.batching; r.verifier_names();"
        "assert not {'torch', 'transformers', 'numpy', 'huggingface_hub'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_all_names_are_listed_once():
    assert len(set(verifier_names())) == len(verifier_names()) == 10
