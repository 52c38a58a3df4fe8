"""A story, the actors in it, and the forms in which a deed is told."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from training.rows import ENTAILMENT, NOT_ENTAILMENT
from training.synthetic.order import words
from training.synthetic.swap import Pool

Claims = list[tuple[str, int]]
"""Texts with their labels."""


@dataclass(slots=True)
class Story:
    """A few facts and what follows from them.

    Attributes:
        sentences: The premise.
        claims: Claims with their labels.
    """

    sentences: list[str]
    claims: Claims = field(default_factory=list)

    def true(self, *texts: str) -> None:
        """Add true claims."""
        self.claims += [(t, ENTAILMENT) for t in texts]

    def false(self, *texts: str, label: int = NOT_ENTAILMENT) -> None:
        """Add false claims."""
        self.claims += [(t, label) for t in texts]


def _enough(names: Sequence[str], pattern: str, more: Sequence[str]) -> list[str]:
    """Return the names that fit a pattern, with some invented ones where there are few."""
    fitting = [n for n in names if re.fullmatch(pattern, n)]
    return fitting if len(set(fitting)) >= 20 else [*fitting, *more]


PLAIN = (0.0, 0.5)
"""The active and the passive form in `did`."""


class Cast:
    """Draws names, roles, firms and places for one story, none twice."""

    def __init__(self, pool: Pool, rng: random.Random, plain: float = 0.0) -> None:
        """Keep the names that look like what they are said to be.

        Args:
            pool: Names by kind.
            rng: Source of choices.
            plain: Share of stories in which premise and claims tell deeds in one and the same form. Order is learned
                there first: whether active answers to passive is another question on top.
        """
        self.rng = rng
        self.form: float | None = None
        self._plain = plain
        self._people = _enough(pool.names["PERSON"], r"[A-Z][a-z]{2,} [A-Z][a-z]{2,}", words.FULL_NAMES)
        self._firms = _enough(pool.names["ORG"], r"[A-Z][A-Za-z]+( [A-Z][a-z]+)?", words.FIRMS)
        self._places = _enough(pool.names["GPE"], r"[A-Z][a-z]{3,}", words.TOWNS)
        self._used: set[str] = set()

    def begin(self) -> None:
        """Start a new story."""
        self._used = set()
        plain = self._plain > 0 and self.rng.random() < self._plain
        self.form = self.rng.choice(PLAIN) if plain else None

    def _draw(self, options: Sequence[str]) -> str:
        while True:
            name = self.rng.choice(options)
            parts = set(name.split()) - {"the"}
            if not parts & self._used:
                self._used |= parts
                return name

    def person(self) -> str:
        """A person's name (whole, first or last) or a role."""
        draw = self.rng.random()
        if draw < 0.4:
            return self._draw(words.PEOPLE)
        name = self._draw(self._people)
        return name if draw < 0.7 else name.split()[0 if draw < 0.85 else 1]

    def group(self) -> str:
        """A firm, team, state or office."""
        draw = self.rng.random()
        return self._draw(words.GROUPS if draw < 0.4 else self._firms if draw < 0.75 else self._places)

    def thing(self) -> str:
        """A thing or event."""
        return self._draw(words.THINGS)

    def place(self) -> str:
        """A town or country."""
        return self._draw(self._places)

    def pair(self) -> tuple[str, str, tuple[str, str]]:
        """Two actors of a sort and a verb between them that is not symmetric."""
        draw = self.rng.random()
        if draw < 0.6:
            return self.person(), self.person(), self.rng.choice(words.PERSON_VERBS)
        if draw < 0.85:
            return self.group(), self.group(), self.rng.choice(words.GROUP_VERBS)
        return self.thing(), self.thing(), self.rng.choice(words.THING_VERBS)

    def adjunct(self) -> str:
        """A time, place or manner, with a leading space, or nothing."""
        draw = self.rng.random()
        if draw < 0.3:
            return ""
        return " " + self._draw_phrase(words.TIMES if draw < 0.65 else words.PLACES)

    def _draw_phrase(self, options: Sequence[str]) -> str:
        while (phrase := self.rng.choice(options)) in self._used:
            pass
        self._used.add(phrase)
        return phrase


def sentence(text: str) -> str:
    """Return the text with a capital letter and a full stop."""
    return text[0].upper() + text[1:] + "."


def did(subject: str, verb: tuple[str, str], other: str, rest: str, cast: Cast) -> str:
    """`subject` did `verb` to `other`, in one of many forms."""
    past, participle = verb
    particle = participle.split(" ", 1)[1:] and " " + participle.split(" ", 1)[1]
    if cast.form is None and cast.rng.random() < 0.15 and rest:
        return f"{rest.strip()}, " + did(subject, verb, other, "", cast)
    active = f"{past.split()[0]} {other}{particle or ''}"
    passive = f"{participle.split()[0]}{particle or ''}"
    form = cast.rng.random() if cast.form is None else cast.form
    if form < 0.42:
        return f"{subject} {active}{rest}"
    if form < 0.8:
        return f"{other} was {passive} by {subject}{rest}"
    if form < 0.88:
        return f"it was {subject} that {active}{rest}"
    if form < 0.94:
        return f"it was {other} that was {passive} by {subject}{rest}"
    return f"it was {other} that {subject} {past}{rest}"
