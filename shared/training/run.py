"""Train stage by stage: `python -m training.run --data DIR --out DIR`."""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.batches import Encoded, encode, make_batches, plain_tokenizer
from training.loop import Stage, stage_batches, train_stage
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


@dataclass(frozen=True, slots=True)
class Materials:
    """What the rows of every stage are made from.

    Attributes:
        data: The data folder.
        out: Folder for checkpoints and for rows that were made.
        tokenizer: The base model's.
    """

    data: Path
    out: Path
    tokenizer: Tokenizer

    @property
    def pairs(self) -> Path:
        """The public pairs."""
        return self.data / "nli" / "pairs.jsonl.gz"

    @property
    def parsed(self) -> Path:
        """Where the parses of the text are kept."""
        return self.out / "parsed.spacy"

    def encode(self, rows: Sequence[Row]) -> list[Encoded]:
        """Rows as token ids, claims in their normal form."""
        return encode(rows, self.tokenizer, max_tokens=MAX_TOKENS)

    def kept(self, name: str, make: Callable[[], list[Row]]) -> list[Row]:
        """The rows of the file `<name>.jsonl.gz`, made where it is not there."""
        path = self.out / f"{name}.jsonl.gz"
        if not path.exists():
            write_rows(path, make())
        return read_rows(path)


def public_rows(stage: Stage, source: Materials) -> list[Encoded]:
    """Return the public pairs of stage A, claims as they are written."""
    return encode(stage_a_rows(source.data), source.tokenizer, max_tokens=MAX_TOKENS, normal=False)


def mixed_rows(stage: Stage, source: Materials) -> list[Encoded]:
    """Return synthetic claims among public pairs that stage A did not see."""
    pairs = stage_a_rows(source.data)
    lengths = [len(r.ids) for r in encode(pairs, source.tokenizer, max_tokens=10_000, normal=False)]
    pairs = [row for row, length in zip(pairs, lengths, strict=True) if length <= MAX_TOKENS]
    batches = make_batches([n for n in lengths if n <= MAX_TOKENS], tokens=STAGE_A.tokens, seed=STAGE_A.seed)
    unseen = source.encode([pairs[n] for batch in batches[STOP_A:] for n in batch])
    made = source.kept(f"synthetic-{stage.name}", lambda: build(source.data, stage.seed, source.parsed, SHARE_WINDOWS))
    return mix(unseen, source.encode(made), stage.seed)


def long_rows(stage: Stage, source: Materials) -> list[Encoded]:
    """Return many synthetic claims beside their true twins, invented stories and public pairs."""
    made = source.kept(
        f"synthetic-{stage.name}",
        lambda: build(source.data, stage.seed, source.parsed, SHARE_WINDOWS_D, stories=STORIES_D),
    )
    pairs = read_pairs(source.pairs, split="train", shares=SHARES_D, redistributable_only=True)
    again = read_pairs(source.pairs, split="train", shares={"mnli": 1.0}, redistributable_only=True)
    return source.encode([*made, *pairs, *again])


def told_rows(stage: Stage, source: Materials) -> list[Row]:
    """Return the stories of a stage."""
    telling = TELLINGS[stage.name]

    def tell() -> list[Row]:
        docs = parse(source.data / "text" / "paragraphs.jsonl.gz", source.parsed)
        around = running_text(docs) if telling.around else []
        rng = random.Random(stage.seed)
        return order_rows(Pool.of(docs), around, telling.count, rng, telling.plain, telling.only)

    return source.kept(f"order-{stage.name}", tell)


def order_only(stage: Stage, source: Materials) -> list[Encoded]:
    """Return stories alone."""
    return source.encode(told_rows(stage, source))


def rest_rows(stage: Stage, source: Materials) -> list[Encoded]:
    """Return what stage D left over, and stories."""
    return [*_part(STAGE_D, long_rows(STAGE_D, source), slice(STOP_D, None)), *order_only(stage, source)]


def news_rows(stage: Stage, source: Materials) -> list[Encoded]:
    """Return claims about news and other text, public pairs and stories."""

    def make() -> list[Row]:
        news = parse_news(source.data / "factuality" / "summaries.jsonl.gz", source.out / "parsed-news.spacy")
        share = SHARE_WINDOWS_NEWS[stage.name]
        return build(source.data, stage.seed, source.parsed, share, stories=0.0, news=news)

    made = source.kept(f"synthetic-{stage.name}", make)
    pairs = read_pairs(source.pairs, split="train", shares=SHARES_NEWS, redistributable_only=True)
    return source.encode([*made, *pairs, *told_rows(stage, source)])


def new_kinds(stage: Stage, source: Materials) -> list[Encoded]:
    """Return stories of new kinds among rows that stage J does not come to."""
    return [*order_only(stage, source), *_part(STAGE_J, news_rows(STAGE_J, source), slice(-REST_I, None))]


def _part(stage: Stage, rows: Sequence[Encoded], batches: slice) -> list[Encoded]:
    """Return the rows of some of a stage's batches."""
    return [rows[n] for batch in stage_batches(rows, stage)[batches] for n in batch]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A stage with its rows.

    Attributes:
        stage: Its settings.
        rows: Makes its rows.
        frozen: Lowest layers that stay as they are, the embeddings with them; 0 learns them too.
    """

    stage: Stage
    rows: Callable[[Stage, Materials], list[Encoded]]
    frozen: int = 0


LESSONS = (
    Lesson(STAGE_A, public_rows),
    Lesson(STAGE_B, mixed_rows),
    Lesson(STAGE_C, mixed_rows),
    Lesson(STAGE_D, long_rows),
    Lesson(STAGE_E, order_only),
    Lesson(STAGE_F, order_only),
    Lesson(STAGE_G, rest_rows),
    Lesson(STAGE_H, news_rows, FROZEN),
    Lesson(STAGE_I, new_kinds, FROZEN),
    Lesson(STAGE_J, news_rows, FROZEN),
)
"""The stages in order; each goes on from the network of the one before, the first from the base model."""


def run(number: int, source: Materials, workers: int) -> None:
    """Train one of `LESSONS`; leaves `<stage>.safetensors`, and its own rows where it makes any."""
    lesson = LESSONS[number]
    rows = lesson.rows(lesson.stage, source)
    before = source.out / f"{LESSONS[number - 1].stage.name}.safetensors"
    network = load_network(before) if number else new_network(SEED)
    if lesson.frozen:
        network.bert.embeddings.requires_grad_(False)
        network.bert.encoder.layer[: lesson.frozen].requires_grad_(False)
    train_stage(network, rows, lesson.stage, source.out, workers)
    save_weights(network, source.out / f"{lesson.stage.name}.safetensors")


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
    parser.add_argument(
        "--stages",
        default=",".join(lesson.stage.name for lesson in LESSONS),
        help="stages to run, in order (default: all)",
    )
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    data = data_root(arguments.data)
    source = Materials(data, out, plain_tokenizer(str(base_folder() / "tokenizer.json")))
    numbers = {lesson.stage.name: number for number, lesson in enumerate(LESSONS)}
    for name in arguments.stages.split(","):
        if name not in numbers:
            parser.error(f"unknown stage {name!r}")
        run(numbers[name], source, arguments.threads)


if __name__ == "__main__":
    main()
