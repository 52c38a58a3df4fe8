"""Other words, same fact: voice, attribution, fronted times, copulas, names for pronouns, synonyms."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from training.synthetic.clauses import Clause, bare
from training.synthetic.pieces import Draft, Piece, of_text, of_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Span, Token

_PAIRS = (
    "purchased|bought", "purchase|buy", "began|started", "begin|start", "begins|starts", "obtained|got",
    "assist|help", "assisted|helped", "attempted|tried", "attempt|try", "children|kids", "physicians|doctors",
    "physician|doctor", "automobile|car", "automobiles|cars", "film|movie", "films|movies", "large|big",
    "nearly|almost", "approximately|about", "roughly|about", "quickly|rapidly", "however|but", "additional|more",
    "demanded|called for", "also|too", "numerous|many", "several|a number of", "permit|allow",
    "permitted|allowed", "revealed|disclosed", "finished|completed", "required|needed", "requires|needs",
    "created|made", "killed|left dead", "the US|the United States", "U.S.|United States", "UK|United Kingdom",
    "company|firm", "companies|firms", "employees|workers", "residence|home", "passed away|died",
    "resides|lives", "stated|said", "wed|married", "ill|sick", "annually|every year", "established|founded",
    "located|situated", "near|close to", "because|since", "whole|entire", "rescue|save", "receive|get",
    "received|got", "choose|pick", "chose|picked", "crash|accident", "violent|brutal", "huge|enormous",
    "difficult|hard", "sufficient|enough", "chief executive|CEO", "towards|toward", "whilst|while",
    "construct|build", "constructed|built", "aircraft|plane", "wounded|injured", "jail|prison",
    "photo|picture", "photos|pictures", "vacation|holiday", "seek|look for", "end|finish", "ended|finished",
    "gave|handed", "show|demonstrate", "shows|demonstrates", "showed|demonstrated", "use|employ",
    "told reporters|said", "lawyer|attorney", "lawyers|attorneys", "aid|help", "blaze|fire", "cops|police",
)  # fmt: skip
SYNONYMS = tuple((pair.split("|")[0], pair.split("|")[1]) for pair in _PAIRS)
_ONE_WAY = {"killed", "also", "however", "told reporters", "gave", "because", "near", "end", "ended", "use"}


_OTHERS = dict(SYNONYMS) | {right: left for left, right in SYNONYMS if left not in _ONE_WAY}
_SYNONYM = re.compile(rf"(?<![\w'’-])({'|'.join(map(re.escape, sorted(_OTHERS, key=len, reverse=True)))})(?![\w-])")


def synonyms(text: str, rng: random.Random, chance: float = 0.7) -> str | None:
    """Replace words by others of the same meaning; None if there is nothing to replace."""
    changed = _SYNONYM.sub(lambda m: _OTHERS[m[1]] if rng.random() < chance else m[1], text)
    return changed if changed != text else None


Forms = Callable[[str, str], str | None]
"""Verb and Penn tag to the verb's form."""


def inflect(lemma: str, tag: str) -> str | None:
    """Return a verb's form for a Penn tag (`VBD`, `VBN`, `VBZ`, `VBG`, `VB`), or None."""
    from lemminflect import getInflection  # type: ignore[import-not-found, unused-ignore]

    forms = getInflection(lemma, tag)
    return forms[0] if forms else None


def _plural(head: Token) -> bool:
    """Whether a noun is plural."""
    return head.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in head.children)


def _decapitalised(tokens: Sequence[Token]) -> Draft:
    """Return a phrase for the middle of a sentence."""
    draft = of_tokens(tokens)
    first = tokens[0]
    if (
        first.pos_ != "PROPN" and not first.ent_type_ and first.text != "I" and first.text[:2].istitle()
    ) or first.lower_ in ("the", "a", "an"):
        draft = (Piece(first.lower_, draft[0].space, first.i), *draft[1:])
    return (*draft[:-1], Piece(draft[-1].text, True, draft[-1].index))


