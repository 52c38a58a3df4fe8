"""Train stage by stage: `python -m training.run --data DIR --out DIR`."""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.batches import Encoded, encode, make_batches, plain_tokenizer
from training.loop import Stage, train_stage
from training.network import base_folder, load_network, new_network, save_weights
from training.rows import Row, data_root, read_pairs, read_rows, write_rows
from training.stage_a import stage_a_rows
from training.synthetic.build import build, running_text
from training.synthetic.order.tell import order_rows
from training.synthetic.passages import parse, parse_news
from training.synthetic.swap import Pool

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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
STEPS_D = 3920
STOP_D = 2135
"""Steps of stage D; the rows that it leaves over come in stage G."""

STEPS_G = 900

STAGE_A = Stage("a", lr=1e-4, seed=SEED, stop=STOP_A)
STAGE_B = Stage("b", lr=8e-5, warmup=0.02, decay=0.4, seed=SEED, steps=1000, stop=STOP_B)
STAGE_C = Stage("c", lr=8e-5, warmup=0.02, decay=0.6, seed=SEED + 1, steps=STEPS_C)
STAGE_D = Stage("d", lr=1e-4, warmup=0.02, decay=0.4, seed=SEED + 2, steps=STEPS_D, stop=STOP_D)
STAGE_E = Stage("e", lr=2e-4, warmup=0.1, decay=0.1, seed=SEED + 3, tokens=1536)
STAGE_F = Stage("f", lr=2e-4, warmup=0.05, decay=0.1, seed=SEED + 4)
STAGE_G = Stage("g", lr=1e-4, warmup=0.02, decay=0.7, seed=SEED + 5, steps=STEPS_G)
REST_I = 150
"""Batches of stage J's rows, from the end, that stage I takes among its stories; J does not come to them."""

STAGE_H = Stage("h", lr=1e-4, warmup=0.04, decay=0.0, seed=SEED + 6)
STAGE_I = Stage("i", lr=1.5e-4, warmup=0.05, decay=0.1, seed=SEED + 7)
STAGE_J = Stage("j", lr=1e-4, warmup=0.02, decay=0.8, seed=SEED + 8, steps=1200)

SHARE_WINDOWS_D = 0.55
"""Share of the text windows in stage D."""

STORIES_D = 0.9
"""Invented stories per window in stage D."""

SHARES_D = {"mnli": 1.0, "snli": 1.0, "conjnli": 0.5, "fm2": 1.0, "infotabs": 0.17}
"""Public pairs in stage D; MultiNLI, the most varied, stands there twice."""


SHARE_WINDOWS_NEWS = {"h": 0.27, "j": 0.15}
"""Share of the text windows in the stages H and J, beside all windows of the news."""

SHARES_NEWS = {"mnli": 1.0, "snli": 0.6, "conjnli": 0.3, "fm2": 1.0, "wice": 1.0, "infotabs": 0.1}
"""Public pairs in each of the stages H and J."""

FROZEN = 2
"""Number of the lowest layers that the stages H, I and J leave as they are: a quarter less to compute."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The invented stories of a stage (see `training.synthetic.order.tell.order_rows`).

    Attributes:
        count: Number of stories.
        plain: Share of them whose premise and claims have one form.
        only: Kinds of story; all if empty.
        around: Whether running text stands around some.
    """

    count: int
    plain: float
    only: tuple[str, ...] = ()
    around: bool = True


NEW_KINDS = (
    *("only", "quantified", "changed", "held", "reasons", "described", "attached", "told", "reported", "traded"),
    *("phrasal", "voices", "ranked"),
)
"""Kinds of story that the stages before I did not know."""

