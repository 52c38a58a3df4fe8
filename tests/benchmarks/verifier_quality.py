"""The bundled verifier by itself on the development pairs, and its int8 form against the fp32 network it comes from.

    python -m tests.benchmarks.verifier_quality [--data DIR] [--fp32 FILE.onnx] [--speed] [--stride N]

Without `--fp32`: balanced accuracy (entailment against the rest, threshold 0.5), AUC and three-class accuracy on the
development split of every NLI source and on Falke et al. 2019. With it: the share of all those rows on which int8 and
fp32 give the same label, each pair computed by itself as the verifier does it. The fp32 file is an output of the
training recipe (`python -m training.export --keep-fp32`); it is not in the package.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from grapheval.protocols import Pair
from grapheval.verification.bundled import MODEL_FOLDER, BundledVerifier
from grapheval.verification.claims import normalize_claim
from tests.benchmarks.data import DEFAULT, rows

CLASSES = ("entailment", "neutral", "contradiction")


def dev_sets(data: Path) -> dict[str, list[dict[str, Any]]]:
    """The development pairs by source."""
    sets: dict[str, list[dict[str, Any]]] = {}
    for row in rows("nli/pairs", data):
        if row["split"] == "dev":
            sets.setdefault(row["source"], []).append(row)
    sets["falke19"] = rows("factuality/falke19_pairs", data)
    return sets


def balanced_accuracy(truth: list[bool], guess: list[bool]) -> float:
    """Mean of the recalls of both classes, in percent."""
    recalls = []
    for value in (True, False):
        of_class = [g == value for t, g in zip(truth, guess, strict=True) if t == value]
        recalls.append(sum(of_class) / len(of_class))
    return 50 * sum(recalls)


def auc(truth: list[bool], scores: list[float]) -> float:
    """Area under the ROC curve, in percent; ties count half."""
    from scipy.stats import rankdata

    ranks = rankdata(scores)
    count = sum(truth)
    above = float(ranks[np.array(truth)].sum()) - count * (count + 1) / 2
    return 100 * above / (count * (len(truth) - count))


def labels(model: Path, pairs: list[tuple[str, str]], threads: int = 1) -> tuple[list[int], float]:
    """Label of every pair, each computed by itself on one thread, `threads` at a time; and pairs per second."""
    from concurrent.futures import ThreadPoolExecutor

    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(MODEL_FOLDER / "tokenizer.json"))

    def label(pair: tuple[str, str]) -> int:
        encoding = tokenizer.encode(pair[0], normalize_claim(pair[1]))
        feeds = {
            "input_ids": np.array([encoding.ids[:512]], dtype=np.int64),
            "attention_mask": np.ones((1, len(encoding.ids[:512])), dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids[:512]], dtype=np.int64),
        }
        return int(session.run(["logits"], feeds)[0][0].argmax())

    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(label, pairs))
    return found, len(pairs) / (time.perf_counter() - began)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--fp32", type=Path, help="fp32 ONNX file to compare the labels with")
    parser.add_argument("--speed", action="store_true", help="pairs per second at about 120 tokens")
    parser.add_argument("--repeat", type=int, default=3, help="runs of --speed; the median counts")
    parser.add_argument("--stride", type=int, default=1, help="every n-th pair only, for a quick look")
    arguments = parser.parse_args()
    sets = dev_sets(arguments.data)
    if arguments.fp32 is not None:
        pairs = [(r["premise"], r["hypothesis"]) for found in sets.values() for r in found]
        pairs = pairs[:: arguments.stride]
        threads = len(os.sched_getaffinity(0))
        small = labels(MODEL_FOLDER / "model.int8.onnx", pairs, threads)[0]
        large = labels(arguments.fp32, pairs, threads)[0]
        same = sum(a == b for a, b in zip(small, large, strict=True))
        print(f"int8 and fp32 agree on {100 * same / len(pairs):.2f} % of {len(pairs):,} rows (bar: 98 %)")
        if arguments.speed:
            _speed(sets, arguments.fp32, arguments.repeat)
        return
    verifier = BundledVerifier(check_language=False)
    for name, everything in sets.items():
        found = everything[:: arguments.stride]
        if len({r["label"] == "entailment" for r in found}) < 2:
            print(f"{name:12} n {len(found):5} of one class only: a smaller --stride is needed")
            continue
        judged = verifier.verify([Pair(r["premise"], r["hypothesis"]) for r in found])
        p = [j.p_entailment if j.p_entailment is not None else 0.0 for j in judged]
        truth = [r["label"] == "entailment" for r in found]
        line = f"{name:12} n {len(found):5} balanced {balanced_accuracy(truth, [v >= 0.5 for v in p]):5.1f}"
        line += f" AUC {auc(truth, p):5.1f}"
        if all(r["label"] in CLASSES for r in found) and len({r["label"] for r in found}) == 3:
            best = [CLASSES[int(np.argmax(j.probabilities))] if j.probabilities else "" for j in judged]
            line += f" three classes {100 * sum(b == r['label'] for b, r in zip(best, found, strict=True)) / len(found):5.1f}"
        print(line)


def _speed(sets: dict[str, list[dict[str, Any]]], fp32: Path, repeat: int) -> None:
    """Print pairs per second of both forms on pairs of about 120 tokens, two threads."""
    fitting = [(r["premise"], r["hypothesis"]) for r in sets["infotabs"] if 85 <= len(r["premise"].split()) <= 100]
    for name, model in (("int8", MODEL_FOLDER / "model.int8.onnx"), ("fp32", fp32)):
        rates = [labels(model, fitting[:100], threads=2)[1] for _ in range(repeat)]
        print(f"{name} {statistics.median(rates):.0f} pairs/s")


if __name__ == "__main__":
    main()
