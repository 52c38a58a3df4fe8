"""Pairs and tokens per second of the bundled verifier beside sentence-transformers' CrossEncoder.

    python -m tests.benchmarks.verifier_speed [--data PATH] [--model FOLDER] [--weights FILE] [--pairs N] [--rounds N]

The same pairs for all: the sentences of QAGS-C summaries with the windows that the selector keeps for them (texts and
lengths only, no labels). The CrossEncoder has the same architecture and tokenizer, with the training checkpoint given
by `--weights` (safetensors), otherwise with random weights: its speed does not depend on them. The contestants take
turns in one process, the median round counts. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grapheval.context.selector import HybridSelector
from grapheval.protocols import Pair
from grapheval.types import Source
from grapheval.verification.bundled import MODEL_FOLDER, BundledVerifier
from tests.benchmarks.data import DEFAULT, rows
from tests.benchmarks.long_context import sentence_claims


def qags_pairs(data: Path, verifier: BundledVerifier, count: int) -> list[Pair]:
    """Claims and windows as the pipeline would make them, from as many answers as give `count` pairs."""
    pairs: list[Pair] = []
    for row in rows("benchmarks/qags_c", data):
        claims = sentence_claims(row["output"])
        selected = HybridSelector().select(claims, [Source(row["context"], "1")], verifier.count_tokens, verifier.info)
        pairs += [Pair(w.text, c.text) for c, ws in zip(claims, selected.windows, strict=True) for w in ws]
        if len(pairs) >= count:
            break
    return pairs[:count]


def cross_encoder(folder: Path, weights: Path | None, dtype: str) -> Any:
    """sentence-transformers' CrossEncoder with the bundled model's architecture."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    with tempfile.TemporaryDirectory() as temporary:
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_file=str(folder / "tokenizer.json"),
            model_max_length=512,
            cls_token="[CLS]",
            sep_token="[SEP]",
            pad_token="[PAD]",
            unk_token="[UNK]",
            mask_token="[MASK]",
        )
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
            num_labels=3,
        )
        torch.manual_seed(0)
        network = BertForSequenceClassification(config)
        if weights is not None:
            from safetensors.torch import load_file

            network.load_state_dict(load_file(weights))
        network.save_pretrained(temporary)
        tokenizer.save_pretrained(temporary)
        model = CrossEncoder(temporary, device="cpu", max_length=512)
    return model.bfloat16() if dtype == "bf16" else model


def main() -> None:
    """Time all contestants in turn and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--model", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--weights", type=Path, default=None)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skip-bf16", action="store_true", help="processors without bf16 need minutes for it")
    arguments = parser.parse_args()

    import torch

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    verifier = BundledVerifier(arguments.model)
    pairs = qags_pairs(arguments.data, verifier, arguments.pairs)
    tokens = sum(verifier.count_tokens([text for pair in pairs for text in (pair.premise, pair.hypothesis)]))
    tokens += 3 * len(pairs)
    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    contestants: dict[str, Callable[[], Any]] = {"bundled int8": lambda: verifier.verify(pairs)}
    for dtype in ("fp32",) if arguments.skip_bf16 else ("fp32", "bf16"):
        model = cross_encoder(arguments.model, arguments.weights, dtype)
        contestants[f"CrossEncoder {dtype}"] = lambda model=model: model.predict(texts, show_progress_bar=False)  # type: ignore[misc]

    times: dict[str, list[float]] = {name: [] for name in contestants}
    processor: dict[str, list[float]] = {name: [] for name in contestants}
    for round_number in range(arguments.rounds + 1):
        for name, call in contestants.items():
            began, used = time.perf_counter(), time.process_time()
            call()
            if round_number:  # the first round warms up
                times[name].append(time.perf_counter() - began)
                processor[name].append(time.process_time() - used)
    print(f"{len(pairs)} pairs, {tokens / len(pairs):.0f} tokens a pair, {len(os.sched_getaffinity(0))} cores")
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        ratio = median / medians["bundled int8"]
        work = statistics.median(processor[name]) / statistics.median(processor["bundled int8"])
        print(
            f"  {name:18s} {len(pairs) / median:7.1f} pairs/s {tokens / median:8.0f} tokens/s"
            f"  (bundled: {ratio:.2f} times as fast, {work:.2f} times less processor time)"
        )


if __name__ == "__main__":
    main()
