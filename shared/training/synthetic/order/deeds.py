"""Stories about who did what to whom, and who did not."""

from __future__ import annotations

from training.rows import CONTRADICTION, NOT_ENTAILMENT
from training.synthetic.order import words
from training.synthetic.order.cast import Cast, Story, did, sentence


def roles(cast: Cast) -> Story:
    """One did something to another; exchanged roles are false in every form."""
    rng = cast.rng
    a, b, verb = cast.pair()
    rest = cast.adjunct()
    story = Story([sentence(did(a, verb, b, rest, cast))])
    for _ in range(2):
        kept = rest if rng.random() < 0.5 else ""
        story.true(did(a, verb, b, kept, cast))
        story.false(did(b, verb, a, kept, cast), label=CONTRADICTION if rng.random() < 0.3 else NOT_ENTAILMENT)
    if rng.random() < 0.4:
        story.false(f"{a} was not {verb[1]} by {b}, but {b} was not {verb[1]} by {a} either", label=CONTRADICTION)
        story.true(f"{b} was {verb[1]} by {a}")
    return story


def chain(cast: Cast) -> Story:
    """Two deeds that share a person, in one sentence or two: who did what to whom."""
    rng = cast.rng
    a, b, c = cast.person(), cast.person(), cast.person()
    first, second = rng.sample(words.PERSON_VERBS, 2)
    r, s = cast.adjunct(), cast.adjunct()
    form = rng.random()
    if form < 0.25:
        premise = [sentence(f"{a}, who {first[0]} {b}{r}, {second[0]} {c}{s}")]
        facts = ((a, first, b, r), (a, second, c, s))
    elif form < 0.5:
        premise = [sentence(f"{a} {first[0]} {b}{r}, who {second[0]} {c}{s}")]
        facts = ((a, first, b, r), (b, second, c, s))
    elif form < 0.75:
        premise = [sentence(f"{a} was {first[1]} by {b}{r} and {second[1]} by {c}{s}")]
        facts = ((b, first, a, r), (c, second, a, s))
    else:
        premise = [sentence(did(a, first, b, r, cast)), sentence(did(c, second, b, s, cast))]
        facts = ((a, first, b, r), (c, second, b, s))
    story = Story(premise)
    (w, f, x, r), (y, g, z, s) = facts
    story.true(did(w, f, x, "", cast), did(y, g, z, "", cast), did(w, f, x, r, cast))
    wrong = [(x, f, w, ""), (z, g, y, ""), (w, f, z, "") if z != x else (w, g, x, ""), (w, f, x, s if s != r else "")]
    if y != w:
        wrong.append((y, f, x, ""))
    for subject, verb, other, rest in rng.sample(wrong, 3):
        if (subject, verb, other, rest) not in ((w, f, x, ""), (y, g, z, "")) and subject != other:
            story.false(did(subject, verb, other, rest, cast))
    return story


