"""Fusions: every word stands in the window, the statement does not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from training.synthetic.clauses import Clause
from training.synthetic.pieces import Draft, Piece, of_text, of_tokens

if TYPE_CHECKING:
    from spacy.tokens import Token

_SYMMETRIC = {
    "meet", "marry", "join", "equal", "resemble", "fight", "face", "play", "be", "include", "mean", "become",
    "accompany", "match", "divorce", "date", "remain", "have", "involve", "border", "contact",
}  # fmt: skip


def distinct(a: Clause, b: Clause) -> bool:
    """Whether two clauses certainly have different subjects.

    Pronouns and definite nouns beside a name may mean the same thing: then the answer is no.
    """
    if a.verb.i == b.verb.i or a.head.i == b.head.i:
        return False
    if any(t.pos_ == "PRON" for t in (a.subject[0], b.subject[0], a.head, b.head)):
        return False
    if any(t.tag_ == "PRP$" for t in (*a.subject, *b.subject)):
        return False
    words_a = {t.lemma_.lower() for t in a.subject if t.pos_ in ("NOUN", "PROPN")}
    words_b = {t.lemma_.lower() for t in b.subject if t.pos_ in ("NOUN", "PROPN")}
    if words_a & words_b or not words_a or not words_b:
        return False
    if a.head.pos_ == b.head.pos_ == "PROPN":
        return bool(a.head.ent_type_) and bool(b.head.ent_type_)
    if a.head.pos_ == b.head.pos_ == "NOUN":
        return True
    name, noun = (a, b) if a.head.pos_ == "PROPN" else (b, a)
    person = name.head.ent_type_ == "PERSON"
    things = ("NNS", "NNPS")
    return (person and noun.head.tag_ in things) or (name.head.ent_type_ == "GPE" and noun.head.tag_ in things)


def _rest(clause: Clause, rng: random.Random, keep: float = 0.7) -> Draft:
    """Return a clause's predicate: verb group, complements, some adjuncts."""
    parts = list(clause.core)
    parts += [p for p in clause.adjuncts if clause.negated or not clause.core or rng.random() < keep]
    tokens = sorted((t for p in parts for t in p if t.i > clause.subject[0].i), key=lambda t: t.i)
    verbs = list(clause.verbs)
    draft = of_tokens(sorted({t.i: t for t in (*tokens, *verbs)}.values(), key=lambda t: t.i))
    return ((Piece(clause.helper),) if clause.helper else ()) + draft


def _spaced(draft: Draft) -> Draft:
    """Return the draft with a space after its last piece."""
    return (*draft[:-1], Piece(draft[-1].text, True, draft[-1].index)) if draft else draft


def predicate(a: Clause, b: Clause, rng: random.Random) -> Draft | None:
    """Let the subject of `a` do what the subject of `b` does."""
    if not distinct(a, b) or (_sort(a.head) != _sort(b.head) and rng.random() < 0.6):
        return None
    return _spaced(of_tokens(a.subject)) + _rest(b, rng)


def _sort(head: Token) -> str:
    """Return a rough sort of subject: entity type, or plain singular or plural noun."""
    return head.ent_type_ or head.tag_


def predicate_as_well(a: Clause, b: Clause, rng: random.Random) -> Draft | None:
    """Let the subject of `a` do its own thing and that of `b` too."""
    if not distinct(a, b):
        return None
    return _spaced(of_tokens(a.subject)) + _spaced(_rest(a, rng, 0.4)) + of_text("and") + _rest(b, rng, 0.4)


def argument(a: Clause, b: Clause, rng: random.Random) -> Draft | None:
    """Give the verb of `a` an object of `b`."""
    mine = [p for p in a.core if p[0].dep_ != "ccomp" and _noun(p) is not None]
    theirs = [p for p in (*b.core, *b.adjuncts) if _noun(p) is not None]
    if not mine or not theirs or (a.verb.sent.start == b.verb.sent.start and rng.random() < 0.5):
        return None
    old, source = rng.choice(mine), rng.choice(theirs)
    noun, other = _noun(old), _noun(source)
    if noun is None or other is None or noun.lemma_ == other.lemma_ or noun.tag_ != other.tag_:
        return None
    if {t.lemma_ for t in old} & {t.lemma_ for t in source if t.pos_ in ("NOUN", "PROPN")}:
        return None
    new = [t for t in other.subtree if t.i >= source[0].i]
    lead = [t for t in old if t.i < min(s.i for s in noun.subtree)]
    before = list(a.verbs)
    out = _spaced(of_tokens(a.subject)) + ((Piece(a.helper),) if a.helper else ()) + _spaced(of_tokens(before))
    out += _spaced(of_tokens(lead)) + _spaced(of_tokens(new))
    kept = [p for p in a.adjuncts if p[0].i > old[-1].i and rng.random() < 0.5]
    return out + of_tokens(t for p in kept for t in p)


