"""True and false claims about one window, each with its family and label."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILMENT
from training.synthetic import compress, fuse, negate, numbers, rewrite, swap
from training.synthetic.clauses import Clause, clause_draft, clauses
from training.synthetic.passages import Window, usable
from training.synthetic.pieces import Draft, Piece, of_tokens, render
from training.synthetic.rewrite import Forms, inflect

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


MATERIAL = 6
"""Number of true drafts (and of clauses) per window that false claims are made from, at most."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A finished claim.

    Attributes:
        text: The hypothesis.
        label: Class index, see `training.rows`.
        family: Kind of rule that made it.
        twin: For a false claim the true one that it was made from, where there is one.
    """

    text: str
    label: int
    family: str
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class TrueDraft:
    """A true draft, the material of false ones.

    Attributes:
        draft: Its words.
        family: Kind of rule that made it.
        sentence: The sentence that states it.
        verb: Its main verb, where known.
        clause: Its clause, where it is one.
    """

    draft: Draft
    family: str
    sentence: Span
    verb: Token | None = None
    clause: Clause | None = None


def true_drafts(window: Window, rng: random.Random, forms: Forms = inflect) -> list[TrueDraft]:
    """Return true drafts about a window: sentences, compressions, clauses, rewritten ones."""
    found: list[TrueDraft] = []
    for number, sentence in enumerate(window.sentences):
        if not usable(sentence):
            continue
        root = sentence.root

        def add(draft: Draft | None, family: str, verb: Token | None, clause: Clause | None = None) -> None:
            if draft:
                found.append(TrueDraft(draft, family, sentence, verb, clause))  # noqa: B023

        add(of_tokens(sentence), "verbatim", root)
        add(compress.compress(sentence, rng), "compressed", root)
        add(compress.compress(sentence, rng, 0.9), "compressed", root)
        add(compress.shorten_list(sentence, rng), "list", root)
        for draft, _ in rewrite.copulas(sentence):
            add(draft, "copula", None)
        for clause in clauses(sentence):
            draft = clause_draft(clause, rng)
            add(draft, "clause", clause.verb, clause)
            if rng.random() < 0.5:
                add(clause_draft(clause, rng, 0.2), "clause", clause.verb, clause)
            add(rewrite.to_active(clause, forms), "voice", clause.verb, clause)
            add(rewrite.to_passive(clause, forms), "voice", None, clause)
            add(rewrite.move_time(clause, rng), "moved", clause.verb, clause)
            add(rewrite.reported(clause, rng), "reported", clause.verb, clause)
            named = rewrite.name_pronouns(draft, window.sentences[:number], sentence)
            add(named, "named", clause.verb, clause)
    return found


def positives(window: Window, drafts: Sequence[TrueDraft], rng: random.Random) -> list[Claim]:
    """Return true claims about a window."""
    claims = [Claim(render(d.draft), ENTAILMENT, d.family) for d in drafts]
    by_sentence = {d.sentence.start: [e for e in drafts if e.sentence.start == d.sentence.start] for d in drafts}
    starts = sorted(by_sentence)
    for first, second in pairwise(starts):
        a, b = rng.choice(by_sentence[first]), rng.choice(by_sentence[second])
        claims.append(Claim(_merged(a, b, rng), ENTAILMENT, "merged"))
    for claim in list(claims):
        if rng.random() < 0.5:
            other = numbers.reformat(claim.text, rng)
            if other:
                claims.append(Claim(other, ENTAILMENT, "reformatted"))
        if rng.random() < 0.5:
            other = rewrite.synonyms(claim.text, rng)
            if other:
                claims.append(Claim(other, ENTAILMENT, "synonyms"))
    return claims


def _merged(a: TrueDraft, b: TrueDraft, rng: random.Random) -> str:
    """Return two true drafts as one sentence."""
    first = next((p for p in b.draft if p.index is not None), None)
    token = b.sentence.doc[first.index] if first is not None and first.index is not None else None
    proper = token is not None and (token.pos_ == "PROPN" or bool(token.ent_type_) or token.text == "I")
    return render(compress.merge(a.draft, b.draft, rng, proper))


def negatives(
    window: Window, drafts: Sequence[TrueDraft], pool: swap.Pool, other: Doc, rng: random.Random, forms: Forms = inflect
) -> Iterator[Claim]:
    """Yield false and unsupported claims about a window.

    Args:
        window: The premise.
        drafts: True drafts about it.
        pool: Names and words of all passages.
        other: Another passage, to take details from.
        rng: Source of choices.
        forms: Verb forms.
    """
    doc = window.doc
    figures = numbers.numbers_in(doc.text)
    near = swap.names_of((*window.sentences, *window.rest))
    words: dict[str, list[str]] = {}
    for token in doc:
        if swap.swappable(token):
            words.setdefault(token.tag_, []).append(token.lower_)
    for item in rng.sample(drafts, min(MATERIAL, len(drafts))):
        here = [n for n in near if item.sentence.start <= n.entity.start < item.sentence.end]
        if len(item.draft) < 4:
            continue
        text = render(item.draft)
        yield from _made(swap.swap_name(item.draft, here, near, pool, rng), CONTRADICTION, "name", text)
        yield from _made(swap.exchange_names(item.draft, doc, here, rng), CONTRADICTION, "exchanged-names", text)
        yield from _made(swap.swap_word(item.draft, doc, words, pool, rng), NOT_ENTAILMENT, "word", text)
        if item.verb is not None:
            yield from _made(negate.negate(item.draft, item.verb, rng, forms), CONTRADICTION, "negation", text)
        for changed, label, family in (
            (numbers.change(text, figures, rng), CONTRADICTION, "number"),
            (negate.antonym(text, rng), CONTRADICTION, "antonym"),
            (negate.overstate(text, rng), NOT_ENTAILMENT, "overstated"),
        ):
            if changed:
                yield Claim(changed, label, family, text)
        if item.clause is not None and item.family == "clause":
            places = fuse.exchanged(item.clause)
            if places is not None:
                yield from _made(negate.roles(item.draft, doc, *places), CONTRADICTION, "roles", text)
    found = [d.clause for d in drafts if d.clause is not None and d.family == "clause"]
    yield from _fusions(window, found, rng)
    yield from _details(window, found, other, rng)
    yield from _elsewhere(window, other, rng)


def _fusions(window: Window, found: Sequence[Clause], rng: random.Random) -> Iterator[Claim]:
    """Yield statements put together from parts of the window."""
    rules: tuple[tuple[Callable[[Clause, Clause, random.Random], Draft | None], str], ...] = (
        (fuse.predicate, "fused-predicate"),
        (fuse.predicate_as_well, "fused-both"),
        (fuse.argument, "fused-argument"),
        (fuse.attached, "fused-phrase"),
    )
    here = swap.names_of(window.sentences)
    for a in rng.sample(found, min(MATERIAL, len(found))):
        for b in rng.sample(found, min(MATERIAL, len(found))):
            if a.verb.i == b.verb.i:
                continue
            for rule, family in rules:
                twin = render(clause_draft(rng.choice((a, b)), rng))
                yield from _made(rule(a, b, rng), NOT_ENTAILMENT, family, twin)
        names = swap.other_names(here, "PERSON", " ".join(t.text for t in a.subject))
        if names:
            yield from _made(fuse.speaker(a, rng.choice(names)), NOT_ENTAILMENT, "speaker")
    pairs = [(a, b) for a in found for b in found if a.verb.sent.start != b.verb.sent.start]
    if pairs:
        a, b = rng.choice(pairs)
        draft = fuse.because(clause_draft(a, rng, 0.4), clause_draft(b, rng, 0.4), rng)
        yield from _made(draft, NEUTRAL, "relation")
    people = [(d, h) for s in window.sentences for d, h in rewrite.copulas(s)]
    if len(people) > 1:
        (first, head), (second, other) = rng.sample(people, 2)
        if head.ent_type_ == other.ent_type_ and head.lower_ != other.lower_:
            cut = next((n for n, p in enumerate(second) if p.text in ("is", "was")), 0)
            own = next((n for n, p in enumerate(first) if p.text in ("is", "was")), 0)
            yield from _made((*first[:own], *second[cut:]), NOT_ENTAILMENT, "fused-role")


def _details(window: Window, found: Sequence[Clause], other: Doc, rng: random.Random) -> Iterator[Claim]:
    """Yield true statements with a plausible detail that comes from another passage."""
    foreign = [c for s in other.sents if usable(s) for c in clauses(s)]
    if not foreign:
        return
    words = {t.lemma_.lower() for s in window.sentences for t in s}
    for a in rng.sample(found, min(MATERIAL, len(found))):
        b = rng.choice(foreign)
        parts = [p for p in b.adjuncts if any(t.lemma_.lower() not in words and t.pos_ in ("NOUN", "PROPN", "NUM")
                                              for t in p)]  # fmt: skip
        if parts:
            yield from _made(fuse.attached(a, b, rng), NEUTRAL, "detail")
        if rng.random() < 0.3:
            text = render(clause_draft(a, rng, 0.5))
            extra = render((*(Piece(t) for t in ("and",)), *fuse._rest(b, rng, 0.3)))
            if text and extra:
                yield Claim(text[:-1] + " " + extra[0].lower() + extra[1:], NEUTRAL, "detail-clause")


def _elsewhere(window: Window, other: Doc, rng: random.Random) -> Iterator[Claim]:
    """Yield true statements about another window of the passage, or about another passage."""
    lemmas = {t.lemma_.lower() for s in window.sentences for t in s if t.pos_ in ("NOUN", "PROPN", "VERB")}
    for sentence in window.rest:
        if not usable(sentence) or not lemmas & {t.lemma_.lower() for t in sentence}:
            continue
        drafts = [compress.compress(sentence, rng), *(clause_draft(c, rng) for c in clauses(sentence))]
        good = [d for d in drafts if d]
        if good:
            draft = rng.choice(good)
            if draft[0].text.lower() not in ("it", "they", "this", "that"):
                yield from _made(draft, NEUTRAL, "elsewhere")
    sentences = [s for s in other.sents if usable(s)]
    if sentences and rng.random() < 0.3:
        found = clauses(rng.choice(sentences))
        if found:
            yield from _made(clause_draft(rng.choice(found), rng), NEUTRAL, "other-passage")


def _made(draft: Draft | None, label: int, family: str, twin: str | None = None) -> Iterator[Claim]:
    """Yield the claim that a draft makes, if it makes one."""
    if draft:
        text = render(draft)
        if text:
            yield Claim(text, label, family, twin)
