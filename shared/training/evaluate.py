"""Figures on the development sets: inference pairs, and summaries judged sentence by sentence.

`python -m training.evaluate --data DIR --weights FILE.safetensors` (network) or `--model DIR` (exported model).
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.batches import normal_claim, plain_tokenizer
from training.rows import ENTAILMENT, NOT_ENTAILMENT, Row, data_root, label_index, read_jsonl, read_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Scorer = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]

logger = logging.getLogger(__name__)

MAX_TOKENS = 512
"""The network's greatest input; a longer premise loses its end."""

WINDOW_TOKENS = 100
"""Size of a premise window, in tokens."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"”']?\s+(?=[\"“'A-Z0-9])|\n+")


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary to judge.

    Attributes:
        pairs: Pairs of window and sentence, for all sentences.
        owner: Number of the sentence that each pair belongs to.
        inconsistent: The annotators' verdict.
    """

    pairs: tuple[tuple[str, str], ...]
    owner: tuple[int, ...]
    inconsistent: bool


def sentences(text: str) -> list[str]:
    """Split a text at sentence ends, roughly."""
    return [part.strip() for part in _SENTENCE.split(text) if any(c.isalnum() for c in part)]


def window_texts(context: str, tokenizer: Tokenizer, size: int = WINDOW_TOKENS) -> list[str]:
    """Return windows of whole sentences of about `size` tokens; each begins with the last one's last sentence."""
    parts = sentences(context)
    lengths = [len(e.ids) for e in tokenizer.encode_batch(parts, add_special_tokens=False)]
    found: list[str] = []
    start = 0
    while start < len(parts):
        end, total = start, 0
        while end < len(parts) and (end == start or total + lengths[end] <= size):
            total += lengths[end]
            end += 1
        found.append(" ".join(parts[start:end]))
        if end >= len(parts):
            break
        start = end - 1 if end - 1 > start else end
    return found


def nearest(windows: Sequence[str], claim: str, count: int) -> list[str]:
    """Return the windows that share most words with a claim, weighted by length of the word."""
    words = {w for w in re.findall(r"\w+", claim.lower()) if len(w) > 2}

    def overlap(window: str) -> float:
        return sum(min(len(w), 8) for w in words & set(re.findall(r"\w+", window.lower())))

    order = sorted(range(len(windows)), key=lambda n: (-overlap(windows[n]), n))
    return [windows[n] for n in order[:count]]


def read_summaries(path: Path, tokenizer: Tokenizer, *, count: int = 3) -> list[Summary]:
    """Read `factuality/summaries.jsonl.gz` as pairs to score."""
    found = []
    for item in read_jsonl(path):
        windows = window_texts(str(item["context"]), tokenizer)
        pairs: list[tuple[str, str]] = []
        owner: list[int] = []
        for number, sentence in enumerate(sentences(str(item["output"]))):
            for window in nearest(windows, sentence, count):
                pairs.append((window, sentence))
                owner.append(number)
        wrong = item["error_type"] not in ("correct", "")
        found.append(Summary(tuple(pairs), tuple(owner), wrong))
    return found


def network_scorer(weights: Path, tokens: int = 3000) -> Scorer:
    """Return a function from pairs to logits `[pairs, 3]`, computed by a training checkpoint."""
    import torch

    from training.network import base_folder, load_network

    network = load_network(weights)
    network.eval()  # type: ignore[no-untyped-call]
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))

    def run(ids: NDArray[np.int64], mask: NDArray[np.int64], types: NDArray[np.int64]) -> NDArray[np.float32]:
        with torch.inference_mode():
            out: NDArray[np.float32] = network(
                torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(types)
            ).logits.numpy()
        return out

    return batched(run, tokenizer, tokens)