def to_active(clause: Clause, forms: Forms = inflect) -> Draft | None:
    """Turn `X was built by Y` into `Y built X`; None if the clause is not a simple passive with an agent."""
    agents = [p for p in clause.core if p[0].dep_ == "agent" and len(p) > 1]
    auxes = [t for t in clause.verbs if t.dep_ in ("aux", "auxpass", "neg")]
    if clause.verb.tag_ != "VBN" or len(agents) != 1 or len(auxes) != 1 or clause.helper:
        return None
    if auxes[0].lower_ not in ("was", "were") or clause.subject[0].pos_ == "PRON":
        return None
    past = forms(clause.verb.lemma_, "VBD")
    if past is None:
        return None
    agent = agents[0][1:]
    if agent[0].tag_ == "VBG" or agent[0].pos_ == "PRON" or any(t.text in ",(" for t in agent):
        return None
    rest = [t for part in (*clause.core, *clause.adjuncts) if part is not agents[0] for t in part]
    tail = of_tokens(sorted((t for t in rest if t.i > clause.verb.i), key=lambda t: t.i))
    return (*_spaced(of_tokens(agent)), Piece(past, True, clause.verb.i), *_decapitalised(clause.subject), *tail)


def to_passive(clause: Clause, forms: Forms = inflect) -> Draft | None:
    """Turn `Y built X` into `X was built by Y`; None unless the clause is a simple past one with an object."""
    objects = [p for p in clause.core if any(t.dep_ in ("dobj", "obj") and t.head == clause.verb for t in p)]
    if clause.verb.tag_ != "VBD" or len(clause.core) != 1 or len(objects) != 1 or len(clause.verbs) != 1:
        return None
    if clause.subject[0].pos_ == "PRON" or clause.verb.lemma_ in ("have", "be", "become", "cost", "want", "leave"):
        return None
    head = next(t for t in objects[0] if t.dep_ in ("dobj", "obj"))
    if head.pos_ == "PRON" or any(t.tag_ == "PRP$" for t in objects[0]) or head.tag_ == "VBG":
        return None
    participle = forms(clause.verb.lemma_, "VBN")
    if participle is None:
        return None
    tail = of_tokens(t for part in clause.adjuncts for t in part if part[0].i > objects[0][-1].i)
    return (
        *_spaced(of_tokens(objects[0])),
        Piece("were" if _plural(head) else "was"),
        Piece(participle, True, clause.verb.i),
        Piece("by"),
        *_decapitalised(clause.subject),
        *tail,
    )


def _spaced(draft: Draft) -> Draft:
    """Return the draft with a space at its end."""
    return (*draft[:-1], Piece(draft[-1].text, True, draft[-1].index)) if draft else draft


def move_time(clause: Clause, rng: random.Random) -> Draft | None:
    """Put a time or place phrase at the other end of the clause; None if there is none."""
    movable = [
        p
        for p in clause.adjuncts
        if p[0].dep_ in ("prep", "npadvmod") and any(t.ent_type_ in ("DATE", "TIME", "GPE", "EVENT") for t in p)
    ]
    if not movable or clause.negated:
        return None
    part = rng.choice(movable)
    rest = [t for p in (*clause.core, *clause.adjuncts) if p is not part for t in p] + list(clause.verbs)
    ordered = sorted((t for t in rest if t.i > clause.subject[0].i), key=lambda t: t.i)
    helper = (Piece(clause.helper),) if clause.helper else ()
    if part[0].i < clause.verb.i:
        return (*_spaced(of_tokens(clause.subject)), *helper, *_spaced(of_tokens(ordered)), *_decapitalised(part))
    front = of_tokens(part)
    front = (*front[:-1], Piece(front[-1].text + ",", True, front[-1].index))
    return (*front, *_decapitalised(clause.subject), *helper, *of_tokens(ordered))


