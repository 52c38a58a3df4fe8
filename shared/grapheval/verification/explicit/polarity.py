"""Whether a sentence says the same as a claim, or its opposite: negation, certainty, opposites, exchanged roles."""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from grapheval.context.words import STOPWORDS, term, words_of
from grapheval.types import Claim
from grapheval.verification.explicit.lexicon import DENIALS, HEDGES, NEGATIONS, OPPOSITES, UNCERTAIN
from grapheval.verification.explicit.reading import Sentence

_REACH = 4
"""How many words after itself a negation or hedge governs."""
_GOVERNED = 2
"""How many content words after a negation must stand in a sentence that affirms them."""
_BESIDE = 3
_BE = frozenset("is are was were be been being gets got".split())
_FARTHEST = 9
_PREPOSITIONS = frozenset("of in on at for from with to over after before about through into against as".split())
_BREAKS = _PREPOSITIONS | frozenset("who whom which that whose and or but while when because than".split())
"""Between subject, verb and object they mean that these do not belong together."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """How a sentence differs from a claim whose words it holds.

    Args:
        negation: The word that negates on one side only; None = no difference.
        hedge: The word that makes the sentence less certain than the claim.
        opposite: The claim's word and its opposite in the sentence.
        exchanged: Subject and object that the sentence has the other way round.
    """

    negation: str | None = None
    hedge: str | None = None
    opposite: tuple[str, str] | None = None
    exchanged: tuple[str, str] | None = None


def compare(
    claim: Claim,
    read: Sentence,
    sentence: Sentence,
    window: Collection[str],
    terms: frozenset[str],
    names: frozenset[str],
) -> Polarity:
    """Compare a claim with the sentence that holds most of it.

    Args:
        claim: The claim.
        read: The claim as read.
        sentence: The sentence.
        window: The words of all that was read with it: a negated claim may rest on any of them.
        terms: The claim's content words.
        names: Those of them that are names: a negation or hedge does not govern them.
    """
    shared = (terms & sentence.held) - names
    own = next((word for word in read.words if word in NEGATIONS), None)
    theirs = _governing(sentence, NEGATIONS, shared)
    opposite = _opposite(read, sentence)
    negation = None
    if own is not None and (DENIALS.isdisjoint(window) or _affirms(sentence, read)):
        negation = own
    elif own is None and theirs is not None and DENIALS.isdisjoint(read.words):
        negation = theirs
    if opposite is not None and (negation or (own is not None) is not (theirs is not None)):
        negation = opposite = None  # "not open" is "closed"
    hedge = _governing(sentence, HEDGES, shared) if UNCERTAIN.isdisjoint(read.words) else None
    return Polarity(negation, hedge, opposite, _exchanged(claim, sentence))


def _governing(sentence: Sentence, kind: frozenset[str], governed: frozenset[str]) -> str | None:
    """The word of that kind whose next content word is one of the governed."""
    for place, word in enumerate(sentence.words):
        if word not in kind:
            continue
        for n in range(place + 1, min(place + 1 + _REACH, len(sentence.words))):
            if sentence.words[n] in {"only", "just"}:
                break  # "not only"
            if sentence.terms[n] in governed and sentence.terms[n][0] != "#":
                return word
            if sentence.words[n] not in STOPWORDS:
                break
    return None


def _affirms(sentence: Sentence, read: Sentence) -> bool:
    """Whether a sentence without any denial has what the claim's negation governs, and what stands before and after."""
    if not DENIALS.isdisjoint(sentence.words):
        return False
    place = next(n for n, word in enumerate(read.words) if word in NEGATIONS)
    content = [n for n, word in enumerate(read.words) if word not in STOPWORDS and word not in NEGATIONS]
    before = [read.terms[n] for n in content if n < place][-1:]
    after = [read.terms[n] for n in content if n > place][:_GOVERNED]
    return bool(after) and all(key in sentence.held for key in (*before, *after))


def _opposite(read: Sentence, sentence: Sentence) -> tuple[str, str] | None:
    """A word of the claim and its opposite in the sentence, both beside the same word."""
    for place, (word, key) in enumerate(zip(read.words, read.terms, strict=True)):
        others = OPPOSITES.get(word)
        if others is None or key in sentence.held:
            continue
        near = _neighbours(read, place)
        for number, other in enumerate(sentence.words):
            if other in others and sentence.terms[number] not in read.held and near & _neighbours(sentence, number):
                return word, other
    return None


def _neighbours(sentence: Sentence, place: int) -> frozenset[str]:
    around = range(max(0, place - _BESIDE), min(len(sentence.words), place + _BESIDE + 1))
    return frozenset(sentence.terms[n] for n in around if n != place and sentence.words[n] not in STOPWORDS)


def _exchanged(claim: Claim, sentence: Sentence) -> tuple[str, str] | None:
    """Subject and object where the sentence has them the other way round beside the same verb."""
    triple = claim.triple
    if triple is None:
        return None
    subject, verb, object_ = _head(triple.subject), _verb(triple.relation), _head(triple.object)
    if not (subject and verb and object_) or subject == object_:
        return None
    where = {key: [n for n, other in enumerate(sentence.terms) if other == key] for key in (subject, verb, object_)}
    if any(len(places) != 1 for places in where.values()):
        return None
    s, v, o = where[subject][0], where[verb][0], where[object_][0]
    first, last = min(s, v, o), max(s, v, o)
    if v in (first, last) or last - first > _FARTHEST:
        return None
    between = frozenset(sentence.words[first:last]) - {"by"}
    if not _BREAKS.isdisjoint(between):
        return None
    relation = words_of(triple.relation)
    claim_passive = relation[-1] == "by" and not _BE.isdisjoint(relation)
    passive = sentence.words[v + 1] == "by" and not _BE.isdisjoint(sentence.words[max(0, v - 2) : v])
    if not passive and "by" in sentence.words[first:last]:
        return None
    actor, other = (o, s) if claim_passive else (s, o)
    return None if (actor < other) is not passive else (triple.subject, triple.object)


def _head(phrase: str) -> str:
    """The term of the last word of a phrase before its first preposition."""
    words = words_of(phrase)
    for place, word in enumerate(words):
        if place and word in _BREAKS:
            words = words[:place]
            break
    content = [word for word in words if word not in STOPWORDS]
    return term(content[-1]) if content else ""


def _verb(relation: str) -> str:
    content = [word for word in words_of(relation) if word not in STOPWORDS]
    return term(content[-1]) if len(content) == 1 else ""
