"""Checkpoint files -> tensors: safetensors, or old `.bin` files read as weights only, in shards or whole."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import ModelError
from grapheval.extras import require

if TYPE_CHECKING:
    import torch

_NAMES = (
    ("model.safetensors", "model.safetensors.index.json"),
    ("pytorch_model.bin", "pytorch_model.bin.index.json"),
)
_HASH_LIMIT = 2 * 1024**3
"""Bytes; larger weights are told apart by their index and sizes, hashing them would take minutes."""


def weight_files(directory: Path) -> list[Path]:
    """The files that hold a checkpoint's weights, safetensors first.

    Raises:
        ModelError: There are none, or shards that the index lists are missing.
    """
    for single, index in _NAMES:
        if (directory / single).is_file():
            return [directory / single]
        if (directory / index).is_file():
            table = read_json(directory / index).get("weight_map")
            names = sorted({str(name) for name in table.values()}) if isinstance(table, dict) else []
            # A shard's name comes from a downloaded file: it may not point outside of the directory.
            files = [directory / Path(name).name for name in names]
            missing = [file.name for file in files if not file.is_file()]
            if missing or not files:
                msg = f"the checkpoint in {directory} is incomplete, missing: {', '.join(missing) or 'all shards'}"
                raise ModelError(msg, code="broken_checkpoint")
            return files
    msg = f"no weights in {directory}: expected model.safetensors or pytorch_model.bin (or their shards)"
    raise ModelError(msg, code="broken_checkpoint")


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file.

    Raises:
        ModelError: The file cannot be read, or holds something else.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read: {error}"
        raise ModelError(msg, code="broken_checkpoint") from error
    if not isinstance(found, dict):
        msg = f"{path} must hold a JSON object"
        raise ModelError(msg, code="broken_checkpoint")
    return found


def read_weights(directory: Path) -> dict[str, torch.Tensor]:
    """All tensors of a checkpoint, by key, on the CPU and in the stored precision.

    Pickled checkpoints are read with torch's weights-only reader: nothing in them runs.

    Raises:
        ModelError: Files are missing or damaged.
    """
    torch = require("torch", extra="hf")
    safetensors = require("safetensors.torch", extra="hf")
    tensors: dict[str, Any] = {}
    for file in weight_files(directory):
        try:
            if file.suffix == ".safetensors":
                tensors |= safetensors.load_file(file)
            else:
                tensors |= torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # each reader has its own kinds, which all mean the same here
            msg = f"{file} cannot be read as weights: {' '.join(str(error).split())[:200]}"
            raise ModelError(msg, code="broken_checkpoint") from error
    return tensors


def fingerprint(directory: Path) -> str:
    """What pins a local checkpoint: the first 12 hex digits of a SHA-256 over config and weights.

    Weights above 2 GiB count with names and sizes only; the result then begins with `size-`.
    """
    files = weight_files(directory)
    small = sum(file.stat().st_size for file in files) <= _HASH_LIMIT
    digest = hashlib.sha256()
    config = directory / "config.json"
    if config.is_file():
        digest.update(config.read_bytes())
    for file in files:
        digest.update(file.name.encode())
        if small:
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        else:
            digest.update(str(file.stat().st_size).encode())
    return ("" if small else "size-") + digest.hexdigest()[:12]