TELLINGS = {
    "e": Telling(1500, 1.0, ("roles", "two_facts"), around=False),
    "f": Telling(5000, 0.35),
    "g": Telling(4000, 0.15),
    "h": Telling(2500, 0.15),
    "i": Telling(4500, 0.6, NEW_KINDS),
    "j": Telling(6000, 0.2),
}
"""Order is learned step by step: with all forms at once the loss stays where guessing leaves it."""


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

    Leaves `<stage>.safetensors`.
    """
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    rows = long_rows(data, out, tokenizer)
    network = load_network(out / f"{before}.safetensors")
    train_stage(network, rows, stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def long_rows(data: Path, out: Path, tokenizer: Tokenizer) -> list[Encoded]:
    """Return the rows of stage D; its synthetic ones are kept in `synthetic-d.jsonl.gz`."""
    path = out / "synthetic-d.jsonl.gz"
    if not path.exists():
        write_rows(path, build(data, STAGE_D.seed, out / "parsed.spacy", SHARE_WINDOWS_D, stories=STORIES_D))
    file = data / "nli" / "pairs.jsonl.gz"
    pairs = read_pairs(file, split="train", shares=SHARES_D, redistributable_only=True)
    again = read_pairs(file, split="train", shares={"mnli": 1.0}, redistributable_only=True)
    return encode([*read_rows(path), *pairs, *again], tokenizer, max_tokens=MAX_TOKENS)


def run_order(stage: Stage, before: str, data: Path, out: Path, workers: int) -> None:
    """Train on invented stories alone, from the network of the stage `before`; leaves `<stage>.safetensors`."""
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    rows = encode(told_rows(stage, data, out), tokenizer, max_tokens=MAX_TOKENS)
    network = load_network(out / f"{before}.safetensors")
    train_stage(network, rows, stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def told_rows(stage: Stage, data: Path, out: Path) -> list[Row]:
    """Return the stories of a stage; kept in `order-<stage>.jsonl.gz`."""
    path = out / f"order-{stage.name}.jsonl.gz"
    if not path.exists():
        telling = TELLINGS[stage.name]
        docs = parse(data / "text" / "paragraphs.jsonl.gz", out / "parsed.spacy")
        around = running_text(docs) if telling.around else []
        rng = random.Random(stage.seed)
        write_rows(path, order_rows(Pool.of(docs), around, telling.count, rng, telling.plain, telling.only))
    return read_rows(path)


def run_rest(stage: Stage, before: str, data: Path, out: Path, workers: int) -> None:
    """Train on what stage D left over and on stories, the rate falling to 0; leaves `<stage>.safetensors`."""
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    rows = long_rows(data, out, tokenizer)
    batches = make_batches([len(r.ids) for r in rows], tokens=STAGE_D.tokens, seed=STAGE_D.seed)
    rest = [rows[n] for batch in batches[STOP_D:] for n in batch]
    told = encode(told_rows(stage, data, out), tokenizer, max_tokens=MAX_TOKENS)
    network = load_network(out / f"{before}.safetensors")
    train_stage(network, [*rest, *told], stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def run_news(stage: Stage, before: str, data: Path, out: Path, workers: int) -> None:
    """Train on claims about news and other text, stories and public pairs; leaves `<stage>.safetensors`."""
    tokenizer = plain_tokenizer(str(base_folder() / "tokenizer.json"))
    rows = news_rows(STAGE_J if stage.name == "i" else stage, data, out, tokenizer)
    if stage.name == "i":
        batches = make_batches([len(r.ids) for r in rows], tokens=STAGE_J.tokens, seed=STAGE_J.seed)[-REST_I:]
        told = encode(told_rows(stage, data, out), tokenizer, max_tokens=MAX_TOKENS)
        rows = [*told, *(rows[n] for batch in batches for n in batch)]
    network = load_network(out / f"{before}.safetensors")
    network.bert.embeddings.requires_grad_(False)
    network.bert.encoder.layer[:FROZEN].requires_grad_(False)
    train_stage(network, rows, stage, out, workers)
    save_weights(network, out / f"{stage.name}.safetensors")


def news_rows(stage: Stage, data: Path, out: Path, tokenizer: Tokenizer) -> list[Encoded]:
    """Return the rows of the stages H and J; the synthetic ones are kept in `synthetic-<stage>.jsonl.gz`."""
    path = out / f"synthetic-{stage.name}.jsonl.gz"
    if not path.exists():
        news = parse_news(data / "factuality" / "summaries.jsonl.gz", out / "parsed-news.spacy")
        share = SHARE_WINDOWS_NEWS[stage.name]
        write_rows(path, build(data, stage.seed, out / "parsed.spacy", share, stories=0.0, news=news))
    pairs = read_pairs(data / "nli" / "pairs.jsonl.gz", split="train", shares=SHARES_NEWS, redistributable_only=True)
    return encode([*read_rows(path), *pairs, *told_rows(stage, data, out)], tokenizer, max_tokens=MAX_TOKENS)


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
    parser.add_argument("--stages", default="a,b,c,d,e,f,g,h,i,j", help="stages to run, in order (default: all)")
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
        elif stage == "e":
            run_order(STAGE_E, "d", data, out, arguments.threads)
        elif stage == "f":
            run_order(STAGE_F, "e", data, out, arguments.threads)
        elif stage == "g":
            run_rest(STAGE_G, "f", data, out, arguments.threads)
        elif stage == "h":
            run_news(STAGE_H, "g", data, out, arguments.threads)
        elif stage == "i":
            run_news(STAGE_I, "h", data, out, arguments.threads)
        elif stage == "j":
            run_news(STAGE_J, "i", data, out, arguments.threads)
        else:
            parser.error(f"unknown stage {stage!r}")


if __name__ == "__main__":
    main()
