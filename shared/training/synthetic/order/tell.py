"""Telling stories: their kinds, and the rows that they make inside running text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from training.rows import ENTAILMENT, Row
from training.synthetic.order import amounts, deeds, exchange, facts, linked, ranked, scope, speech
from training.synthetic.order.cast import Cast, Story, sentence
from training.synthetic.swap import Pool

KINDS: tuple[tuple[Callable[[Cast], Story], float], ...] = (
    (deeds.roles, 4.0),
    (deeds.chain, 2.5),
    (deeds.two_facts, 2.5),
    (deeds.negation, 2.5),
    (facts.compared, 1.0),
    (facts.counted, 1.2),
    (deeds.giving, 1.0),
    (deeds.sequence, 1.0),
    (facts.said, 1.5),
    (facts.kin, 0.8),
    (facts.travel, 0.8),
    (facts.profile, 1.2),
    (facts.certainty, 0.8),
    (scope.only, 3.0),
    (scope.quantified, 3.0),
    (amounts.changed, 2.5),
    (amounts.held, 4.0),
    (linked.reasons, 3.0),
    (linked.described, 2.5),
    (linked.attached, 2.0),
    (speech.told, 2.0),
    (speech.reported, 3.0),
    (exchange.traded, 2.5),
    (exchange.phrasal, 1.5),
    (exchange.voices, 1.5),
    (ranked.ranked, 3.0),
)
"""Kinds of story and how often each is told, relative to the others."""


def stories(
    pool: Pool, rng: random.Random, count: int, plain: float = 0.0, only: Sequence[str] = ()
) -> Iterator[tuple[str, Story]]:
    """Yield `count` stories with the name of their kind; see `order_rows`."""
    cast = Cast(pool, rng, plain)
    chosen = [(k, w) for k, w in KINDS if not only or k.__name__ in only]
    kinds = [k for k, _ in chosen]
    weights = [w for _, w in chosen]
    for _ in range(count):
        cast.begin()
        kind = rng.choices(kinds, weights)[0]
        yield kind.__name__, kind(cast)


def story_rows(kind: str, story: Story, around: Sequence[str], rng: random.Random) -> Iterator[Row]:
    """Yield rows for one story: a true claim and a false one, often two of each.

    Args:
        kind: Name of the kind.
        story: The story.
        around: Sentences of running text; in half of the windows some stand before or after the story.
        rng: Source of choices.
    """
    parts = list(story.sentences)
    if len(parts) > 1 and rng.random() < 0.3:
        rng.shuffle(parts)
    if rng.random() < 0.5 and around:
        for text in around[: rng.randint(1, 2)]:
            parts.insert(rng.choice([0, len(parts)]), text)
    premise = " ".join(parts)
    count = 1 if rng.random() < 0.4 else 2
    seen: set[str] = set()
    for wanted in (True, False):
        options = [(t, label) for t, label in story.claims if (label == ENTAILMENT) == wanted]
        for text, label in rng.sample(options, min(count, len(options))):
            claim = sentence(text)
            if claim not in seen:
                seen.add(claim)
                yield Row(premise, claim if rng.random() < 0.5 else claim[:-1], label, f"order-{kind}")


def order_rows(
    pool: Pool, around: Sequence[str], count: int, rng: random.Random, plain: float = 0.0, only: Sequence[str] = ()
) -> list[Row]:
    """Return the rows of `count` stories.

    Args:
        pool: Names of all passages.
        around: Sentences of running text to put stories among; none if empty.
        count: Number of stories.
        rng: Source of choices.
        plain: Share of stories whose premise and claims have one form (see `Cast`).
        only: Names of the kinds to tell; all if empty.
    """
    rows: list[Row] = []
    for kind, story in stories(pool, rng, count, plain, only):
        rows += story_rows(kind, story, rng.sample(around, 2) if around else (), rng)
    return rows
