"""Train stage by stage: `python -m training.run --data DIR --out DIR`."""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Sequence
from pathlib import Path

from training.batches import Encoded, encode, make_batches, plain_tokenizer
from training.loop import Stage, train_stage
from training.network import base_folder, load_network, new_network, save_weights
from training.rows import data_root, read_pairs, read_rows, write_rows
from training.stage_a import stage_a_rows
from training.synthetic.build import build

logger = logging.getLogger(__name__)

SEED = 20251
MAX_TOKENS = 300
"""Longer pairs are left out."""

SHARE_WINDOWS = 0.3
"""Share of the text windows that synthetic claims are made about."""

SHARE_PAIRS = 0.3
"""Share of public pairs in the stages B and C, by tokens."""

STOP_A = 600
"""Steps of stage A; the rows that it leaves over are mixed with synthetic claims in the stages B and C."""

STOP_B = 335
STEPS_C = 540
STEPS_D = 4000

STAGE_A = Stage("a", lr=1e-4, seed=SEED, stop=STOP_A)
STAGE_B = Stage("b", lr=8e-5, warmup=0.02, decay=0.4, seed=SEED, steps=1000, stop=STOP_B)
STAGE_C = Stage("c", lr=8e-5, warmup=0.02, decay=0.6, seed=SEED + 1, steps=STEPS_C)
STAGE_D = Stage("d", lr=1e-4, warmup=0.02, decay=0.4, seed=SEED + 2, steps=STEPS_D)

SHARE_WINDOWS_D = 0.55
"""Share of the text windows in stage D."""

STORIES_D = 0.9
"""Invented stories per window in stage D."""

SHARES_D = {"mnli": 1.0, "snli": 1.0, "conjnli": 0.5, "fm2": 1.0, "infotabs": 0.17}
"""Public pairs in stage D; MultiNLI, the most varied, stands there twice."""


def run_stage_a(data: Path, out: Path, workers: int) -> None:
    """Train stage A on the base model; leaves `a.safetensors`."""
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    rows = encode(stage_a_rows(data), tokenizer, max_tokens=MAX_TOKENS, normal=False)
    network = new_network(SEED)
    train_stage(network, rows, STAGE_A, out, workers)
    save_weights(network, out / "a.safetensors")


def run_mixed(stage: Stage, before: str, data: Path, out: Path, workers: int) -> None:
    """Train on synthetic claims and public pairs, from the network of the stage `before`.

    Leaves `synthetic-<stage>.jsonl.gz` and `<stage>.safetensors`.
    """
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    pairs = stage_a_rows(data)
    lengths = [len(r.ids) for r in encode(pairs, tokenizer, max_tokens=10_000, normal=False)]
    pairs = [row for row, length in zip(pairs, lengths, strict=True) if length <= MAX_TOKENS]
    batches = make_batches([n for n in lengths if n <= MAX_TOKENS], tokens=STAGE_A.tokens, seed=STAGE_A.seed)
    unseen = encode([pairs[n] for batch in batches[STOP_A:] for n in batch], tokenizer, max_tokens=MAX_TOKENS)
    path = out / f"synthetic-{stage.name}.jsonl.gz"
    if not path.exists():
        write_rows(path, build(data, stage.seed, out / "parsed.spacy", SHARE_WINDOWS))
    made = encode(read_rows(path), tokenizer, max_tokens=MAX_TOKENS)
    network = load_network(out / f"{before}.safetensors")
    train_stage(network, mix(unseen, made, stage.seed), stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def run_long(stage: Stage, before: str, data: Path, out: Path, workers: int) -> None:
    """Train on many synthetic claims beside their true twins, invented stories and public pairs.

    Leaves `synthetic-<stage>.jsonl.gz` and `<stage>.safetensors`.
    """
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    path = out / f"synthetic-{stage.name}.jsonl.gz"
    if not path.exists():
        write_rows(path, build(data, stage.seed, out / "parsed.spacy", SHARE_WINDOWS_D, stories=STORIES_D))
    file = data / "nli" / "pairs.jsonl.gz"
    pairs = read_pairs(file, split="train", shares=SHARES_D, redistributable_only=True)
    again = read_pairs(file, split="train", shares={"mnli": 1.0}, redistributable_only=True)
    rows = encode([*read_rows(path), *pairs, *again], tokenizer, max_tokens=MAX_TOKENS)
    network = load_network(out / f"{before}.safetensors")
    train_stage(network, rows, stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def mix(pairs: Sequence[Encoded], made: Sequence[Encoded], seed: int) -> list[Encoded]:
    """Return synthetic rows with public pairs among them, `SHARE_PAIRS` of the tokens."""
    budget = sum(len(r.ids) for r in made) * SHARE_PAIRS / (1 - SHARE_PAIRS)
    chosen = list(pairs)
    random.Random(seed).shuffle(chosen)
    kept: list[Encoded] = []
    used = 0
    for row in chosen:
        if used >= budget:
            break
        kept.append(row)
        used += len(row.ids)
    return [*made, *kept]


def main() -> None:
    """Parse the command line and run the stages that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder (default: GRAPHEVAL_DATA, or ../shared/data)")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints and results")
    parser.add_argument("--stages", default="a,b,c,d", help="stages to run, in order (default: a,b,c,d)")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    data = data_root(arguments.data)
    for stage in arguments.stages.split(","):
        if stage == "a":
            run_stage_a(data, out, arguments.threads)
        elif stage == "b":
            run_mixed(STAGE_B, "a", data, out, arguments.threads)
        elif stage == "c":
            run_mixed(STAGE_C, "b", data, out, arguments.threads)
        elif stage == "d":
            run_long(STAGE_D, "c", data, out, arguments.threads)
        else:
            parser.error(f"unknown stage {stage!r}")


if __name__ == "__main__":
    main()
