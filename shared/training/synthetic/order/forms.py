"""Stories from tables: sides that exclude each other, each told in many forms.

A table is text. Groups stand between empty lines. A group's first line says what its false claims are (`C` contradict,
`N` do not follow) and which slots may be exchanged to make them (`ab`: exchange {a} and {b}; `ab+pq`: both pairs at
once). Its other lines are forms that say the same; `--` begins another side, which the first does not entail nor the
other way round. A form after `>` says more and is a premise alone; one after `<` says less and is a claim alone.
A claim of the true side is true, one of another side or with exchanged slots is false: whatever its shape, a claim is
as often true as false.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from training.rows import CONTRADICTION, NOT_ENTAILMENT
from training.synthetic.order import more_words, words
from training.synthetic.order.cast import Cast, Story, sentence


@dataclass(frozen=True, slots=True)
class Inflected:
    """A verb phrase: `str()` gives the simple past.

    Attributes:
        past: Simple past.
        b: Base form.
        pp: Past participle.
        g: Gerund.
    """

    past: str
    b: str
    pp: str
    g: str

    def __str__(self) -> str:
        """Return the simple past."""
        return self.past

    @classmethod
    def of(cls, text: str) -> Inflected:
        """Read `win,won,won,winning the race` or, for a regular verb, `repair the roof`."""
        verb, _, rest = text.partition(" ")
        rest = rest and " " + rest
        parts = verb.split(",")
        if len(parts) == 1:
            stem = verb.removesuffix("e")
            parts = [verb, stem + "ed", stem + "ed", stem + "ing"]
        base, past, participle, gerund = parts
        return cls(past + rest, base + rest, participle + rest, gerund + rest)


@dataclass(frozen=True, slots=True)
class Group:
    """Sides of forms, and what to exchange.

    Attributes:
        label: Class of the false claims.
        swaps: Exchanges, each of one or more pairs of slots.
        sides: Forms by side, with their marks.
    """

    label: int
    swaps: tuple[tuple[tuple[str, str], ...], ...]
    sides: tuple[tuple[str, ...], ...]


def groups(text: str) -> tuple[Group, ...]:
    """Read a table (see the module).

    Raises:
        ValueError: If a group has neither an exchange nor a second side.
    """
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        head, *lines = [line.strip() for line in block.splitlines()]
        kind, *rest = head.split()
        swaps = tuple(tuple((p[: len(p) // 2], p[len(p) // 2 :]) for p in s.split("+")) for s in rest)
        sides: list[list[str]] = [[]]
        for line in lines:
            if line == "--":
                sides.append([])
            else:
                sides[-1].append(line)
        if not swaps and len(sides) < 2:
            raise ValueError(f"nothing makes this group false: {head!r}")
        out.append(Group(CONTRADICTION if kind == "C" else NOT_ENTAILMENT, swaps, tuple(map(tuple, sides))))
    return tuple(out)


def _numbers(rng: random.Random) -> dict[str, object]:
    """Draw two or more numbers of every sort; `lo` and `hi` are in order, `m` and `n` are not."""
    lo, hi = sorted(rng.sample(range(2, rng.choice([12, 60, 400, 5000])), 2))
    m, n = rng.sample([lo, hi], 2)
    unit = rng.choice(more_words.UNITS)
    years = sorted(rng.sample(range(1890, 2024), 2))
    ages = rng.sample(range(18, 91), 2)
    shares = rng.sample(range(3, 50), 2)
    ranks = rng.sample(more_words.RANKS, 2)
    money = rng.choice(("${}", "{} euros", "£{}", "{} francs"))
    return {
        "lo": lo,
        "hi": hi,
        "m": m,
        "n": n,
        "M": unit.format(m),
        "N": unit.format(n),
        "L": unit.format(lo),
        "H": unit.format(hi),
        "D": money.format(m),
        "E": money.format(n),
        "y0": years[0],
        "y1": years[1],
        "A": ages[0],
        "B": ages[1],
        "S": shares[0],
        "T": shares[1],
        "R": ranks[0],
        "Q": ranks[1],
    }


def slots(cast: Cast) -> dict[str, object]:
    """Draw what the slots of a form stand for."""
    rng = cast.rng
    p, q = rng.sample(more_words.DEEDS, 2)
    k, j = rng.sample(more_words.CROWDS, 2)
    w, v = rng.sample(more_words.GOODS, 2)
    o, u = rng.sample(more_words.COUNTABLE, 2)
    s, t = rng.sample(more_words.MEASURED, 2)
    d, e = rng.sample(rng.choice(more_words.WHEN), 2)
    i, z = rng.sample(more_words.FOR_SALE, 2)
    up, down, top, bottom, plain = rng.choice(more_words.GRADES).split("|")
    verbs = [x for x in words.PERSON_VERBS if " " not in x[0] and x[0] != "thanked"]
    past, participle = rng.choice(verbs)
    return {
        **_numbers(rng),
        **{"a": cast.person(), "b": cast.person(), "c": cast.person(), "f": cast.group(), "g": cast.group()},
        **{"x": cast.place(), "y": cast.place(), "p": Inflected.of(p), "q": Inflected.of(q)},
        **{"k": k, "j": j, "w": w, "v": v, "o": o, "u": u, "s": s, "t": t, "d": d, "e": e, "i": i, "z": z},
        **{"up": up, "down": down, "top": top, "bottom": bottom, "plain": plain},
        **{"V": Inflected(past, past, participle, past), "post": rng.choice(more_words.POSTS)},
        "kin": rng.choice(more_words.RELATIVES),
    }


def exchanged(values: dict[str, object], swap: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Return the slots with pairs of them exchanged."""
    out = dict(values)
    for one, other in swap:
        out[one], out[other] = values[other], values[one]
    return out


