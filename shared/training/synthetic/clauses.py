"""Clauses: who did what, with the words that say where and when kept apart."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.synthetic.pieces import Draft, Piece, of_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc, Span, Token

SUBJECTS = ("nsubj", "nsubjpass", "expl")
_VERB_PARTS = ("aux", "auxpass", "neg", "prt")
_CORE = ("dobj", "obj", "attr", "oprd", "acomp", "xcomp", "dative", "agent", "ccomp")
_ADJUNCTS = ("prep", "npadvmod", "advmod", "tmod")
_NOT_ASSERTED = ("ccomp", "xcomp", "csubj", "pcomp", "csubjpass")
_CONDITIONS = ("if", "unless", "whether", "till", "until", "before", "so", "lest", "provided", "though")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that its sentence states as a fact.

    Attributes:
        verb: The main verb.
        subject: Subject words in the document's order, without relative clauses and appositions.
        head: The subject's head word.
        verbs: Auxiliaries, negation, main verb, particle.
        core: Complements, each a run of words.
        adjuncts: Prepositional phrases, adverbs, time expressions, each a run of words.
        helper: Auxiliary to put before the verb where the clause borrows it (`was born` from `born`).
    """

    verb: Token
    subject: tuple[Token, ...]
    head: Token
    verbs: tuple[Token, ...]
    core: tuple[tuple[Token, ...], ...]
    adjuncts: tuple[tuple[Token, ...], ...]
    helper: str = ""

    @property
    def negated(self) -> bool:
        """Whether the verb is negated or the subject is a negative one."""
        return any(t.dep_ == "neg" for t in self.verbs) or self.subject[0].lower_ in _NEGATIVE


_NEGATIVE = {"no", "none", "nobody", "nothing", "neither", "few", "little", "hardly"}


def bare(head: Token, drop: Iterable[str] = ("relcl", "appos", "acl", "cc", "conj")) -> tuple[Token, ...]:
    """Return a phrase without loose parts; a list of conjuncts is kept whole if any part of it is."""
    dropped: set[int] = set()
    drop = set(drop)
    if any(c.dep_ == "conj" for c in head.children):
        drop -= {"cc", "conj"}
    for child in head.children:
        if child.dep_ in drop or (child.dep_ == "punct" and "conj" not in drop and child.text != ","):
            dropped.update(t.i for t in child.subtree)
    kept = [t for t in head.subtree if t.i not in dropped]
    while kept and ((kept[-1].is_punct and kept[-1].text not in "\"')”’") or kept[-1].is_space):
        kept.pop()
    while kept and ((kept[0].is_punct and kept[0].text not in "\"'(“‘") or kept[0].is_space):
        kept.pop(0)
    return tuple(kept)


def asserted(verb: Token) -> bool:
    """Whether the sentence states the verb's clause as a fact (no condition, no reported content)."""
    token = verb
    while True:
        if any(c.dep_ == "mark" and c.lower_ in _CONDITIONS for c in token.children):
            return False
        if token.dep_ in _NOT_ASSERTED or (token.dep_ == "acl" and token is not verb):
            return False
        if token.dep_ in ("advcl", "relcl") and any(c.dep_ == "neg" for c in token.head.children):
            return False
        if token.head.i == token.i:
            return True
        token = token.head


def clauses(sentence: Span) -> list[Clause]:
    """Return the clauses that a sentence states as facts."""
    root = sentence.root
    order = root.tag_ == "VB" and not any(c.dep_ in ("aux", *SUBJECTS) for c in root.children)
    if sentence.text.rstrip().endswith("?") or order:
        return []
    found = []
    for token in sentence:
        if token.pos_ not in ("VERB", "AUX") or token.dep_ in (*_VERB_PARTS, *_NOT_ASSERTED):
            continue
        if not asserted(token):
            continue
        clause = _clause(token)
        if clause is not None:
            found.append(clause)
    return found


