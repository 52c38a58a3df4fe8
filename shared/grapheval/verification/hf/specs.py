"""The published models: where they are, how each is called. Sources: their model cards and own inference code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

HHEM_PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
"""The prompt of HHEM 2.1 where the checkpoint's config has none; `text1` is the premise, `text2` the claim."""

TRUE_PROMPT = "premise: {text1} hypothesis: {text2}"
MINICHECK_PROMPT = "predict: {text1}</s>{text2}"


class Kind(StrEnum):
    """How a model is read."""

    HHEM = "hhem"
    """T5 encoder with a token head, read at position 0."""
    SEQ2SEQ = "seq2seq"
    """T5 that answers "1" or "0", read at the first decoded token."""
    CLASSIFIER = "classifier"
    """Sequence classifier on a pair, or on both texts joined by the end-of-sequence token."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A model and how it is called.

    Args:
        name: Registry key, or the model id.
        repo: Hub id.
        kind: How it is read.
        revision: Branch, tag or commit; None = the hub's default.
        prompt: Template with `{text1}` (premise) and `{text2}` (claim), each once; None = a pair of texts.
        joined: Both texts in one, separated by the tokenizer's end-of-sequence token (MiniCheck's classifiers).
        max_tokens: Longest input, special tokens included; None = as tokenizer and config say.
        window_tokens: Premise length that the authors chunk documents to; None = they do not.
        entailment_label: Class that means "supported" where the config's labels do not say; None = as they say.
        label_tokens: Token ids of (not supported, supported); None = the first tokens of "0" and "1".
        tokenizer: Hub id of the tokenizer where the repository has none.
        languages: ISO 639-1 codes; empty = unknown.
    """

    name: str
    repo: str
    kind: Kind
    revision: str | None = None
    prompt: str | None = None
    joined: bool = False
    max_tokens: int | None = None
    window_tokens: int | None = None
    entailment_label: int | None = None
    label_tokens: tuple[int, int] | None = None
    tokenizer: str | None = None
    languages: tuple[str, ...] = ()


SPECS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        # The card promises no limit of its own (relative positions); attention is quadratic, so there is ours.
        Spec(
            "hhem",
            "vectara/hallucination_evaluation_model",
            Kind.HHEM,
            prompt=HHEM_PROMPT,
            max_tokens=4096,
            tokenizer="google/flan-t5-base",
            languages=("en",),
        ),
        Spec(
            "hhem-1",
            "vectara/hallucination_evaluation_model",
            Kind.CLASSIFIER,
            revision="hhem-1.0-open",
            max_tokens=512,
            entailment_label=0,  # one logit: the sigmoid is P(consistent)
            languages=("en",),
        ),
        Spec(
            "true",
            "google/t5_xxl_true_nli_mixture",
            Kind.SEQ2SEQ,
            prompt=TRUE_PROMPT,
            max_tokens=2048,
            languages=("en",),
        ),
        Spec(
            "trueteacher",
            "google/t5_11b_trueteacher_and_anli",
            Kind.SEQ2SEQ,
            prompt=TRUE_PROMPT,
            max_tokens=2048,
            languages=("en",),
        ),
        # MiniCheck's own code chunks documents to 500 words (T5) or 400 tokens (classifiers).
        Spec(
            "minicheck",
            "lytang/MiniCheck-Flan-T5-Large",
            Kind.SEQ2SEQ,
            prompt=MINICHECK_PROMPT,
            max_tokens=2048,
            window_tokens=600,
            label_tokens=(3, 209),
            languages=("en",),
        ),
        Spec(
            "minicheck-roberta",
            "lytang/MiniCheck-RoBERTa-Large",
            Kind.CLASSIFIER,
            joined=True,
            max_tokens=512,
            window_tokens=400,
            entailment_label=1,
            languages=("en",),
        ),
        Spec(
            "minicheck-deberta",
            "lytang/MiniCheck-DeBERTa-v3-Large",
            Kind.CLASSIFIER,
            joined=True,
            max_tokens=2048,
            window_tokens=400,
            entailment_label=1,
            languages=("en",),
        ),
    )
}


def classifier_spec(model: str) -> Spec:
    """The spec of any NLI classifier: everything else is read from its config."""
    return Spec(model, model, Kind.CLASSIFIER)