def tell_group(group: Group, cast: Cast) -> Story:
    """Tell a group: a premise of one side, and as many true claims as false ones of the same shapes."""
    rng = cast.rng
    values = slots(cast)
    side = rng.randrange(len(group.sides))
    own = group.sides[side]
    ways = [(other, None) for other in range(len(group.sides)) if other != side]
    turns = [(side, swap) for swap in group.swaps]

    facts = {f.lstrip("<> ").format(**values) for f in own}

    def false(number: int | None) -> str:
        """A false claim; of the form with that number, where the side has it."""
        while (claim := attempt(number)) in facts:
            pass
        return claim

    def attempt(number: int | None) -> str:
        """What may be a false claim: not where the form lacks the slots that are exchanged."""
        pick = rng.choice(turns if turns and (not ways or rng.random() < 0.5) else ways)
        forms = [f for f in group.sides[pick[0]] if f[0] != ">"]
        form = own[number] if number is not None and pick[0] == side else rng.choice(forms)
        if number is not None and pick[0] != side and number < len(group.sides[pick[0]]):
            form = group.sides[pick[0]][number]
        return form.lstrip("<> ").format(**(exchanged(values, pick[1]) if pick[1] else values))

    if cast.form is not None:
        number = rng.choice([i for i, f in enumerate(own) if f[0] not in "<>"])
        told = own[number].format(**values)
        story = Story([sentence(told)])
        story.true(told)
        story.false(false(number), label=group.label)
        return story
    told = rng.choice([f for f in own if f[0] != "<"]).lstrip("> ").format(**values)
    story = Story([sentence(told)])
    numbers = [i for i, f in enumerate(own) if f[0] != ">"]
    for number in rng.sample(numbers, min(4, len(numbers))):
        story.true(own[number].lstrip("< ").format(**values))
        # A form of another side is drawn at random there, so that each form is as often true as false.
        claim = false(number if not ways else None)
        story.false(claim, label=group.label)
    return story


def kind(name: str, table: tuple[Group, ...], doc: str) -> Callable[[Cast], Story]:
    """Return a kind of story that tells one of the groups."""

    def tell(cast: Cast) -> Story:
        return tell_group(cast.rng.choice(table), cast)

    tell.__name__ = tell.__qualname__ = name
    tell.__doc__ = doc
    return tell