def _clause(verb: Token) -> Clause | None:
    """Build the clause of one verb; None if it has no subject that can be told."""
    children = list(verb.children)
    parts = [c for c in children if c.dep_ in _VERB_PARTS]
    subjects = [c for c in children if c.dep_ in SUBJECTS]
    helper = ""
    if subjects:
        head = subjects[0]
        if head.tag_ in ("WDT", "WP"):
            if verb.dep_ != "relcl" or head.lower_ == "what":
                return None
            head = verb.head
        elif verb.dep_ == "relcl":
            return None
    elif verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        first = verb.head
        above = [c for c in first.children if c.dep_ in SUBJECTS]
        if not above or above[0].tag_ in ("WDT", "WP"):
            return None
        head = above[0]
        if not parts:
            if any(c.dep_ == "neg" for c in first.children):
                return None
            auxes = [c for c in first.children if c.dep_ in ("aux", "auxpass")]
            if (auxes and verb.tag_ != first.tag_) or (not auxes and verb.tag_ not in ("VBD", "VBZ", "VBP")):
                return None
            parts = auxes
    elif verb.dep_ == "acl" and verb.tag_ == "VBN" and verb.head.pos_ in ("NOUN", "PROPN"):
        head = verb.head
        helper = "were" if head.tag_ in ("NNS", "NNPS") else "was"
        if any(t.dep_ in ("aux", "neg") for t in children):
            return None
    else:
        return None
    drop = (
        ("relcl", "appos", "acl", "cc", "conj", "prep")
        if verb.dep_ in ("relcl", "acl")
        else (
            "relcl",
            "appos",
            "acl",
            "cc",
            "conj",
        )
    )
    subject = bare(head, drop)
    if not subject or len(subject) > 14:
        return None
    core = tuple(tuple(c.subtree) for c in children if c.dep_ in _CORE)
    adjuncts = tuple(
        tuple(c.subtree)
        for c in children
        if c.dep_ in _ADJUNCTS and len(list(c.subtree)) <= 14 and c.tag_ not in ("WRB", "WP", "WDT")
    )
    if not core and not adjuncts:
        return None
    return Clause(verb, subject, head, tuple(sorted((*parts, verb), key=lambda t: t.i)), core, adjuncts, helper)


def clause_draft(clause: Clause, rng: random.Random, keep: float = 0.6) -> Draft:
    """Return a clause as a claim: subject, verb, complements, and some of its adjuncts.

    Args:
        clause: The clause.
        rng: Decides which adjuncts stay.
        keep: Chance of an adjunct to stay. In a negated clause all stay: leaving one out could make the
            claim false. Adverbs stay always (`almost`, `allegedly`, `never` change the meaning).
    """
    chosen = list(clause.core)
    core_needed = not clause.core
    for number, part in enumerate(clause.adjuncts):
        must = clause.negated or part[0].dep_ == "advmod" or (core_needed and number == 0)
        if must or rng.random() < keep:
            chosen.append(part)
    tokens = {t.i: t for part in chosen for t in part}
    tokens.update((t.i, t) for t in clause.verbs)
    first = clause.subject[0].i
    before = [t for i, t in sorted(tokens.items()) if i < first]
    after = [t for i, t in sorted(tokens.items()) if i >= first]
    quoted = any(part[-1].i < clause.verb.i and part[0].i < first for part in clause.core)
    helper = (Piece(clause.helper),) if clause.helper else ()
    subject = _with_space(of_tokens(clause.subject))
    if not before:
        return subject + helper + of_tokens(after)
    if quoted:
        content = _lowered(of_tokens(t for t in before if t.text not in '"“”'), clause.verb.doc)
        return (*subject, *helper, *_with_space(of_tokens(after)), Piece("that"), *content)
    front = of_tokens(before)
    if clause.helper or (not clause.negated and rng.random() < 0.4 and len(clause.core)):
        return subject + helper + of_tokens(after)
    front = (*front[:-1], Piece(front[-1].text.rstrip(",") + ",", True, front[-1].index))
    return (*front, *_lowered(subject, clause.verb.doc), *helper, *of_tokens(after))


def _lowered(draft: Draft, doc: Doc) -> Draft:
    """Return the draft for the middle of a sentence: first letter small unless it begins a name."""
    if not draft or draft[0].index is None:
        return draft
    token = doc[draft[0].index]
    named = token.pos_ == "PROPN" or (token.ent_type_ and token.lower_ not in ("the", "a", "an"))
    if named or token.text == "I" or token.text.isupper():
        return draft
    return (Piece(token.text[0].lower() + token.text[1:], draft[0].space, token.i), *draft[1:])


def _with_space(draft: Draft) -> Draft:
    """Return the draft with a space after its last piece."""
    return (*draft[:-1], Piece(draft[-1].text, True, draft[-1].index)) if draft else draft
