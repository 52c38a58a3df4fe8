"""Stories about how things stand: comparisons, numbers, relations, places, what was said or may be."""

from __future__ import annotations

from training.rows import CONTRADICTION
from training.synthetic.order import words
from training.synthetic.order.cast import Cast, Story, sentence


def compared(cast: Cast) -> Story:
    """More and less."""
    rng = cast.rng
    more, less = rng.choice(words.COMPARED).split("|")
    a, b = (cast.person(), cast.person()) if rng.random() < 0.5 else (cast.thing(), cast.thing())
    far = rng.choice(["", "much ", "a little ", "far "]) if not more.startswith("more") else ""
    form = rng.random()
    if form < 0.7:
        story = Story([sentence(f"{a} is {far}{more} than {b}")])
    else:
        story = Story([sentence(f"of the two, {a} is the {more} one, not {b}")])
    story.true(f"{a} is {more} than {b}", f"{b} is {less} than {a}", f"{b} is not {more} than {a}")
    story.false(
        f"{b} is {more} than {a}", f"{a} is {less} than {b}", f"{a} is not {more} than {b}", label=CONTRADICTION
    )
    return story


def counted(cast: Cast) -> Story:
    """Two numbers, two owners."""
    rng = cast.rng
    what = rng.choice(words.COUNTED)
    a, b = (cast.group(), cast.group()) if rng.random() < 0.5 else (cast.person(), cast.person())
    m, n = rng.sample(range(3, rng.choice([20, 100, 2000])), 2)
    low, high = sorted((m, n))
    story = Story(
        [sentence(f"{a} {what.replace('#', str(m))}{cast.adjunct()}, {b} {rng.choice(['only ', '', ''])}{n}")]
    )
    if rng.random() < 0.4:
        story = Story([sentence(f"{b} {what.replace('#', str(n))}"), sentence(f"{a} {what.replace('#', str(m))}")])
    verb, tail = what.split(" # ")
    top, bottom = (a, b) if m > n else (b, a)
    story.true(
        f"{a} {verb} {m} {tail}",
        f"{b} {verb} {n} {tail}",
        f"{top} {verb} more {tail} than {bottom}",
        f"{a} {verb} {m} {tail} and {b} {n}",
    )
    story.false(
        f"{a} {verb} {n} {tail}",
        f"{b} {verb} {m} {tail}",
        f"{bottom} {verb} more {tail} than {top}",
        f"{a} {verb} {n} {tail} and {b} {m}",
        label=CONTRADICTION,
    )
    if rng.random() < 0.3:
        story.true(f"{bottom} {verb} fewer {tail} than {top}", f"the one with {high} was {top}, with {low} {bottom}")
        story.false(
            f"{top} {verb} fewer {tail} than {bottom}",
            f"the one with {high} was {bottom}, with {low} {top}",
            label=CONTRADICTION,
        )
    return story


