"""NLI sequence classifiers: DeBERTa, RoBERTa, BERT and the like, with one, two, three or more classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import InputError, ModelError
from grapheval.extras import require
from grapheval.protocols import Judgement
from grapheval.verification.hf.labels import Roles, roles
from grapheval.verification.hf.scorers import Encoded, Scorer, load_model, load_tokenizer, tokenizer_limit
from grapheval.verification.hf.specs import Spec

if TYPE_CHECKING:
    import torch


_OFFSET_POSITIONS = frozenset(["roberta", "xlm-roberta", "camembert", "mpnet", "longformer"])


class ClassifierScorer(Scorer):
    """A cross-encoder: pair in, class logits out.

    Args:
        model: Sequence classifier; its config names the labels.
        tokenizer: Its tokenizer.
        device: Where inputs go.
        spec: How it is called.
        entailment_label: The entailment class by name or position, where neither config nor spec say.

    Raises:
        InputError: Nothing says which class is entailment.
        ModelError: The tokenizer lacks the token that separates the texts.
    """

    def __init__(
        self, model: Any, tokenizer: Any, device: torch.device, spec: Spec, entailment_label: int | str | None = None
    ) -> None:
        super().__init__(model, tokenizer, device)
        self.separator: str | None = tokenizer.eos_token if spec.joined else None
        if spec.joined and self.separator is None:
            msg = f"the tokenizer of {spec.name} does not say which token ends a sequence"
            raise ModelError(msg, code="broken_checkpoint")
        self.labels: int = model.config.num_labels
        if entailment_label is None:
            entailment_label = spec.entailment_label
        if self.labels == 1:
            # One logit: nothing in a config tells an entailment score from a relevance or similarity score.
            if entailment_label is None:
                msg = f"{spec.name} has a single output: if its sigmoid is P(supported), pass entailment_label=0"
                raise InputError(msg)
            self.roles = Roles(0)
        else:
            names = {int(position): str(label) for position, label in model.config.id2label.items()}
            self.roles = roles(names, spec.name, entailment_label)

    @classmethod
    def load(
        cls,
        directory: Path,
        spec: Spec,
        device: torch.device,
        dtype: torch.dtype,
        *,
        spread: bool,
        entailment_label: int | str | None,
    ) -> ClassifierScorer:
        """Load model and tokenizer from a directory.

        Raises:
            InputError: Nothing says which class is entailment.
            ModelError: The checkpoint cannot be loaded.
        """
        transformers = require("transformers", extra="hf")
        model = load_model(transformers.AutoModelForSequenceClassification, directory, device, dtype, spread=spread)
        return cls(model, load_tokenizer(directory, model.config), model.device, spec, entailment_label)

    @property
    def max_tokens(self) -> int | None:
        """The smaller of what the tokenizer and the position embeddings allow."""
        limits = [limit for limit in (tokenizer_limit(self.tokenizer), self._positions()) if limit]
        return min(limits) if limits else None

    @property
    def hard_limit(self) -> int | None:
        """The table of positions; DeBERTa v3, whose positions are relative, has none."""
        return self._positions() if getattr(self.model.config, "position_biased_input", True) else None

    def _positions(self) -> int | None:
        config = self.model.config
        positions = getattr(config, "max_position_embeddings", None)
        if not isinstance(positions, int) or positions < 1:
            return None
        # RoBERTa's positions begin behind the padding index.
        return positions - 2 if config.model_type in _OFFSET_POSITIONS else positions

    def text(self, premise: str, claim: str) -> str | tuple[str, str]:
        """A pair, or both joined by the end-of-sequence token."""
        if self.separator is not None:
            return f"{self.defuse(premise)}{self.separator}{self.defuse(claim)}"
        return self.defuse(premise), self.defuse(claim)

    def score(self, batch: Sequence[Encoded]) -> list[Judgement]:
        """Sigmoid of one logit, or softmax over the classes."""
        logits = self.model(**self.pad(batch)).logits.float()
        if self.labels == 1:
            return [Judgement(p) for p in logits[:, 0].sigmoid().tolist()]
        rows = logits.softmax(-1).tolist()
        neutral, contradiction = self.roles.neutral, self.roles.contradiction
        if neutral is None or contradiction is None:
            return [Judgement(row[self.roles.entailment]) for row in rows]
        return [
            Judgement(row[self.roles.entailment], (row[self.roles.entailment], row[neutral], row[contradiction]))
            for row in rows
        ]
