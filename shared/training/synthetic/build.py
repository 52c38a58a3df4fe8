"""Rows for stage B: windows of running text, each with a few true and a few false claims.

`python -m training.synthetic.build --data DIR --out FILE [--rows N]`
"""

from __future__ import annotations

import argparse
import logging
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from training.rows import ENTAILMENT, Row, data_root, write_rows
from training.synthetic.claims import Claim, negatives, positives, true_drafts
from training.synthetic.order.tell import order_rows
from training.synthetic.passages import Window, parse, usable, windows
from training.synthetic.rewrite import Forms, inflect
from training.synthetic.swap import Pool

if TYPE_CHECKING:
    from spacy.tokens import Doc

logger = logging.getLogger(__name__)

POSITIVE_WEIGHTS = {
    "verbatim": 0.5, "compressed": 1.5, "list": 0.8, "copula": 0.8, "clause": 2.0, "voice": 1.5, "moved": 0.8,
    "reported": 0.8, "named": 1.2, "merged": 1.2, "reformatted": 1.0, "synonyms": 1.0, "extracted": 2.0,
}  # fmt: skip
"""How likely a family is to be drawn, relative to the others that a window offers."""

NEGATIVE_WEIGHTS = {
    "name": 1.6, "exchanged-names": 2.0, "word": 0.9, "negation": 0.6, "number": 1.2, "antonym": 0.7,
    "overstated": 0.6, "roles": 2.0, "fused-predicate": 3.0, "fused-both": 1.2, "fused-argument": 2.0,
    "fused-phrase": 2.0, "speaker": 1.5, "relation": 0.5, "fused-role": 2.0, "detail": 1.2, "detail-clause": 0.5,
    "elsewhere": 0.8, "other-passage": 0.1, "half-true": 1.0,
}  # fmt: skip
"""The same for false and unsupported claims."""

TWINS = 0.5
"""Share of false claims beside which stands the true one that they were made from, so that not the words but what
they say decides."""

STORIES = 0.9
"""Invented stories per window (see `order`)."""


def draw(claims: Sequence[Claim], weights: dict[str, float], count: int, rng: random.Random) -> list[Claim]:
    """Draw claims, families by their weights, no family twice and no text twice."""
    families: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        words = claim.text.split()
        vague = words[0].lower() in ("it", "this", "that", "they", "these", "those") and rng.random() < 0.6
        if 4 <= len(words) <= 50 and not vague:
            families[claim.family].append(claim)
    chosen: list[Claim] = []
    while families and len(chosen) < count:
        names = sorted(families)
        name = rng.choices(names, [weights[n] for n in names])[0]
        claim = rng.choice(families.pop(name))
        if claim.text.lower() not in {c.text.lower() for c in chosen}:
            chosen.append(claim)
    return chosen


def surface(text: str, rng: random.Random) -> str:
    """Vary a claim's form: final full stop or none, contractions apart or not."""
    if rng.random() < 0.5:
        text = text.rstrip(".")
    if rng.random() < 0.1:
        text = re.sub(r"(?<=\w)n't\b", " n't", text)
    if rng.random() < 0.1:
        text = text.replace('"', "")
    return text


def window_rows(window: Window, pool: Pool, other: Doc, rng: random.Random, forms: Forms = inflect) -> Iterator[Row]:
    """Yield the rows of one window: two or three true claims and about as many false ones."""
    drafts = true_drafts(window, rng, forms)
    if not drafts:
        return
    true = positives(window, drafts, rng)
    texts = {c.text.lower() for c in true}
    false = [c for c in negatives(window, drafts, pool, other, rng, forms) if c.text.lower() not in texts]
    if true and false:
        for _ in range(2):
            bad, good = rng.choice(false), rng.choice(true)
            if bad.family in ("name", "number", "fused-predicate", "word", "roles", "antonym"):
                pair = [good.text, bad.text]
                rng.shuffle(pair)
                false.append(Claim(" ".join(pair), bad.label, "half-true"))
    count = 2 if len(window.text.split()) < 40 else 3
    wrong = draw(false, NEGATIVE_WEIGHTS, count, rng)
    twins = [Claim(c.twin, ENTAILMENT, "twin") for c in wrong if c.twin and rng.random() < TWINS]
    right = draw(true, POSITIVE_WEIGHTS, max(1, count - len(twins)), rng)
    for claim in {c.text.lower(): c for c in (*wrong, *right, *twins)}.values():
        yield Row(window.text, surface(claim.text, rng), claim.label, f"syn-{claim.family}")


def running_text(docs: Iterable[Doc]) -> list[str]:
    """Return the usable sentences of all passages."""
    return [" ".join(s.text.split()) for doc in docs for s in doc.sents if usable(s)]


def build(
    data: Path,
    seed: int,
    cache: Path | None = None,
    share: float = 1.0,
    forms: Forms = inflect,
    stories: float = STORIES,
    news: Sequence[Doc] = (),
) -> list[Row]:
    """Return synthetic rows from all passages.

    Args:
        data: Data folder.
        seed: The rows depend on it, on the passages and on the pipeline's version only.
        cache: File for the parsed passages.
        share: Share of the windows to use, 0 to 1; all passages lend names and words anyway.
        forms: Verb forms; by default those of the package lemminflect.
        stories: Invented stories per window.
        news: Further passages; all of their windows are used.
    """
    docs = parse(data / "text" / "paragraphs.jsonl.gz", cache)
    plain = len(docs)
    docs += news
    pool = Pool.of(docs)
    rng = random.Random(seed)
    rows: list[Row] = []
    used = 0
    for number, doc in enumerate(docs):
        for window in windows(doc, rng):
            if number >= plain or rng.random() < share:
                rows.extend(window_rows(window, pool, rng.choice(docs), rng, forms))
                used += 1
    rows += order_rows(pool, running_text(docs), int(used * stories), rng)
    rng.shuffle(rows)
    return rows


def main() -> None:
    """Write the rows and log how many of each family there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--share", type=float, default=1.0)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rows = build(data_root(arguments.data), arguments.seed, arguments.cache, arguments.share)
    write_rows(arguments.out, rows)
    logger.info("%d rows, %.1f %% true", len(rows), 100 * sum(r.label == ENTAILMENT for r in rows) / len(rows))
    for (source, label), number in sorted(Counter((r.source, r.label) for r in rows).items()):
        logger.info("%-22s %d %d", source, label, number)


if __name__ == "__main__":
    main()