def said(cast: Cast) -> Story:
    """Who said it, and about whom."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    p = rng.choice(words.VERB_PHRASES)
    verb = rng.choice(["said", "told reporters", "claimed", "insisted", "wrote", "admitted", "suspected", "believed"])
    form = rng.random()
    said_by = f"{b} {p}, {a} said" if verb == "said" and form < 0.3 else f"{a} {verb} that {b} {p}"
    if form > 0.8:
        said_by = f"according to {a}, {b} {p}"
        verb = "said"
    story = Story([sentence(said_by)])
    story.true(
        f"{a} {verb} that {b} {p}",
        f"according to {a}, {b} {p}"
        if verb not in ("suspected", "believed")
        else f"it was {a} who {verb} that {b} {p}",
    )
    story.false(
        f"{b} {verb} that {a} {p}", f"{a} {verb} that {a} {p}", f"{b} said that {a} {p}", f"according to {b}, {a} {p}"
    )
    if verb in ("claimed", "suspected", "believed", "insisted"):
        story.false(f"{a} {p}")
    return story


def kin(cast: Cast) -> Story:
    """Relations with two ends."""
    rng = cast.rng
    up, down = rng.choice(words.KIN).split("|")
    a, b = cast.person(), cast.person()
    p = rng.choice(words.VERB_PHRASES)

    def forms(x: str, y: str) -> list[str]:
        return [f"{x} is {_of(y)} {up}", f"{y} is {_of(x)} {down}", f"{x} is the {up} of {y}"]

    text = rng.choice(forms(a, b))
    story = Story([sentence(text)])
    if rng.random() < 0.4:
        story = Story([sentence(f"{a}, {_of(b)} {up}, {p}")])
        story.true(f"{a} {p}", f"{_of(b)} {up} {p}")
        story.false(f"{b} {p}", f"{_of(a)} {down} {p}", f"{_of(a)} {up} {p}")
    story.true(*forms(a, b))
    story.false(*forms(b, a), label=CONTRADICTION)
    return story


def _of(name: str) -> str:
    return f"{name}'s" if not name.endswith("s") else f"{name}'"


def travel(cast: Cast) -> Story:
    """From here to there; here lies north of there."""
    rng = cast.rng
    x, y = cast.place(), cast.place()
    if rng.random() < 0.4:
        one, other = rng.choice(words.DIRECTIONS).split("|")
        link = " of" if "-" in one or one in ("north", "east") else " from"
        story = Story([sentence(f"{x} lies {rng.choice(['', '40 km ', 'about two hours '])}{one}{link} {y}")])
        story.true(f"{x} lies {one}{link} {y}", f"{y} lies {other}{link} {x}")
        story.false(f"{y} lies {one}{link} {x}", f"{x} lies {other}{link} {y}", label=CONTRADICTION)
        return story
    a, b = cast.person(), cast.person()
    went = rng.choice(["flew", "moved", "walked", "travelled", "drove", "was transferred", "was sent", "fled"])
    rest = cast.adjunct()
    story = Story([sentence(f"{a} {went} from {x} to {y}{rest}")])
    story.true(f"{a} {went} to {y} from {x}", f"{a} {went} to {y}", f"{a} left {x} for {y}")
    story.false(f"{a} {went} from {y} to {x}", f"{a} {went} to {x}", f"{a} left {y} for {x}")
    if rng.random() < 0.5:
        z = cast.place()
        story.sentences.append(sentence(f"{b} {went} to {z}"))
        story.true(f"{b} {went} to {z}")
        story.false(f"{a} {went} to {z}", f"{b} {went} to {y}", f"{b} {went} to {z} from {x}")
    return story


def _profile(form: int, name: str, trade: str, place: str, age: int) -> str:
    """Tell name, trade, home and age in one of three forms."""
    if form == 0:
        return f"{name}, {age}, is {_a(trade)} from {place}"
    if form == 1:
        return f"{name} is {_a(trade)} who lives in {place} and is {age} years old"
    return f"{name}, {_a(trade)} from {place}, is {age}"


def profile(cast: Cast) -> Story:
    """Two people or firms, each with trade, home and age."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    p, q = rng.sample([w.removeprefix("the ") for w in words.PEOPLE[:30]], 2)
    x, y = cast.place(), cast.place()
    m, n = rng.sample(range(19, 90), 2)
    form = rng.choice((0, 1, 2))
    story = Story([sentence(_profile(form, a, p, x, m)), sentence(_profile(form, b, q, y, n))])
    link = "lives in" if form == 1 else "is from"
    story.true(
        f"{a} is {_a(p)}",
        f"{b} {link} {y}",
        f"{b} is {n} years old",
        f"{a} is {_a(p)} and {b} {_a(q)}",
        f"the {q} {link} {y}",
    )
    story.false(
        f"{a} is {_a(q)}",
        f"{b} {link} {x}",
        f"{b} is {m} years old",
        f"{b} is {_a(p)} and {a} {_a(q)}",
        f"the {q} {link} {x}",
    )
    older, younger = (a, b) if m > n else (b, a)
    story.true(f"{older} is older than {younger}")
    story.false(f"{younger} is older than {older}", label=CONTRADICTION)
    return story


def _a(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def _certainties(a: str, b: str, what: str) -> tuple[tuple[str, list[str], list[str]], ...]:
    """Return premises with what does not follow from them and what does."""
    return (
        (
            f"{a} may {what}",
            [f"{a} will {what}", f"{a} is certain to {what}"],
            [f"it is possible that {a} will {what}", f"{a} might {what}"],
        ),
        (
            f"{a} will {what} if {b} agrees",
            [f"{a} will {what} even if {b} does not agree", f"{b} will {what} if {a} agrees"],
            [f"if {b} agrees, {a} will {what}"],
        ),
        (
            f"{a} refused to {what} unless {b} apologised",
            [f"{b} refused to {what} unless {a} apologised", f"{a} agreed to {what}"],
            [f"{a} did not want to {what} without an apology from {b}"],
        ),
        (
            f"{a} wanted {b} to {what}",
            [f"{b} wanted {a} to {what}", f"{a} wanted to {what}"],
            [f"{b} was wanted by {a} to {what}", f"what {a} wanted was for {b} to {what}"],
        ),
        (
            f"{a} promised {b} to {what}",
            [f"{b} promised {a} to {what}", f"{b} promised to {what}"],
            [f"{a} gave {b} a promise to {what}", f"{a} promised to {what}"],
        ),
        (
            f"{a} persuaded {b} to {what}",
            [f"{b} persuaded {a} to {what}", f"{a} was persuaded by {b} to {what}"],
            [f"{b} was persuaded by {a} to {what}"],
        ),
    )


def certainty(cast: Cast) -> Story:
    """Planned, possible, refused, conditional: not the same as done."""
    rng = cast.rng
    a, b = cast.person(), cast.person()
    what = rng.choice(
        [
            "sell the farm",
            "resign",
            "move abroad",
            "sue the council",
            "close the school",
            "pay the fine",
            "rebuild the bridge",
            "call an election",
            "retire",
            "sign the treaty",
            "cut prices",
            "buy the club",
        ]
    )
    first, strong, weak = rng.choice(_certainties(a, b, what))
    story = Story([sentence(first)])
    story.true(*weak, first)
    story.false(*strong)
    return story
