"""What all model kinds have in common: encode a pair exactly as the model wants it, pad a batch, score it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import ModelError
from grapheval.extras import require
from grapheval.protocols import Judgement
from grapheval.verification.hf.inputs import Defuser

if TYPE_CHECKING:
    import torch

_TOKENIZER_FILES = ("tokenizer.json", "spiece.model", "spm.model", "vocab.txt", "vocab.json")
_NO_LIMIT = 1_000_000
"""Tokenizers without a limit give a huge number."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input of a model.

    Args:
        ids: Token ids, special tokens included.
        types: Token type ids where the tokenizer makes them.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...] | None = None


class Scorer(ABC):
    """A loaded model.

    Args:
        model: Torch module, in evaluation mode, on its device.
        tokenizer: Its tokenizer.
        device: Where inputs go.
    """

    def __init__(self, model: Any, tokenizer: Any, device: torch.device) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = device
        pad = tokenizer.pad_token_id
        self.pad_id: int = (getattr(model.config, "pad_token_id", None) or 0) if pad is None else pad
        self.defuse = Defuser(_special_tokens(tokenizer))
        # From the model, not from the tokenizer's class, of which a bare tokenizer.json knows nothing.
        self._types = (getattr(model.config, "type_vocab_size", None) or 0) > 1
        self._lock = threading.Lock()

    @property
    @abstractmethod
    def max_tokens(self) -> int | None:
        """Longest input that config and tokenizer allow; None = no limit of their own."""

    @property
    def hard_limit(self) -> int | None:
        """Longest input that can be computed at all: models with a table of positions have no more of them."""
        return None

    @abstractmethod
    def text(self, premise: str, claim: str) -> str | tuple[str, str]:
        """The model's input as text: one, or a pair."""

    @abstractmethod
    def score(self, batch: Sequence[Encoded]) -> list[Judgement]:
        """One judgement per input, in order; called in inference mode."""

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[Encoded]:
        """(premise, claim) pairs as token ids, nothing cut."""
        if not pairs:
            return []
        texts = [self.text(premise, claim) for premise, claim in pairs]
        firsts = [text if isinstance(text, str) else text[0] for text in texts]
        seconds = None if isinstance(texts[0], str) else [text[1] for text in texts]
        rows = self._tokenize(firsts, seconds)
        types = rows.get("token_type_ids")
        return [
            Encoded(tuple(ids), tuple(types[position]) if types is not None else None)
            for position, ids in enumerate(rows["input_ids"])
        ]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in tokens, without special tokens."""
        if not texts:
            return []
        rows = self._tokenize([self.defuse(text) for text in texts], None, special=False)
        return [len(ids) for ids in rows["input_ids"]]

    def _tokenize(self, firsts: list[str], seconds: list[str] | None, *, special: bool = True) -> Any:
        # Tokenizers keep padding and truncation as shared state: one caller at a time.
        with self._lock:
            return self.tokenizer(
                firsts,
                seconds,
                add_special_tokens=special,
                padding=False,
                truncation=False,
                return_attention_mask=False,
                return_token_type_ids=self._types,
                verbose=False,
            )

    def pad(self, batch: Sequence[Encoded]) -> dict[str, torch.Tensor]:
        """Tensors of a batch, shape (batch, longest): `input_ids`, `attention_mask`, `token_type_ids` where there are.

        Padding stands on the right. A padding token that the input itself holds (HHEM's first) is attended to.
        """
        torch = require("torch", extra="hf")
        longest = max(len(item.ids) for item in batch)
        shape = (len(batch), longest)
        ids = torch.full(shape, self.pad_id, dtype=torch.long)
        mask = torch.zeros(shape, dtype=torch.long)
        types = torch.zeros(shape, dtype=torch.long) if batch[0].types is not None else None
        for row, item in enumerate(batch):
            length = len(item.ids)
            ids[row, :length] = torch.tensor(item.ids, dtype=torch.long)
            mask[row, :length] = 1
            if types is not None and item.types is not None:
                types[row, :length] = torch.tensor(item.types, dtype=torch.long)
        inputs = {"input_ids": ids.to(self.device), "attention_mask": mask.to(self.device)}
        if types is not None:
            inputs["token_type_ids"] = types.to(self.device)
        return inputs


def load_tokenizer(directory: Path, config: Any) -> Any:
    """The tokenizer of a model directory.

    Args:
        directory: Where it is.
        config: The model's config, so that the one in the directory, which may name remote code, is not asked.

    Raises:
        ModelError: There is none, or it cannot be read.
    """
    transformers = require("transformers", extra="hf")
    if not any((directory / name).is_file() for name in _TOKENIZER_FILES):
        msg = f"there is no tokenizer in {directory}: expected one of {', '.join(_TOKENIZER_FILES)}"
        raise ModelError(msg, code="broken_checkpoint")
    try:
        if (directory / "tokenizer.json").is_file():
            # As published. The model-specific classes of transformers 5 rebuild it from the vocabulary and drop what
            # they do not know, DeBERTa's Unicode normalization among it.
            return transformers.PreTrainedTokenizerFast.from_pretrained(directory)
        return transformers.AutoTokenizer.from_pretrained(directory, config=config, trust_remote_code=False)
    except Exception as error:
        msg = f"the tokenizer in {directory} cannot be loaded: {one_line(error)}"
        raise ModelError(msg, code="broken_checkpoint") from error


def load_model(auto_class: Any, directory: Path, device: torch.device, dtype: torch.dtype, *, spread: bool) -> Any:
    """A model of a transformers class, in evaluation mode, without remote code.

    Args:
        auto_class: The transformers class.
        directory: Where config and weights are.
        device: Where it goes.
        dtype: Its precision.
        spread: Over all devices that there are (needs accelerate), for models that fit no single one.

    Raises:
        ModelError: It cannot be loaded, or the checkpoint lacks weights that the architecture has.
    """
    where = {"device_map": "auto"} if spread else {}
    bars = require("transformers.utils.logging", extra="hf")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        model, report = auto_class.from_pretrained(
            directory, dtype=dtype, trust_remote_code=False, output_loading_info=True, **where
        )
    except Exception as error:
        if isinstance(error, ImportError) and spread:
            msg = 'device="auto" needs accelerate. Run: pip install accelerate'
            raise ModelError(msg, code="missing_extra") from error
        msg = (
            f"the model in {directory} cannot be loaded with transformers "
            f"{require('transformers', extra='hf').__version__}: {one_line(error)}"
        )
        raise ModelError(msg, code="broken_checkpoint") from error
    finally:
        if shown:
            bars.enable_progress_bar()
    missing = sorted(report.get("missing_keys") or ())
    if missing:
        # transformers would go on with random numbers in their place.
        msg = f"the checkpoint in {directory} lacks weights of its architecture: {', '.join(missing[:5])}"
        raise ModelError(msg, code="broken_checkpoint")
    model.eval()
    return model if spread else model.to(device)


def tokenizer_limit(tokenizer: Any) -> int | None:
    """Longest input that a tokenizer was saved with; None where it has no limit."""
    limit = tokenizer.model_max_length
    return int(limit) if isinstance(limit, int | float) and 0 < limit < _NO_LIMIT else None


def _special_tokens(tokenizer: Any) -> set[str]:
    found = {str(token) for token in tokenizer.all_special_tokens}
    decoder = getattr(tokenizer, "added_tokens_decoder", {})
    return found | {str(token) for token in decoder.values() if getattr(token, "special", False)}


def one_line(error: Exception) -> str:
    """An error's text as one line of at most 300 characters."""
    return " ".join(str(error).split())[:300] or repr(error)