def onnx_scorer(model: Path, tokenizer_path: Path, workers: int = 2) -> Scorer:
    """Return a function from pairs to logits `[pairs, 3]`, computed by an ONNX file.

    Each pair is a run of its own, as in the package: the int8 kernels choose their scales per run.
    """
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = plain_tokenizer(str(tokenizer_path))

    def one(pair: tuple[str, str]) -> NDArray[np.float32]:
        item = tokenizer.encode(pair[0], normal_claim(pair[1]))
        split, over = item.type_ids.count(0), max(0, len(item.ids) - MAX_TOKENS)
        ids = np.array([item.ids[: split - 1 - over] + item.ids[split - 1 :]], dtype=np.int64)
        types = np.zeros_like(ids)
        types[0, split - over :] = 1
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        out: NDArray[np.float32] = session.run(["logits"], feeds)[0][0]
        return out

    def score(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        with ThreadPoolExecutor(workers) as pool:
            return np.stack(list(pool.map(one, pairs)))

    return score


def batched(
    run: Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]],
    tokenizer: Tokenizer,
    tokens: int,
    max_tokens: int = MAX_TOKENS,
) -> Scorer:
    """Wrap a model call: encode, sort by length, pad to the batch, put back in order.

    A pair above `max_tokens` loses words at the premise's end.
    """
    import numpy as np

    def score(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        items = tokenizer.encode_batch([(premise, normal_claim(claim)) for premise, claim in pairs])
        rows: list[tuple[list[int], int]] = []
        for item in items:
            ids, split = item.ids, item.type_ids.count(0)
            over = max(0, len(ids) - max_tokens)
            rows.append((ids[: split - 1 - over] + ids[split - 1 :], split - over))
        order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]))
        out = np.zeros((len(rows), 3), dtype=np.float32)
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and len(rows[order[end]][0]) * (end + 1 - start) <= tokens:
                end += 1
            part = order[start:end]
            length = max(len(rows[n][0]) for n in part)
            inputs = [np.zeros((len(part), length), dtype=np.int64) for _ in range(3)]
            for place, number in enumerate(part):
                row, split = rows[number]
                inputs[0][place, : len(row)] = row
                inputs[1][place, : len(row)] = 1
                inputs[2][place, split : len(row)] = 1
            out[part] = run(*inputs)
            start = end
        return out

    return score


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return class probabilities `[rows, classes]`."""
    import numpy as np

    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    power = np.exp(shifted)
    out: NDArray[np.float64] = power / power.sum(axis=1, keepdims=True)
    return out


def balanced_accuracy(truth: Sequence[bool], guess: Sequence[bool]) -> float:
    """Return the mean of the recalls of both classes, in percent."""
    parts = []
    for value in (True, False):
        of_class = [g == value for t, g in zip(truth, guess, strict=True) if t == value]
        parts.append(sum(of_class) / len(of_class))
    return 100 * sum(parts) / 2


def auc(truth: Sequence[bool], score: Sequence[float]) -> float:
    """Return the area under the ROC curve, in percent."""
    from scipy.stats import rankdata

    ranks = rankdata(list(score))
    positive = sum(truth)
    above = sum(rank for rank, value in zip(ranks, truth, strict=True) if value) - positive * (positive + 1) / 2
    return 100 * float(above) / (positive * (len(truth) - positive))


def dev_pairs(data: Path) -> dict[str, list[Row]]:
    """Return the development pairs by set: the NLI sources and Falke et al. 2019."""
    sets: dict[str, list[Row]] = {}
    path = data / "nli" / "pairs.jsonl.gz"
    shares = dict.fromkeys(("mnli", "snli", "conjnli", "fm2", "infotabs", "begin-wow"), 1.0)
    for row in read_pairs(path, split="dev", shares=shares):
        sets.setdefault(row.source, []).append(row)
    sets["falke19"] = [
        Row(str(r["premise"]), str(r["hypothesis"]), label_index(str(r["label"])), "falke19")
        for r in read_jsonl(data / "factuality" / "falke19_pairs.jsonl.gz")
    ]
    return sets


def evaluate(score: Scorer, data: Path, tokenizer: Tokenizer, *, every: int = 1) -> dict[str, dict[str, float]]:
    """Score the development sets.

    Args:
        score: Pairs to logits.
        data: Data folder.
        tokenizer: For the size of windows.
        every: Use every n-th row only.

    Returns:
        Per set: `n`, `balanced_accuracy` (entailment against the rest, threshold 0.5) and `auc`, and for sets
        with three classes `accuracy3`; all in percent.
    """
    figures: dict[str, dict[str, float]] = {}
    for name, rows in dev_pairs(data).items():
        chosen = random.Random(0).sample(rows, len(rows) // every)
        p = softmax(score([(r.premise, r.hypothesis) for r in chosen]))
        truth = [r.label == ENTAILMENT for r in chosen]
        figures[name] = {
            "n": len(chosen),
            "balanced_accuracy": balanced_accuracy(truth, [bool(v >= 0.5) for v in p[:, 0]]),
            "auc": auc(truth, list(p[:, 0])),
        }
        if all(r.label != NOT_ENTAILMENT for r in chosen):
            right = [int(a) == r.label for a, r in zip(p.argmax(axis=1), chosen, strict=True)]
            figures[name]["accuracy3"] = 100 * sum(right) / len(right)
    summaries = read_summaries(data / "factuality" / "summaries.jsonl.gz", tokenizer)[::every]
    risks = summary_risks(score, summaries)
    truth = [s.inconsistent for s in summaries]
    figures["summaries"] = {
        "n": len(summaries),
        "balanced_accuracy": balanced_accuracy(truth, [r > 0.5 for r in risks]),
        "auc": auc(truth, risks),
    }
    return figures


def summary_risks(score: Scorer, summaries: Sequence[Summary]) -> list[float]:
    """Return P(inconsistent) per summary, as `worst` does, from scored pairs."""
    return worst(softmax(score([pair for s in summaries for pair in s.pairs]))[:, 0], summaries)


def worst(p: NDArray[np.float64], summaries: Sequence[Summary]) -> list[float]:
    """Return P(inconsistent) per summary: the worst sentence, each judged by its best window."""
    risks, place = [], 0
    for item in summaries:
        best: dict[int, float] = {}
        for owner in item.owner:
            best[owner] = max(best.get(owner, 0.0), float(p[place]))
            place += 1
        risks.append(max((1 - v for v in best.values()), default=1.0))
    return risks


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--weights", type=Path, help="training checkpoint (.safetensors)")
    parser.add_argument("--model", type=Path, help="ONNX file; tokenizer.json lies beside it")
    parser.add_argument("--every", type=int, default=1, help="use every n-th row")
    arguments = parser.parse_args()
    from training.network import base_folder

    tokenizer_path = base_folder() / "tokenizer.json"
    if arguments.model is not None:
        score = onnx_scorer(arguments.model, arguments.model.parent / "tokenizer.json")
    else:
        score = network_scorer(arguments.weights)
    tokenizer = plain_tokenizer(str(tokenizer_path))
    figures = evaluate(score, data_root(arguments.data), tokenizer, every=arguments.every)
    for name, values in figures.items():
        print(name, json.dumps({k: round(v, 1) for k, v in values.items()}))


if __name__ == "__main__":
    main()
