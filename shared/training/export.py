"""From a checkpoint to the files in the package: ONNX, int8, tokenizer, configuration.

`python -m training.export --weights b.safetensors --rows synthetic-c.jsonl.gz \\
    --calibration calibration.json --out DIR`
"""

from __future__ import annotations

import argparse
import json
import logging
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.batches import encode, plain_tokenizer
from training.calibrate import Calibration
from training.network import BASE_SHA256, base_folder, load_network, sha256
from training.quantise import quantise
from training.rows import ENTAILMENT, LABELS, read_rows

if TYPE_CHECKING:
    from transformers import BertForSequenceClassification

logger = logging.getLogger(__name__)

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
MAX_LENGTH = 512


def fold(network: BertForSequenceClassification, calibration: Calibration) -> None:
    """Put scale and bias into the last layer's weights."""
    import torch

    with torch.no_grad():
        network.classifier.weight.mul_(calibration.scale)
        network.classifier.bias.mul_(calibration.scale)
        network.classifier.bias[ENTAILMENT] += calibration.bias


def export_fp32(network: BertForSequenceClassification, path: Path) -> None:
    """Write the network as ONNX, opset 17: three int64 inputs `[batch, length]`, output `logits` `[batch, 3]`."""
    import torch

    ids = torch.ones((2, 16), dtype=torch.int64)
    mask = torch.ones_like(ids)
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS} | {"logits": {0: "batch"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (ids, mask, torch.zeros_like(ids)),
            str(path),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def sample_feeds(path: Path, count: int = 120) -> list[dict[str, Any]]:
    """Return model inputs of the first rows of a file of synthetic claims, each a batch of one."""
    import numpy as np

    rows = encode(read_rows(path)[:count], plain_tokenizer(str(base_folder() / "tokenizer.json")), max_tokens=300)
    feeds = []
    for row in rows:
        ids = np.array([row.ids], dtype=np.int64)
        types = np.zeros_like(ids)
        types[0, row.split :] = 1
        feeds.append(dict(zip(INPUTS, (ids, np.ones_like(ids), types), strict=True)))
    return feeds


def write_tokenizer(path: Path) -> None:
    """Write the base model's tokenizer without truncation and padding."""
    plain_tokenizer(str(base_folder() / "tokenizer.json")).save(str(path), pretty=False)


def main() -> None:
    """Export, quantise, and write the package's files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--calibration", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True, help="synthetic claims, to measure activations with")
    parser.add_argument("--keep-fp32", type=Path, help="also keep the fp32 ONNX file here")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    calibration = Calibration(1.0, 0.0)
    if arguments.calibration is not None:
        calibration = Calibration(**json.loads(arguments.calibration.read_text(encoding="utf-8")))
    network = load_network(arguments.weights)
    network.eval()  # type: ignore[no-untyped-call]
    fold(network, calibration)
    with tempfile.TemporaryDirectory() as folder:
        fp32 = arguments.keep_fp32 or Path(folder) / "model.onnx"
        export_fp32(network, fp32)
        quantise(fp32, out / "model.int8.onnx", sample_feeds(arguments.rows), Path(folder))
    write_tokenizer(out / "tokenizer.json")
    (out / "config.json").write_text(
        json.dumps(configuration(out, arguments.weights, calibration), indent=2) + "\n", encoding="utf-8"
    )
    logger.info("wrote %s (%d bytes)", out / "model.int8.onnx", (out / "model.int8.onnx").stat().st_size)


def configuration(folder: Path, weights: Path, calibration: Calibration) -> dict[str, Any]:
    """Return the contents of config.json."""
    return {
        "labels": list(LABELS),
        "max_length": MAX_LENGTH,
        "inputs": list(INPUTS),
        "segments": ["premise", "claim"],
        "claim_ends_with": ".",
        "sha256": {name: sha256(folder / name) for name in ("model.int8.onnx", "tokenizer.json")},
        "training": {
            "recipe": "shared/training",
            "base_model": "sentence-transformers/all-MiniLM-L6-v2",
            "base_sha256": BASE_SHA256,
            "weights_sha256": sha256(weights),
            "calibration": {"scale": calibration.scale, "entailment_bias": calibration.bias},
            "quantisation": "SmoothQuant factors, embeddings int8 by row, dynamic int8 per channel with reduce_range",
        },
    }


if __name__ == "__main__":
    main()