def reported(clause: Clause, rng: random.Random) -> Draft | None:
    """Turn `Y, X said` into `X said that Y`, or either into `According to X, Y`; None if nothing is reported."""
    contents = [p for p in clause.core if any(t.dep_ == "ccomp" and t.head == clause.verb for t in p)]
    if clause.verb.lemma_ != "say" or len(contents) != 1 or len(contents[0]) < 3:
        return None
    content = [t for t in contents[0] if t.text not in '"“”' and not (t.dep_ == "mark" and t.lower_ == "that")]
    if any(t.lower_ in ("i", "we", "my", "our", "me", "us", "you", "'m") for t in content):
        return None
    if rng.random() < 0.35 and clause.subject[0].pos_ != "PRON":
        head = of_tokens(clause.subject)
        head = (*head[:-1], Piece(head[-1].text + ",", True, head[-1].index))
        return (*of_text("According to"), *_decapitalised(clause.subject)[:-1], head[-1], *_decapitalised(content))
    that = of_text("that") if rng.random() < 0.7 else ()
    return (*_spaced(of_tokens(clause.subject)), Piece("said", True, clause.verb.i), *that, *_decapitalised(content))


def copulas(sentence: Span) -> list[tuple[Draft, Token]]:
    """Return `X is Y` for appositions (`X, a Y,`) and titles before names (`Prime Minister X`).

    Returns:
        Pairs of a draft and the head word of X.
    """
    past = any(t.tag_ == "VBD" for t in sentence)
    found: list[tuple[Draft, Token]] = []
    for token in sentence:
        if token.dep_ == "appos" and token.pos_ in ("NOUN", "PROPN"):
            name, role = token.head, token
            if role.pos_ == "PROPN" and name.pos_ == "NOUN":
                name, role = role, name
            if name.pos_ != "PROPN" or role.pos_ != "NOUN":
                continue
            left, right = bare(name), bare(role, ("appos",) if role is token else ("appos", "relcl", "acl"))
            right = tuple(t for t in right if t not in left)
            if len(right) > 16 or not left or not right:
                continue
            verb = "is" if not past or role.lemma_ == "president" else "was"
            found.append(((*_spaced(of_tokens(left)), Piece(verb), *_decapitalised(right)), name))
    for entity in sentence.ents:
        if entity.label_ != "PERSON" or entity.start == sentence.start:
            continue
        titles = [c for c in entity.root.children if c.i < entity.start and c.dep_ in ("compound", "amod", "nmod")]
        if titles and titles[-1].pos_ in ("NOUN", "PROPN") and len(titles[-1].text) > 3:
            words = [t for c in titles for t in c.subtree if t.i < entity.start]
            if words[-1].i == entity.start - 1 and all(t.is_alpha for t in words):
                draft = (*of_tokens(entity), Piece("is"), *_decapitalised(words))
                found.append(((*_spaced(draft[: len(entity)]), *draft[len(entity) :]), entity.root))
    return found


def name_pronouns(draft: Draft, before: Sequence[Span], here: Span) -> Draft | None:
    """Put a person's name for `he`/`she` at the head of a claim.

    Args:
        draft: A claim.
        before: The sentences before the claim's own, in the window.
        here: The claim's sentence.

    Returns:
        The claim with the name, or None unless exactly one person is named before and nobody else here.
    """
    if not draft or draft[0].text.lower() not in ("he", "she"):
        return None
    names = [e.text for s in before for e in s.ents if e.label_ == "PERSON" and "\n" not in e.text]
    surnames = {n.removesuffix("'s").removesuffix("’s").split()[-1] for n in names}
    if len(surnames) != 1 or any(e.label_ == "PERSON" for e in here.ents):
        return None
    name = max(names, key=len).removesuffix("'s").removesuffix("’s")
    return (Piece(name, True), *draft[1:])