def _noun(part: Sequence[Token]) -> Token | None:
    """Return the noun that heads a complement (inside its preposition), or None."""
    for token in part:
        if token.dep_ in ("dobj", "pobj", "attr") and token.pos_ in ("NOUN", "PROPN"):
            return token
    return None


def attached(a: Clause, b: Clause, rng: random.Random) -> Draft | None:
    """Give `a` a place, time or other phrase that belongs to `b`, in place of its own of that kind."""
    theirs = [p for p in b.adjuncts if p[0].dep_ in ("prep", "npadvmod", "tmod") and len(p) > 1]
    theirs = [p for p in theirs if p[0].lower_ not in ("of", "as", "than", "like", "including", "to")]
    if not theirs:
        return None
    part = rng.choice(theirs)
    own = [
        p
        for p in a.adjuncts
        if p[0].lower_ != part[0].lower_ and not _types(p) & _types(part) and (a.negated or rng.random() < 0.4)
    ]
    if {t.lemma_ for p in (a.core + a.adjuncts) for t in p if t.pos_ in ("NOUN", "PROPN", "NUM")} & {
        t.lemma_ for t in part if t.pos_ in ("NOUN", "PROPN", "NUM")
    }:
        return None
    tokens = sorted(
        {t.i: t for p in (*a.core, *own, a.verbs) for t in p if t.i > a.subject[0].i}.values(), key=lambda t: t.i
    )
    helper = (Piece(a.helper),) if a.helper else ()
    subject = _spaced(of_tokens(a.subject))
    if rng.random() < 0.2 and part[0].ent_type_ in ("", "DATE", "GPE"):
        front = of_tokens(part)
        front = (*front[:-1], Piece(front[-1].text + ",", True, front[-1].index))
        return front + subject + helper + of_tokens(tokens)
    return subject + helper + _spaced(of_tokens(tokens)) + of_tokens(part)


def _types(part: Sequence[Token]) -> set[str]:
    """Return the entity types in a phrase, times as one."""
    return {"DATE" if t.ent_type_ == "TIME" else t.ent_type_ for t in part if t.ent_type_}


def speaker(a: Clause, name: str) -> Draft | None:
    """Let someone else say it."""
    if a.verb.lemma_ not in ("say", "tell", "claim", "argue", "believe", "announce", "warn", "add", "insist"):
        return None
    said = [p for p in a.core if any(t.dep_ == "ccomp" for t in p)]
    if len(said) != 1 or name in " ".join(t.text for t in a.subject):
        return None
    content = [t for t in said[0] if t.text not in '"“”']
    if a.subject[0].pos_ == "PRON" or content[0].lower_ == "that":
        content = [t for t in content if t.i != said[0][0].i or t.lower_ != "that"]
    return (*of_text(name), Piece("said"), Piece("that"), *of_tokens(content))


def exchanged(a: Clause) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the token ranges of subject and object (or agent) that may change places, or None.

    Both must be of the same sort (names, or people, or plain nouns) and the verb must not mean the same
    both ways round.
    """
    if a.verb.lemma_ in _SYMMETRIC or a.subject[0].pos_ == "PRON" or a.negated:
        return None
    for part in a.core:
        noun = next((t for t in part if t.dep_ in ("dobj", "pobj") and t.pos_ in ("NOUN", "PROPN")), None)
        if noun is None or part[0].dep_ in ("ccomp", "xcomp", "attr", "acomp"):
            continue
        tokens = [t for t in noun.subtree if t.i >= part[0].i]
        names = a.head.pos_ == noun.pos_ == "PROPN"
        plain = a.head.pos_ == noun.pos_ == "NOUN" and a.head.ent_type_ == noun.ent_type_ == ""
        whole = tokens[-1].i - tokens[0].i + 1 == len(tokens)
        contiguous = a.subject[-1].i - a.subject[0].i + 1 == len(a.subject)
        if (names or plain) and whole and contiguous and noun.lemma_ != a.head.lemma_:
            return (a.subject[0].i, a.subject[-1].i + 1), (tokens[0].i, tokens[-1].i + 1)
    return None


def because(a: Draft, b: Draft, rng: random.Random) -> Draft:
    """Join two true statements by a reason or an order in time that nobody stated."""
    word = rng.choice(["because", "after", "before", "as a result of which", "in order that"])
    if word in ("as a result of which", "in order that"):
        word = "so that"
    end = len(a)
    while end and a[end - 1].text in ".,;!":
        end -= 1
    head = _spaced(a[:end])
    first = b[0]
    if first.index is None or not first.text[:1].isupper() or first.text in ("The", "A", "An", "In", "It", "He", "She"):
        first = Piece(first.text[:1].lower() + first.text[1:], first.space, first.index)
    return head + of_text(word) + (first, *b[1:])
