"""The bundled verifier: the real model, its limits, its repeatability, its errors."""

import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grapheval.errors import ModelError
from grapheval.protocols import Pair
from grapheval.types import Reason
from grapheval.verification.bundled import CONFIG_FILE, MODEL_FILE, MODEL_FOLDER, BundledVerifier, normal_claim

PREMISE = "Ines Roth opened a small gallery in Lund in 2004. She sold it to her brother six years later."
PAIRS = [
    Pair(PREMISE, "Ines Roth opened a gallery in Lund in 2004"),
    Pair(PREMISE, "Ines Roth never opened a gallery"),
    Pair(PREMISE, "The gallery had four rooms and a garden"),
]


@pytest.fixture(scope="module")
def verifier() -> BundledVerifier:
    return BundledVerifier()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in MODEL_FOLDER.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path / file.name)
    return tmp_path


def test_info_pins_the_weights(verifier: BundledVerifier) -> None:
    info = verifier.info
    digest = json.loads((MODEL_FOLDER / CONFIG_FILE).read_text(encoding="utf-8"))["sha256"]
    digest = digest[MODEL_FILE] if isinstance(digest, dict) else digest
    assert (info.name, info.version, info.languages) == ("bundled", digest[:12], ("en",))
    assert info.window_tokens is not None
    assert info.max_tokens is not None
    assert info.window_tokens < info.max_tokens


def test_three_classes_differ(verifier: BundledVerifier) -> None:
    yes, no, silent = verifier.verify(PAIRS)
    assert yes.p_entailment is not None
    assert yes.p_entailment > 0.5
    for judgement in (no, silent):
        assert judgement.p_entailment is not None
        assert judgement.p_entailment < 0.5
    for judgement in (yes, no, silent):
        assert judgement.probabilities is not None
        assert judgement.probabilities[0] == judgement.p_entailment
        assert sum(judgement.probabilities) == pytest.approx(1.0)
    assert no.probabilities is not None
    assert no.probabilities[2] == max(no.probabilities)


def test_company_and_order_change_no_bit(verifier: BundledVerifier) -> None:
    together = verifier.verify(PAIRS)
    assert verifier.verify(PAIRS[::-1])[::-1] == together
    assert [verifier.verify([pair])[0] for pair in PAIRS] == together
    assert verifier.verify(PAIRS + PAIRS) == together + together
    assert BundledVerifier(threads=1).verify(PAIRS) == together


@pytest.mark.parametrize("ending", ["", ".", "!", " .", "...", "。", ";", "?"])
def test_punctuation_at_the_end_of_a_claim_does_not_matter(verifier: BundledVerifier, ending: str) -> None:
    (plain,) = verifier.verify(PAIRS[:1])
    assert verifier.verify([Pair(PREMISE, PAIRS[0].hypothesis + ending)]) == [plain]


def test_claims_are_normalised_at_their_end_only() -> None:
    assert normal_claim(" It is so… ") == "It is so."
    assert normal_claim("He said: no") == "He said: no."
    assert normal_claim(" ?! ") == ""


def test_other_languages_are_left_unjudged(verifier: BundledVerifier) -> None:
    german = "Ines Roth hat eine Galerie in Lund eröffnet und sie später verkauft."
    found = verifier.verify([Pair(german, PAIRS[0].hypothesis), Pair(PREMISE, german), PAIRS[0]])
    assert [judgement.reason for judgement in found] == [Reason.UNSUPPORTED_LANGUAGE] * 2 + [None]
    assert [judgement.p_entailment is None for judgement in found] == [True, True, False]
    assert BundledVerifier(check_language=False).verify([Pair(german, PAIRS[0].hypothesis)])[0].p_entailment is not None


def test_a_claim_that_does_not_fit_is_not_cut(verifier: BundledVerifier) -> None:
    (found,) = verifier.verify([Pair(PREMISE, "the gallery " * 400)])
    assert (found.p_entailment, found.reason) == (None, Reason.CLAIM_TOO_LONG)


def test_a_premise_that_does_not_fit_is_cut_and_says_so(verifier: BundledVerifier) -> None:
    (found,) = verifier.verify([Pair(PREMISE + " The sun shone on the lake." * 200, PAIRS[0].hypothesis)])
    assert found.p_entailment is not None
    assert found.reason is Reason.CONTEXT_CUT


@pytest.mark.parametrize("claim", ["", " ", "...", "?!", "—"])
def test_a_claim_without_a_word_states_nothing(verifier: BundledVerifier, claim: str) -> None:
    (found,) = verifier.verify([Pair(PREMISE, claim)])
    assert (found.p_entailment, found.reason) == (None, Reason.NOTHING_TO_CHECK)


def test_special_tokens_in_a_text_are_text(verifier: BundledVerifier) -> None:
    assert verifier.count_tokens(["[SEP]", "[PAD] a"]) == [3, 4]  # "[", "sep", "]"; "[", "pad", "]", "a"


def test_tokens_are_counted_without_special_ones(verifier: BundledVerifier) -> None:
    assert verifier.count_tokens(["the house", "", "a house ."]) == [2, 0, 3]
    assert verifier.count_tokens([]) == []
    assert verifier.verify([]) == []


def test_a_pickled_verifier_is_its_configuration(verifier: BundledVerifier) -> None:
    before = verifier.verify(PAIRS)
    data = pickle.dumps(verifier)
    assert len(data) < 1_000
    assert pickle.loads(data).verify(PAIRS) == before


def test_threads_may_share_it(verifier: BundledVerifier) -> None:
    fresh = BundledVerifier()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fresh.verify(PAIRS), range(8)))
    assert all(judgements == verifier.verify(PAIRS) for judgements in found)


def test_the_label_order_is_read_never_assumed(copy: Path, verifier: BundledVerifier) -> None:
    path = copy / CONFIG_FILE
    config = json.loads(path.read_text(encoding="utf-8"))
    config["labels"] = [{"entailment": "neutral", "neutral": "entailment"}.get(x, x) for x in config["labels"]]
    path.write_text(json.dumps(config), encoding="utf-8")
    (usual,) = verifier.verify(PAIRS[:1])
    (swapped,) = BundledVerifier(copy).verify(PAIRS[:1])
    assert usual.probabilities is not None
    assert swapped.probabilities == (usual.probabilities[1], usual.probabilities[0], usual.probabilities[2])


def test_a_damaged_model_is_an_error_that_says_so(copy: Path) -> None:
    with (copy / MODEL_FILE).open("r+b") as file:
        file.seek(1_000)
        file.write(b"\0" * 8 + b"\1")
    with pytest.raises(ModelError, match="damaged"):
        BundledVerifier(copy).verify(PAIRS)


def test_a_missing_model_is_an_error_that_says_so(copy: Path, tmp_path: Path) -> None:
    (copy / MODEL_FILE).unlink()
    with pytest.raises(ModelError, match="missing"):
        BundledVerifier(copy).verify(PAIRS)
    with pytest.raises(ModelError, match="missing"):
        _ = BundledVerifier(tmp_path / "nowhere").info


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"labels": ["a", "b", "c"], "sha256": "x", "max_length": 1}'])
def test_a_damaged_configuration_is_an_error_that_says_so(copy: Path, content: str) -> None:
    (copy / CONFIG_FILE).write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match="damaged"):
        _ = BundledVerifier(copy).info


def test_a_damaged_tokenizer_is_an_error_that_says_so(copy: Path) -> None:
    (copy / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be loaded"):
        BundledVerifier(copy).count_tokens(["a"])
