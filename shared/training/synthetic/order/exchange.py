"""Stories of exchange (one for another, one instead of another), of phrasal verbs and of the passive."""

from __future__ import annotations

from training.synthetic.order import more_words
from training.synthetic.order.forms import groups, kind

_TRADED = groups("""
N ab
{a} replaced {b} as {post}
{b} was replaced as {post} by {a}
{a} took over from {b} as {post}
{b} handed over to {a} as {post}
{a} succeeded {b} as {post}
{b} made way for {a} as {post}
{b} was followed as {post} by {a}
< {b} stopped being {post}
< {a} became {post} after {b}

N wv
{a} replaced {w} with {v}
{a} substituted {v} for {w}
{w} was replaced with {v} by {a}
in place of {w}, {a} put {v}
{a} took {w} away and put {v} there instead
it was {v} that {a} put in the place of {w}

N wv
{a} exchanged {w} for {v}
{a} gave {w} away and got {v} in return
for {w}, {a} got {v}
{a} traded in {w} for {v}
{v} was what {a} got for {w}
{a} paid for {v} with {w}
< {a} gave {w} away
< {a} got {v}

C wv
{a} chose {w} over {v}
{a} preferred {w} to {v}
given the choice of {v} or {w}, {a} decided on {w}
{a} picked {w} rather than {v}
{v} was passed over by {a} in favour of {w}
{a} opted for {w} instead of {v}
< {a} chose {w}
< {a} did not choose {v}

N bc ab
{a} mistook {b} for {c}
{a} took {b} for {c}
{a} thought that {b} was {c}
{b} was mistaken for {c} by {a}
it was {b} whom {a} mistook for {c}

N ab
{a} was named after {b}
{a} got the name from {b}
it is {b} after whom {a} was named
{a} was given the name of {b}
{b} is the one whose name {a} was given

N ab
{a} borrowed {w} from {b}
{b} lent {a} {w}
{b} lent {w} to {a}
{w} was lent to {a} by {b}
it was from {b} that {a} borrowed {w}
< {b} was the lender
< {a} was the borrower

N ab wv
{a} gave {b} {w} in exchange for {v}
{b} gave {a} {v} in exchange for {w}
{a} got {v} from {b} for {w}
{w} went from {a} to {b}, {v} from {b} to {a}
{b} got {w} from {a} and gave {v} for it
< {w} went from {a} to {b}
< {b} gave {v} to {a}

N xy
{f} moved its office from {x} to {y}
{f} left {x} and set up its office in {y}
to {y} {f} moved its office, away from {x}
the office of {f} is now in {y}; before the move it was in {x}
< {f} moved its office to {y}
< {f} moved its office away from {x}

C bc
{a} picked {b} ahead of {c}
{a} favoured {b} over {c}
{c} was passed over by {a} in favour of {b}
instead of {c}, {a} picked {b}
it was {b}, not {c}, whom {a} picked
< {a} picked {b}
< {c} was not picked by {a}
""")


def _phrasal() -> str:
    """Return a table of phrasal verbs with what they mean."""
    blocks = []
    for line in more_words.PHRASAL:
        verb, same, participle = line.split(", ")
        past, _, passive = verb.partition("/")
        forms = [f"{{a}} {past} {{b}}", f"{{a}} {same} {{b}}", f"it was {{a}} who {past} {{b}}"]
        forms.append(f"it was {{b}} whom {{a}} {past}")
        forms.append(f"the one who {same} {{b}} was {{a}}")
        if participle != "-":
            forms += [f"{{b}} was {participle} by {{a}}", f"it was {{b}} who was {participle} by {{a}}"]
            if passive:
                forms.append(f"{{b}} was {passive} by {{a}}")
        blocks.append("\n".join(["N ab", *forms]))
    return "\n\n".join(blocks)


def _double() -> str:
    """Return a table of verbs with two objects."""
    blocks = []
    for verb in more_words.DOUBLE.split(", "):
        participle, _, past = verb.partition("/")
        past = past or participle
        blocks.append(
            f"N ab\n{{a}} {past} {{b}} {{w}}\n{{b}} was {participle} {{w}} by {{a}}\n"
            f"{{w}} was {participle} to {{b}} by {{a}}\n{{a}} {past} {{w}} to {{b}}\n"
            f"it was {{b}} who was {participle} {{w}} by {{a}}\nit was {{a}} who {past} {{b}} {{w}}\n"
            f"it was {{a}} by whom {{w}} was {participle} to {{b}}"
        )
        blocks.append(
            f"N bc wv\n{{a}} {past} {{w}} to {{b}} and {{v}} to {{c}}\n"
            f"{{b}} was {participle} {{w}} by {{a}}, and {{c}} was {participle} {{v}}\n"
            f"to {{c}} {{a}} {past} {{v}}, to {{b}} {{w}}\n"
            f"{{v}} was {participle} to {{c}} by {{a}}, and {{w}} to {{b}}\n"
            f"< {{a}} {past} {{b}} {{w}}\n< {{c}} was {participle} {{v}} by {{a}}\n< {{w}} was {participle} to {{b}}"
        )
    return "\n\n".join(blocks)


_VOICES = groups("""
N bc
{a} was {V.pp} by {b} {d} and thanked by {c}
{b} {V} {a} {d}, and {c} thanked {a}
{c} thanked {a}, whom {b} {V} {d}
it was {b} who {V} {a} {d} and {c} who thanked {a}
< {a} was {V.pp} by {b}
< {c} thanked {a}

N ab
{a} made {b} {p.b}
{b} was made to {p.b} by {a}
it was {a} who made {b} {p.b}
{a} forced {b} to {p.b}
{b} was forced by {a} to {p.b}
< {b} {p}

N ab bc ac
{a} sent {b} to fetch {c}
{b} was sent by {a} to fetch {c}
to fetch {c}, {a} sent {b}
it was {b} whom {a} sent to fetch {c}
{c} was to be fetched by {b}, whom {a} sent

N ab bc
{a} was seen by {b} and {b} by {c}
{b} saw {a}, and {c} saw {b}
{c} saw {b}, by whom {a} was seen
{b}, who was seen by {c}, saw {a}
< {a} was seen by {b}
< {b} saw {a}
< {c} saw {b}
< {b} was seen by {c}

N ab
{a} was {V.pp} by {b}
{b} {V} {a}
it was {a} who was {V.pp} by {b}
it was by {b} that {a} was {V.pp}
the one who {V} {a} was {b}
the one {V.pp} by {b} was {a}
""")

traded = kind("traded", _TRADED, "One for another, one after another, one rather than another.")
phrasal = kind("phrasal", groups(_phrasal()), "Verbs with a particle, and what they mean.")
voices = kind("voices", _VOICES * 3 + groups(_double()), "Active and passive, with one object or two.")
