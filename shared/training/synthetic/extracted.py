"""Claims as the local extractor makes them: the form in which the verifier meets most claims later.

True ones are what it extracts from a window. False ones give a claim's predicate to another named subject of the same
window, or are extracted from another part of the same passage and say something that the window does not hold.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from training.rows import ENTAILMENT, NOT_ENTAILMENT, Row

if TYPE_CHECKING:
    from grapheval import Claim
    from training.synthetic.passages import Window

_WORD = re.compile(r"[^\W_]{3,}")
_PRONOUNS = ("It ", "He ", "She ", "They ", "This ", "The ", "I ")
_NAME = re.compile(r"(?:[A-Z][\w.'’-]+)(?:\s+(?:of|the|de|van|von|[A-Z][\w.'’-]+))*")


def words(text: str) -> frozenset[str]:
    """Lower-cased words of three or more letters or digits."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def is_name(text: str) -> bool:
    """Whether a phrase is a proper name and nothing else: a pronoun or `the company` may mean anyone."""
    return _NAME.fullmatch(text) is not None and not f"{text} ".startswith(_PRONOUNS)


def extracted_rows(groups: Sequence[Sequence[Window]], rng: random.Random) -> Iterator[Row]:
    """Rows about windows, with claims that the local extractor makes of them.

    Args:
        groups: The windows of each passage.
        rng: Source of the choices.

    Yields:
        Up to two true claims a window (`syn-extracted`), up to one with an exchanged subject (`syn-extracted-fused`),
        up to one from elsewhere in the passage (`syn-extracted-elsewhere`); the false ones are `NOT_ENTAILMENT`.
    """
    from grapheval import Sample
    from grapheval.extraction.local import LocalExtractor

    flat = [window for group in groups for window in group]
    extractions = iter(LocalExtractor().extract([Sample(window.text) for window in flat]))
    for group in groups:
        claims = [[c for c in next(extractions).claims if c.triple is not None] for _ in group]
        for place, window in enumerate(group):
            own = claims[place]
            others = [c for n, each in enumerate(claims) if n != place for c in each]
            yield from _window_rows(window.text, own, others, rng)


def _window_rows(text: str, own: Sequence[Claim], others: Sequence[Claim], rng: random.Random) -> Iterator[Row]:
    for claim in rng.sample(list(own), min(2, len(own))):
        yield Row(text, claim.text, ENTAILMENT, "syn-extracted")
    fused = list(exchanged_subjects(own))
    if fused:
        yield Row(text, rng.choice(fused), NOT_ENTAILMENT, "syn-extracted-fused")
    held = words(text)
    new = [c for c in others if c.triple is not None and words(c.triple.object) - held]
    if new:
        # The one that shares most with the window is the hardest.
        hardest = max(new, key=lambda c: (len(words(c.text) & held) / max(1, len(words(c.text))), c.text))
        yield Row(text, hardest.text, NOT_ENTAILMENT, "syn-extracted-elsewhere")


def exchanged_subjects(claims: Sequence[Claim]) -> Iterator[str]:
    """Each claim about a named subject, said of another named subject of the same window instead."""
    named = [c for c in claims if c.triple is not None and is_name(c.triple.subject)]
    for claim in named:
        for other in named:
            assert claim.triple is not None
            assert other.triple is not None
            subject, wrong = claim.triple.subject, other.triple.subject
            alike = words(subject) & words(wrong) or wrong in claim.text
            if not alike and claim.text.startswith(subject):
                yield wrong + claim.text[len(subject) :]
