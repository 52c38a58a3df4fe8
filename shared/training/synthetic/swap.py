"""Wrong words in a true claim: another name, another noun, another verb, another adjective."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from training.synthetic.pieces import Draft, Piece, find, put

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

NAMES = ("PERSON", "ORG", "GPE", "LOC", "NORP", "FAC", "EVENT", "PRODUCT", "WORK_OF_ART")
_FAMILY = {"LOC": "GPE", "FAC": "GPE", "EVENT": "WORK_OF_ART", "PRODUCT": "ORG"}


def kind(label: str) -> str:
    """Return the group of an entity label whose names can stand for each other."""
    return _FAMILY.get(label, label)


def clean_name(entity: Span) -> str:
    """Return an entity's name without article and possessive ending; empty if it is no good name."""
    text = " ".join(entity.text.split()).removesuffix("'s").removesuffix("’s").strip(" ,.\"'")
    for article in ("the ", "The ", "a "):
        text = text.removeprefix(article)
    return text if 1 < len(text) <= 40 and text[0].isupper() and "\n" not in text else ""


@dataclass(slots=True)
class Pool:
    """Words from all passages to take replacements from.

    Attributes:
        names: Names by kind.
        words: Nouns, verbs and adjectives by Penn tag.
    """

    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, docs: Iterable[Doc]) -> Pool:
        """Collect names and words; frequent ones stand in the lists as often as in the text."""
        pool = cls()
        for doc in docs:
            for entity in doc.ents:
                name = clean_name(entity)
                if name and entity.label_ in NAMES:
                    pool.names[kind(entity.label_)].append(name)
            for token in doc:
                if swappable(token):
                    pool.words[token.tag_].append(token.lower_)
        return pool


def swappable(token: Token) -> bool:
    """Whether a word is an ordinary noun, main verb or adjective outside names."""
    return (
        token.tag_ in ("NN", "NNS", "VBD", "VBN", "VBZ", "VBG", "JJ")
        and token.ent_iob_ == "O"
        and token.is_alpha
        and len(token) > 3
        and token.dep_ not in ("aux", "auxpass")
        and token.lemma_ not in ("be", "have", "do", "say", "other", "such", "same", "year", "people", "thing")
    )


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a passage: its cleaned text, its kind, its place."""

    text: str
    kind: str
    entity: Span


def names_of(sentences: Iterable[Span]) -> list[Name]:
    """Return the usable names in sentences."""
    return [
        Name(text, kind(entity.label_), entity)
        for sentence in sentences
        for entity in sentence.ents
        if entity.label_ in NAMES and (text := clean_name(entity))
    ]


def other_names(names: Iterable[Name], sort: str, old: str) -> list[str]:
    """Return the names of a kind that share no word with `old`, each once."""
    words = {w.lower() for w in old.split()}
    found = [n.text for n in names if n.kind == sort and not words & {w.lower() for w in n.text.split()}]
    return list(dict.fromkeys(found))


def linked(first: Span, second: Span) -> bool:
    """Whether two entities belong to one list, or one explains the other."""
    a, b = first.root, second.root
    return any(
        t.dep_ in ("conj", "appos") and t.head.i == upper.i
        for upper, lower in ((a, b), (b, a))
        for t in (lower, *lower.ancestors)
    )


def swap_name(draft: Draft, here: Sequence[Name], near: Sequence[Name], pool: Pool, rng: random.Random) -> Draft | None:
    """Put another name of the same kind in the place of one of the claim's names.

    About half of the new names come from the passage, the others from other passages.

    Args:
        draft: A true claim.
        here: Names in the claim's sentence.
        near: Names in the passage.
        pool: Names of all passages.
        rng: Source of choices.
    """
    places = [(n, p) for n in here if (p := find(draft, n.entity.start, n.entity.end)) is not None]
    if not places:
        return None
    name, place = rng.choice(places)
    text = " ".join(p.text for p in draft)
    beside = {n.text for n in here if n is not name and linked(name.entity, n.entity)}
    options = [n for n in other_names(near, name.kind, name.text) if n not in beside and n not in text]
    if not options or rng.random() < 0.45:
        words = {w.lower() for w in name.text.split()}
        known = {n.text for n in near}
        options = [
            n
            for n in rng.choices(pool.names[name.kind], k=8)
            if not words & {w.lower() for w in n.split()} and n not in known
        ]
    if not options:
        return None
    new = rng.choice(options)
    article = name.entity.text.lower().startswith("the ") and name.kind not in ("PERSON", "GPE")
    return put(draft, place, (Piece(("the " if article else "") + _suffix(name.entity, new)),))


def exchange_names(draft: Draft, doc: Doc, here: Sequence[Name], rng: random.Random) -> Draft | None:
    """Let two names of the same kind in a claim change places: the same words, another fact."""
    names = [(n, p) for n in here if (p := find(draft, n.entity.start, n.entity.end)) is not None]
    pairs = [
        (a, b)
        for n, a in enumerate(names)
        for b in names[n + 1 :]
        if a[0].kind == b[0].kind
        and not linked(a[0].entity, b[0].entity)
        and not {w.lower() for w in a[0].text.split()} & {w.lower() for w in b[0].text.split()}
        and not any(doc[i].lower_ in ("and", "or", "with") for i in range(a[0].entity.end, b[0].entity.start))
    ]
    if not pairs:
        return None
    (first, p), (second, q) = rng.choice(pairs)
    if p > q:
        (first, p), (second, q) = (second, q), (first, p)
    left, right = (Piece(_suffix(first.entity, second.text)),), (Piece(_suffix(second.entity, first.text)),)
    return put(put(draft, q, right), p, left)


def _suffix(place: Span, name: str) -> str:
    """Return a name with the possessive ending of the one whose place it takes."""
    return name + ("'s" if place.text.endswith(("'s", "’s")) else "")


def swap_word(draft: Draft, doc: Doc, near: dict[str, list[str]], pool: Pool, rng: random.Random) -> Draft | None:
    """Put another noun, verb or adjective of the same form in the place of one of the claim's.

    Args:
        draft: A true claim.
        doc: Its passage.
        near: Words of the passage by Penn tag.
        pool: Words of all passages.
        rng: Source of choices.
    """
    places = [(n, doc[p.index]) for n, p in enumerate(draft) if p.index is not None and swappable(doc[p.index])]
    places = [(n, t) for n, t in places if t.pos_ != "ADJ" or rng.random() < 0.3]
    if not places:
        return None
    number, token = rng.choice(places)
    here = {p.text.lower() for p in draft}
    options = [w for w in near.get(token.tag_, ()) if w not in here]
    if not options or rng.random() < 0.6:
        known = set(near.get(token.tag_, ()))
        options = [w for w in rng.choices(pool.words[token.tag_], k=6) if w not in known and w not in here]
    if not options:
        return None
    return put(draft, (number, number + 1), (Piece(rng.choice(options), True, token.i),))