def two_facts(cast: Cast) -> Story:
    """Two people, two deeds, two circumstances: parts exchanged between the sentences are false."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    p, q = rng.sample(words.VERB_PHRASES, 2)
    r, s = cast.adjunct(), cast.adjunct()
    form = rng.random()
    if form < 0.4:
        premise = [sentence(f"{a} {p}{r}"), sentence(f"{b} {q}{s}")]
    elif form < 0.7:
        premise = [sentence(f"{a} {p}{r}{rng.choice([' and ', ', while ', ', but ', '; '])}{b} {q}{s}")]
    else:
        premise = [sentence(f"{a} {p}{r}"), sentence(f"{rng.choice(words.PLACES)}, {b} {q}{s}")]
    story = Story(premise)
    story.true(f"{a} {p}", f"{b} {q}", f"{b} {q} and {a} {p}", f"{a} {p}{r}", f"it was {b} who {q}{s}")
    story.false(f"{a} {q}", f"{b} {p}", f"{b} {p} and {a} {q}", f"it was {a} who {q}{s}", f"{a} {p} and {q}")
    if r and s:
        story.false(f"{a} {p}{s}", f"{b} {q}{r}")
    return story


def negation(cast: Cast) -> Story:
    """One did, the other did not; one thing, not the other."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    p, q = rng.sample(words.VERB_PHRASES, 2)
    form = rng.random()
    if form < 0.3:
        story = Story([sentence(f"{a} {p}; {b} did not")])
        story.true(f"{a} {p} and {b} did not", f"{b} was not among those who {p}", f"{a} {p}", f"not {b} but {a} {p}")
        story.false(f"{b} {p} and {a} did not", f"{b} {p}", f"not {a} but {b} {p}", label=CONTRADICTION)
    elif form < 0.55:
        story = Story([sentence(f"it was not {a} who {p}, but {b}")])
        story.true(f"it was {b} who {p}, not {a}", f"{b} {p}", f"{b}, not {a}, {p}")
        story.false(f"it was {a} who {p}, not {b}", f"{a} {p}", f"{a}, not {b}, {p}", label=CONTRADICTION)
    elif form < 0.75:
        verb, other = rng.sample(words.PERSON_VERBS, 2)
        c = cast.person()
        story = Story([sentence(f"{a} {verb[0]} {b}{cast.adjunct()} but never {other[0]} {c}")])
        story.true(
            f"{a} {verb[0]} {b}",
            f"{c} was not {other[1]} by {a}",
            f"{b} was {verb[1]} by {a}, but {c} was not {other[1]}",
        )
        story.false(
            f"{a} {other[0]} {c}", f"{c} was {other[1]} by {a}", f"{a} never {verb[0]} {b}", label=CONTRADICTION
        )
    elif form < 0.9:
        story = Story([sentence(f"only {a} {p}, and only {b} {q}")])
        story.true(f"{a} {p}", f"{b} {q}", f"{a} did not do what {b} did")
        story.false(f"{b} {p}", f"{a} {q}", f"only {b} {p}", f"only {a} {q}", label=CONTRADICTION)
    else:
        story = Story([sentence(f"{a} denied that {b} {p}, and said that nobody {q}")])
        story.true(
            f"according to {a}, it is not true that {b} {p}", f"{a} said that nobody {q}", f"{a} denied that {b} {p}"
        )
        story.false(f"{a} said that {b} {p}", f"{b} denied that {a} {p}", f"{b} {p}", f"{a} said that nobody {p}")
    return story


def giving(cast: Cast) -> Story:
    """Giver and receiver."""
    rng = cast.rng
    gave, given, got = rng.choice(words.GIVING).split("|")
    what = rng.choice(words.OBJECTS)
    a, b = cast.person(), cast.person()
    rest = cast.adjunct()

    def forms(x: str, y: str) -> list[str]:
        return [
            f"{x} {gave} {y} {what}",
            f"{x} {gave} {what} to {y}",
            f"{y} {given} {what} by {x}",
            f"{y} {got} {what} from {x}",
        ]

    story = Story([sentence(rng.choice(forms(a, b)) + rest)])
    story.true(*forms(a, b))
    story.false(*forms(b, a))
    return story


def sequence(cast: Cast) -> Story:
    """Earlier and later."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    p, q = rng.sample(words.VERB_PHRASES, 2)
    if rng.random() < 0.3:
        b = "he" if rng.random() < 0.5 else "she"

    def forms(x: str, y: str) -> list[str]:
        out = [f"{x} before {y}", f"{y} after {x}", f"first {x}, then {y}"]
        return out if b in ("he", "she") else [*out, f"after {x}, {y}", f"before {y}, {x}"]

    first, second = f"{a} {p}", f"{b} {q}"
    if b in ("he", "she"):
        story = Story([sentence(rng.choice([f"{a} {p} before {b} {q}", f"after {a} {p}, {b} {q}"]))])
        story.true(f"{a} {p} before {b} {q}", f"{a} {p}", f"{a} {p} and later {q}")
        story.false(f"{a} {q} before {b} {p}", f"{a} {p} after {b} {q}", f"{a} {q} and later {p}", label=CONTRADICTION)
        return story
    story = Story([sentence(rng.choice(forms(first, second)))])
    story.true(*forms(first, second))
    story.false(*forms(second, first), label=CONTRADICTION)
    return story
