"""Scale and bias for the logits, so that 0.5 is a good threshold for the worst of several claims.

`python -m training.calibrate --data DIR --model DIR/model.int8.onnx --out calibration.json`

The int8 model itself is scored (exported without calibration), so that what ships is what is calibrated.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.batches import plain_tokenizer
from training.evaluate import (
    Summary,
    balanced_accuracy,
    dev_pairs,
    onnx_scorer,
    read_summaries,
    softmax,
    worst,
)
from training.rows import ENTAILMENT, data_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

WEIGHTS = {"begin-wow": 1.0, "falke19": 1.0, "mnli": 0.5, "conjnli": 0.25, "fm2": 0.25}
"""Weight of each development set when the bias is chosen. The summaries are only shown: taken sentence by sentence,
they are near chance at every bias."""

PLATEAU = 0.5
"""Balanced accuracy, in points, that a bias may lie below the best and still be as good."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is folded into the last layer: `logits * scale`, then `+ bias` on entailment.

    Attributes:
        scale: Factor of all logits (the inverse of a temperature).
        bias: Added to the logit of entailment after scaling.
    """

    scale: float
    bias: float


def apply(logits: NDArray[np.float32], calibration: Calibration) -> NDArray[np.float32]:
    """Return calibrated logits `[rows, 3]`."""
    out = logits * calibration.scale
    out[:, ENTAILMENT] += calibration.bias
    return out


def fit_scale(logits: NDArray[np.float32], labels: Sequence[int]) -> float:
    """Return the factor with the least cross-entropy on rows with three-class labels."""
    import numpy as np

    def loss(scale: float) -> float:
        p = softmax(logits * np.float32(scale))
        return float(-np.log(p[np.arange(len(labels)), list(labels)] + 1e-12).mean())

    return min((n / 20 for n in range(6, 41)), key=loss)


def fit_bias(
    scale: float,
    pairs: Mapping[str, tuple[NDArray[np.float32], Sequence[bool]]],
    summaries: Sequence[Summary],
    summary_logits: NDArray[np.float32],
) -> tuple[float, dict[float, dict[str, float]]]:
    """Return the bias with the best weighted balanced accuracy, and the figures of every bias tried.

    The figure of a bias is averaged with its neighbours', and the middle of those that lie within `PLATEAU` of the best
    is chosen: a plateau, not a peak.
    """
    biases = [n / 10 for n in range(-25, 26)]
    table: dict[float, dict[str, float]] = {}
    total: list[float] = []
    for bias in biases:
        calibration = Calibration(scale, bias)
        row = {}
        for name, (logits, truth) in pairs.items():
            p = softmax(apply(logits, calibration))[:, ENTAILMENT]
            row[name] = balanced_accuracy(truth, [bool(v >= 0.5) for v in p])
        p = softmax(apply(summary_logits, calibration))[:, ENTAILMENT]
        risks = worst(p, summaries)
        row["summaries"] = balanced_accuracy([s.inconsistent for s in summaries], [r > 0.5 for r in risks])
        table[bias] = row
        total.append(sum(WEIGHTS.get(name, 0.0) * value for name, value in row.items()) / sum(WEIGHTS.values()))
    smooth = [sum(total[max(0, n - 1) : n + 2]) / len(total[max(0, n - 1) : n + 2]) for n in range(len(total))]
    good = [bias for bias, value in zip(biases, smooth, strict=True) if value >= max(smooth) - PLATEAU]
    return good[len(good) // 2], table


def main() -> None:
    """Fit on the development sets and write the calibration."""
    import numpy as np

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--model", type=Path, required=True, help="uncalibrated model; tokenizer.json beside it")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    data = data_root(arguments.data)
    tokenizer_path = arguments.model.parent / "tokenizer.json"
    score = onnx_scorer(arguments.model, tokenizer_path)
    summaries = read_summaries(data / "factuality" / "summaries.jsonl.gz", plain_tokenizer(str(tokenizer_path)))
    pairs, all_logits, all_labels = {}, [], []
    for name, rows in dev_pairs(data).items():
        if name not in WEIGHTS:
            continue
        logits = score([(r.premise, r.hypothesis) for r in rows])
        pairs[name] = (logits, [r.label == ENTAILMENT for r in rows])
        if name in ("mnli", "conjnli"):
            all_logits.append(logits)
            all_labels += [r.label for r in rows]
    scale = fit_scale(np.concatenate(all_logits), all_labels)
    summary_logits = score([pair for s in summaries for pair in s.pairs])
    bias, table = fit_bias(scale, pairs, summaries, summary_logits)
    for value, row in table.items():
        logger.info("%+.1f %s", value, " ".join(f"{k} {v:.1f}" for k, v in row.items()))
    logger.info("scale %.2f bias %+.1f", scale, bias)
    arguments.out.write_text(json.dumps(asdict(Calibration(scale, bias))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
