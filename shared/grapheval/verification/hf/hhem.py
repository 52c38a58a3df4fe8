"""HHEM 2.1 without its remote code: a T5 encoder with a two-label token head, read at the prompt's leading `<pad>`.

The checkpoint is `t5.` + the state dict of transformers' `T5ForTokenClassification`; its config names no sizes, so they
are read off the tensors' shapes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import ModelError
from grapheval.extras import require
from grapheval.protocols import Judgement
from grapheval.verification.hf import hub
from grapheval.verification.hf.inputs import fill
from grapheval.verification.hf.labels import roles
from grapheval.verification.hf.scorers import Encoded, Scorer, load_tokenizer, one_line
from grapheval.verification.hf.specs import HHEM_PROMPT, Spec
from grapheval.verification.hf.weights import read_json, read_weights

if TYPE_CHECKING:
    import torch

PREFIX = "t5."
_SHARED = "transformer.shared.weight"
_EMBED = "transformer.encoder.embed_tokens.weight"
_LAYER = "transformer.encoder.block.{}.layer"


class HHEMScorer(Scorer):
    """Probability of the class "consistent" at position 0.

    Args:
        model: `T5ForTokenClassification`.
        tokenizer: T5's tokenizer.
        device: Where inputs go.
        prompt: Template.
        consistent: Position of the class "consistent".
    """

    def __init__(
        self, model: Any, tokenizer: Any, device: torch.device, prompt: str = HHEM_PROMPT, consistent: int = 1
    ) -> None:
        super().__init__(model, tokenizer, device)
        self.prompt = prompt
        self.consistent = consistent

    @classmethod
    def load(
        cls, directory: Path, spec: Spec, device: torch.device, dtype: torch.dtype, *, tokenizer: str | None
    ) -> HHEMScorer:
        """Load weights natively, the tokenizer from the same directory or from the foundation model.

        Raises:
            ModelError: The checkpoint is no HHEM 2.1, or is damaged.
        """
        config = read_json(directory / "config.json")
        model = build(read_weights(directory), dtype).to(device)
        found = config.get("prompt")
        prompt = found if isinstance(found, str) else spec.prompt or HHEM_PROMPT
        fill(prompt, "", "")  # refuses a template without slots now, not at the first pair
        labels = config.get("id2label")
        consistent = 1
        if isinstance(labels, dict):
            consistent = roles({int(key): str(value) for key, value in labels.items()}, spec.name).entailment
        place = cls._tokenizer_directory(directory, config, spec, tokenizer)
        return cls(model, load_tokenizer(place, model.config), device, prompt, consistent)

    @staticmethod
    def _tokenizer_directory(directory: Path, config: Mapping[str, Any], spec: Spec, tokenizer: str | None) -> Path:
        if tokenizer is not None:
            return hub.local_or_fetched(tokenizer)
        if (directory / "tokenizer.json").is_file() or (directory / "spiece.model").is_file():
            return directory
        foundation = config.get("foundation")
        return hub.fetch(foundation if isinstance(foundation, str) else spec.tokenizer or spec.repo, weights=False)

    @property
    def max_tokens(self) -> int | None:
        """Positions are relative: no limit of its own."""
        return None

    def text(self, premise: str, claim: str) -> str:
        """The filled prompt; its own leading `<pad>` stays a token, one in the texts does not."""
        return fill(self.prompt, self.defuse(premise), self.defuse(claim))

    def score(self, batch: Sequence[Encoded]) -> list[Judgement]:
        """Softmax over the two labels at position 0."""
        inputs = self.pad(batch)
        inputs.pop("token_type_ids", None)
        logits = self.model(**inputs).logits[:, 0, :].float()
        return [Judgement(p) for p in logits.softmax(-1)[:, self.consistent].tolist()]


def build(weights: Mapping[str, torch.Tensor], dtype: torch.dtype) -> Any:
    """A `T5ForTokenClassification` in evaluation mode that holds exactly these weights.

    Args:
        weights: Tensors by checkpoint key, with or without the prefix `t5.`.
        dtype: Precision.

    Raises:
        ModelError: Keys are missing, unknown or of the wrong shape.
    """
    torch = require("torch", extra="hf")
    transformers = require("transformers", extra="hf")
    state: dict[str, Any] = {key.removeprefix(PREFIX): tensor for key, tensor in weights.items()}
    # Saved from a model with tied embeddings, the file may hold either name, or both.
    if _SHARED not in state and _EMBED in state:
        state[_SHARED] = state[_EMBED]
    state[_EMBED] = state.get(_SHARED, state.get(_EMBED))
    try:
        config = transformers.T5Config(**sizes(state))
        with torch.device("meta"):
            model = transformers.T5ForTokenClassification(config)
        model.load_state_dict({key: tensor.to(dtype) for key, tensor in state.items()}, strict=True, assign=True)
    except (KeyError, AttributeError, IndexError, RuntimeError, ValueError) as error:
        msg = f"the weights are not those of HHEM 2.1 (a T5 encoder with a token head): {one_line(error)}"
        raise ModelError(msg, code="broken_checkpoint") from error
    # transformers ties the embeddings of the encoder to the shared ones; `assign` parted them.
    model.transformer.encoder.embed_tokens.weight = model.transformer.shared.weight
    model.eval()
    model.requires_grad_(requires_grad=False)
    return model


def sizes(state: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """`T5Config` fields read off the shapes of a `T5ForTokenClassification` state dict (keys without prefix).

    Raises:
        KeyError: A tensor that every such model has is missing.
    """
    first = _LAYER.format(0)
    vocab_size, d_model = state[_SHARED].shape
    inner = state[f"{first}.0.SelfAttention.q.weight"].shape[0]
    buckets, heads = state[f"{first}.0.SelfAttention.relative_attention_bias.weight"].shape
    gated = f"{first}.1.DenseReluDense.wi_0.weight"
    plain = f"{first}.1.DenseReluDense.wi.weight"
    layers = {int(match[1]) for key in state if (match := re.match(r"transformer\.encoder\.block\.(\d+)\.", key))}
    return {
        "vocab_size": vocab_size,
        "d_model": d_model,
        "d_kv": inner // heads,
        "d_ff": state[gated if gated in state else plain].shape[0],
        "num_layers": max(layers) + 1,
        "num_heads": heads,
        "relative_attention_num_buckets": buckets,
        "feed_forward_proj": "gated-gelu" if gated in state else "relu",
        "num_labels": state["classifier.weight"].shape[0],
        "tie_word_embeddings": gated not in state,
        "use_cache": False,
    }
