"""Shorter sentences that stay true: loose parts dropped, lists cut down, clauses merged."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from training.synthetic.pieces import Draft, Piece, of_text, of_tokens

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_RISKY = {
    "no", "not", "n't", "never", "none", "nobody", "nothing", "neither", "nor", "without", "few", "hardly",
    "barely", "rarely", "all", "every", "most", "only", "if", "unless", "any", "each", "more", "less", "than",
    "least", "fewer", "cannot", "whether", "deny", "denied", "denies", "refused", "failed", "fewest", "both",
}  # fmt: skip
_KEPT_ADVERBS = {
    "almost", "nearly", "allegedly", "reportedly", "possibly", "perhaps", "probably", "maybe", "about", "around",
    "approximately", "likely", "supposedly", "too", "so", "as", "how", "once", "twice", "up", "down", "out", "off",
    "away", "back", "ago", "far", "long", "over", "yet", "well", "further", "partly", "apparently", "roughly",
}  # fmt: skip
_KEPT_ADJECTIVES = {
    "former", "fake", "alleged", "potential", "possible", "future", "proposed", "suspected", "would-be", "first",
    "second", "third", "last", "next", "other", "same", "new", "old", "non", "half", "late", "ex", "acting",
    "deputy", "vice", "many", "several", "due", "likely", "unlikely", "available", "able", "unable", "own",
}  # fmt: skip
_DASHES = {",", "–", "—", "-", "--", "(", ")"}
_DROPPED_PREPOSITIONS = {
    "in", "on", "at", "during", "after", "before", "since", "near", "with", "from", "by", "through", "across",
    "throughout", "inside", "outside", "along", "around", "following", "amid", "over", "within", "via",
}  # fmt: skip


def risky(sentence: Span) -> bool:
    """Whether leaving words out could make the sentence false: negation, quantifiers, comparisons, conditions."""
    return any(t.lower_ in _RISKY or t.lemma_.lower() in _RISKY for t in sentence)


def _loose(token: Token, deep: bool) -> bool:
    """Whether a token's phrase can be left out."""
    head = token.head
    before = token.nbor(-1).text if token.i > 0 else ""
    if token.dep_ == "appos" or (token.dep_ == "relcl" and _left(token).i > 0 and _comma_before(token)):
        return True
    if not deep:
        return False
    if token.dep_ == "advmod" and not list(token.children) and token.tag_ == "RB":
        return token.lower_ not in _KEPT_ADVERBS and head.pos_ in ("VERB", "AUX") and before != "as"
    if token.dep_ == "prep" and token.lower_ in _DROPPED_PREPOSITIONS and head.pos_ == "VERB":
        others = [c for c in head.children if c.dep_ in ("dobj", "attr", "acomp", "prep", "agent", "xcomp", "ccomp")]
        return len(others) > 1 and token.i > head.i + 1
    if token.dep_ in ("npadvmod", "tmod") and head.pos_ == "VERB":
        return token.ent_type_ in ("DATE", "TIME")
    if token.dep_ == "amod" and not list(token.children) and token.ent_iob_ == "O":
        return token.lower_ not in _KEPT_ADJECTIVES and token.tag_ == "JJ" and head.pos_ == "NOUN"
    if token.dep_ == "advcl" and not any(c.dep_ == "mark" and c.lower_ in ("if", "unless") for c in token.children):
        return token.i > head.i and token.tag_ in ("VBG", "VBD", "VBZ", "VBP")
    return token.dep_ == "relcl"


def _left(token: Token) -> Token:
    """Return the first token of a phrase."""
    return next(iter(token.subtree))


def _comma_before(token: Token) -> bool:
    """Whether a comma stands before a phrase."""
    first = _left(token)
    return first.i > 0 and first.nbor(-1).text == ","


def compress(sentence: Span, rng: random.Random, strength: float = 0.6) -> Draft | None:
    """Leave loose parts out, each with chance `strength`.

    In a sentence with negation, quantifiers or conditions only appositions and clauses between commas go.

    Returns:
        The shorter sentence, or None if nothing could go.
    """
    deep = not risky(sentence)
    dropped: set[int] = set()
    for token in sentence:
        if token.i in dropped or token.dep_ == "ROOT" or not _loose(token, deep) or rng.random() >= strength:
            continue
        phrase = [t.i for t in token.subtree]
        if len(phrase) > 0.7 * len(sentence):
            continue
        dropped.update(phrase)
        first, last = phrase[0], phrase[-1]
        doc = token.doc
        if first > sentence.start and last + 1 < sentence.end:
            if doc[first - 1].text in _DASHES and doc[last + 1].text in _DASHES:
                dropped.update((first - 1, last + 1))
            elif doc[first - 1].text in _DASHES and doc[last + 1].text in ".;":
                dropped.add(first - 1)
    kept = [t for t in sentence if t.i not in dropped]
    if not dropped or len([t for t in kept if t.is_alpha]) < 4:
        return None
    return of_tokens(kept)


def shorten_list(sentence: Span, rng: random.Random) -> Draft | None:
    """Keep one item of a list of nouns: `A and B won` gives `A won` only where the list is no subject.

    Lists after `between`, with `both`/`either`/`neither`, and lists in negative sentences stay whole.
    """
    if risky(sentence) or any(t.lower_ in ("between", "either", "together", "or", "nor") for t in sentence):
        return None
    heads = [t for t in sentence if t.dep_ in ("dobj", "pobj", "attr") and any(c.dep_ == "conj" for c in t.children)]
    if not heads:
        return None
    head = rng.choice(heads)
    dropped: set[int] = set()
    for child in head.children:
        listed = child.dep_ in ("cc", "conj") or (child.dep_ == "punct" and child.text == ",")
        if listed and child.i > head.i:
            dropped.update(t.i for t in child.subtree)
    return of_tokens(t for t in sentence if t.i not in dropped)


def merge(first: Draft, second: Draft, rng: random.Random, proper: bool) -> Draft:
    """Join two statements into one sentence.

    Args:
        first: A statement.
        second: Another one.
        rng: Chooses the joining word.
        proper: Whether the second begins with a name (whose capital letter stays).
    """
    joint = rng.choice([", and", " and", ";", ", while", "."])
    head = _without_stop(first)
    tail = _without_stop(second)
    if not head or not tail:
        return head + tail
    head = (*head[:-1], Piece(head[-1].text, False, head[-1].index))
    lead = of_text(joint) if joint.startswith(" ") else (Piece(joint),)
    if joint.startswith(" "):
        head = (*head[:-1], Piece(head[-1].text, True, head[-1].index))
    word = tail[0].text
    if joint == ".":
        word = word[0].upper() + word[1:]
    elif not proper:
        word = word[0].lower() + word[1:]
    return (*head, *lead, Piece(word, tail[0].space, tail[0].index), *tail[1:])


def _without_stop(draft: Draft) -> Draft:
    """Return the draft without its final full stop."""
    end = len(draft)
    while end and draft[end - 1].text in {".", ",", ";", "!", "?"}:
        end -= 1
    return draft[:end]
