"""The opposite: negation put in or taken out, antonyms, certainty and quantity overstated."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from training.synthetic.pieces import Draft, Piece, find, put
from training.synthetic.rewrite import Forms, inflect

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ANTONYMS = (
    "increase|decrease", "increased|decreased", "increases|decreases", "rise|fall", "rose|fell", "rising|falling",
    "more than|less than", "more|fewer", "before|after", "won|lost", "win|lose", "wins|loses", "accepted|rejected",
    "accept|reject", "north|south", "east|west", "northern|southern", "eastern|western", "first|last", "best|worst",
    "high|low", "higher|lower", "highest|lowest", "largest|smallest", "larger|smaller", "large|small", "up|down",
    "top|bottom", "old|young", "older|younger", "oldest|youngest", "early|late", "earlier|later", "support|oppose",
    "supported|opposed", "supports|opposes", "agreed|refused", "agree|refuse", "allowed|forbade", "began|ended",
    "begin|end", "opened|closed", "open|close", "success|failure", "succeeded|failed", "inside|outside", "male|female",
    "man|woman", "men|women", "father|mother", "brother|sister", "son|daughter", "husband|wife", "guilty|innocent",
    "alive|dead", "public|private", "legal|illegal", "possible|impossible", "likely|unlikely", "good|bad",
    "better|worse", "strong|weak", "rich|poor", "hot|cold", "long|short", "longer|shorter", "fast|slow", "always|never",
    "most|least", "many|few", "gained|lost", "gain|loss", "profit|loss", "praised|criticised", "confirmed|denied",
    "included|excluded", "majority|minority", "winner|loser", "victory|defeat", "bought|sold", "arrived|left",
    "raised|cut", "improved|worsened", "safe|dangerous", "new|old", "full|empty", "above|below", "with|without",
    "encouraged|discouraged", "attacked|defended", "ally|enemy", "friend|enemy", "allies|enemies", "positive|negative",
    "major|minor", "maximum|minimum", "foreign|domestic", "internal|external", "hired|fired", "married|divorced",
    "employer|employee", "teacher|student", "buyer|seller", "parent|child", "advantage|disadvantage", "same|different",
    "easy|difficult", "widely|rarely", "often|rarely", "usually|seldom", "remained|left", "approved|vetoed",
    "passed|failed", "arrest|release", "arrested|released", "found|lost", "remember|forget", "expensive|cheap",
)  # fmt: skip
ANTONYMS = tuple((pair.split("|")[0], pair.split("|")[1]) for pair in _ANTONYMS)


_OPPOSITES = dict(ANTONYMS) | {right: left for left, right in ANTONYMS}
_ANTONYM = re.compile(rf"(?<![\w'’-])({'|'.join(sorted(_OPPOSITES, key=len, reverse=True))})(?![\w'’-])")


def antonym(text: str, rng: random.Random) -> str | None:
    """Replace one word by its opposite; None if there is none to replace."""
    options = [(m.start(), m.end(), _OPPOSITES[m[1]]) for m in _ANTONYM.finditer(text)]
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def negate(draft: Draft, verb: Token, rng: random.Random, forms: Forms = inflect) -> Draft | None:
    """Negate a claim's main verb, or take its negation out.

    Args:
        draft: A claim.
        verb: Its main verb, a word of the draft.
        rng: Chooses between `not`, `n't` and `never`.

    Returns:
        The claim with the opposite polarity, or None if the verb group is not understood.
    """
    place = {p.index: n for n, p in enumerate(draft) if p.index is not None}
    if verb.i not in place:
        return None
    negations = [c for c in verb.children if c.dep_ == "neg" and c.i in place]
    auxes = sorted(c.i for c in verb.children if c.dep_ in ("aux", "auxpass") and c.i in place)
    if negations:
        return _affirm(draft, verb, place[negations[0].i], forms)
    if any(p.text.lower() in ("no", "not", "never", "nobody", "nothing", "none", "n't") for p in draft):
        return None
    here = place[verb.i]
    if auxes or verb.lemma_ == "be":
        after = place[auxes[0]] if auxes else here
        if draft[after].text.lower() in ("to", "'ve", "'s", "'ll", "'d", "'re"):
            return None
        word = "never" if rng.random() < 0.15 and draft[after].text.lower() in ("has", "have", "had", "was") else "not"
        return (*draft[: after + 1], Piece(word), *draft[after + 1 :])
    if here > 0 and draft[here - 1].index is None and draft[here - 1].text in ("was", "were"):
        return (*draft[:here], Piece("not"), *draft[here:])
    helper = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(verb.tag_)
    if helper is None:
        return None
    if verb.tag_ == "VBD" and rng.random() < 0.2:
        return (*draft[:here], Piece("never"), *draft[here:])
    base = Piece(verb.lemma_, draft[here].space, verb.i)
    if rng.random() < 0.3:
        return (*draft[:here], Piece(helper + "n't"), base, *draft[here + 1 :])
    return (*draft[:here], Piece(helper), Piece("not"), base, *draft[here + 1 :])


def _affirm(draft: Draft, verb: Token, place: int, forms: Forms) -> Draft | None:
    """Take the negation at `place` out; `did not go` becomes `went` where the form is known."""
    before = draft[place - 1] if place else None
    if before is not None and before.text.lower() in ("did", "does", "do") and before.index is not None:
        tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}[before.text.lower()]
        form = verb.lemma_ if tag == "VBP" else forms(verb.lemma_, tag)
        if form is None:
            return None
        out = [p for n, p in enumerate(draft) if n not in (place - 1, place)]
        return tuple(Piece(form, p.space, p.index) if p.index == verb.i else p for p in out)
    whole = {"ca": "can", "wo": "will"}
    out = [p for n, p in enumerate(draft) if n != place]
    if before is not None and not before.space:
        out[place - 1] = Piece(whole.get(before.text, before.text), True, before.index)
    return tuple(out)


_STRONGER = (
    ("may", "will"), ("might", "will"), ("could", "will"), ("can", "must"), ("should", "will"), ("some", "all"),
    ("many", "all"), ("most", "all"), ("several", "all"), ("often", "always"), ("sometimes", "always"),
    ("usually", "always"), ("one of the", "the"), ("among the", "the"), ("a", "the only"), ("nearly", "more than"),
    ("almost", "more than"), ("about", "exactly"), ("up to", "more than"), ("at least", "exactly"),
    ("part of", "all of"), ("expected to", "certain to"), ("plans to", "has begun to"), ("plan to", "have begun to"),
    ("tried to", "managed to"), ("hopes to", "is certain to"), ("wants to", "is going to"),
    ("wanted to", "managed to"), ("alleged", "proven"), ("suspected", "convicted"), ("accused of", "convicted of"),
    ("charged with", "convicted of"), ("likely to", "sure to"),
)  # fmt: skip


_WEAK = dict(_STRONGER)
_WEAKER = re.compile(rf"(?<![\w'’-])({'|'.join(sorted(_WEAK, key=len, reverse=True))}) ")


def overstate(text: str, rng: random.Random) -> str | None:
    """Make a claim stronger than it was (`may` to `will`, `some` to `all`); None if there is nothing to stretch."""
    options = [
        (m.start(1), m.end(1), _WEAK[m[1]]) for m in _WEAKER.finditer(text) if m[1] != "a" or rng.random() < 0.15
    ]
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def roles(draft: Draft, doc: Doc, subject: tuple[int, int], other: tuple[int, int]) -> Draft | None:
    """Let subject and object change places.

    Args:
        draft: A claim.
        doc: Its document.
        subject: Token numbers of the subject, half-open.
        other: Token numbers of the object or agent, half-open.

    Returns:
        The claim with both exchanged, or None if either does not stand in it whole.
    """
    p, q = find(draft, *subject), find(draft, *other)
    if p is None or q is None or not (p[1] <= q[0] or q[1] <= p[0]):
        return None
    first, second = draft[p[0] : p[1]], draft[q[0] : q[1]]
    word = doc[subject[0]]
    if word.pos_ != "PROPN" and not word.ent_type_:
        first = (Piece(first[0].text.lower(), first[0].space, first[0].index), *first[1:])
    if p < q:
        return put(put(draft, q, first), p, second)
    return put(put(draft, p, second), q, first)
