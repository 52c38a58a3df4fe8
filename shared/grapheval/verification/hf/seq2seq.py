"""T5 models that answer "1" or "0": TRUE, TrueTeacher, MiniCheck. Read at the first decoded token."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import ModelError
from grapheval.extras import require
from grapheval.protocols import Judgement
from grapheval.verification.hf.inputs import fill
from grapheval.verification.hf.scorers import Encoded, Scorer, load_model, load_tokenizer
from grapheval.verification.hf.specs import Spec

if TYPE_CHECKING:
    import torch


class Seq2SeqScorer(Scorer):
    """One decoder step; the probability of the "supported" token against the other one.

    Args:
        model: T5 with language-model head.
        tokenizer: Its tokenizer.
        device: Where inputs go.
        spec: Prompt and label tokens.

    Raises:
        ModelError: The label tokens do not exist, or are one and the same.
    """

    def __init__(self, model: Any, tokenizer: Any, device: torch.device, spec: Spec) -> None:
        super().__init__(model, tokenizer, device)
        if spec.prompt is None:
            msg = f"{spec.name} has no prompt"
            raise ModelError(msg)
        self.prompt = spec.prompt
        no, yes = spec.label_tokens or self._label_tokens()
        if no == yes or not 0 <= min(no, yes) <= max(no, yes) < model.config.vocab_size:
            msg = f'{spec.name}: the vocabulary does not tell "0" from "1" (token ids {no} and {yes})'
            raise ModelError(msg, code="broken_checkpoint")
        self.label_tokens = (no, yes)
        start = model.config.decoder_start_token_id
        self.start_id: int = self.pad_id if start is None else start

    @classmethod
    def load(
        cls, directory: Path, spec: Spec, device: torch.device, dtype: torch.dtype, *, spread: bool
    ) -> Seq2SeqScorer:
        """Load model and tokenizer from a directory.

        Raises:
            ModelError: The checkpoint cannot be loaded.
        """
        transformers = require("transformers", extra="hf")
        model = load_model(transformers.T5ForConditionalGeneration, directory, device, dtype, spread=spread)
        return cls(model, load_tokenizer(directory, model.config), model.device, spec)

    @property
    def max_tokens(self) -> int | None:
        """Positions are relative: no limit of its own."""
        return None

    def text(self, premise: str, claim: str) -> str:
        """The filled prompt."""
        return fill(self.prompt, self.defuse(premise), self.defuse(claim))

    def score(self, batch: Sequence[Encoded]) -> list[Judgement]:
        """Softmax over the two label tokens."""
        torch = require("torch", extra="hf")
        start = torch.full((len(batch), 1), self.start_id, dtype=torch.long, device=self.device)
        inputs = self.pad(batch)
        inputs.pop("token_type_ids", None)
        logits = self.model(**inputs, decoder_input_ids=start, use_cache=False).logits[:, 0, :].float()
        return [Judgement(p) for p in logits[:, list(self.label_tokens)].softmax(-1)[:, 1].tolist()]

    def _label_tokens(self) -> tuple[int, int]:
        """First tokens of "0" and "1": in T5's vocabulary a lone word mark, id 3, and id 209."""
        rows = self._tokenize(["0", "1"], None, special=False)["input_ids"]
        return (rows[0][0], rows[1][0]) if rows[0] and rows[1] else (0, 0)
