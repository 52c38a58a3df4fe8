"""Wrong polarity and wrong relation words, put right by the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grapheval.context.words import fold, stem
from grapheval.correction.edits import Change
from grapheval.correction.evidence.match import NEAR, Candidate
from grapheval.correction.evidence.passages import Library, Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.extraction.local.inflect import past, third_person
from grapheval.extraction.local.words import BE, word_set
from grapheval.verification.explicit.lexicon import OPPOSITES as LEXICON

_NOT = frozenset({"not", "n't", "n’t", "never"})
_NO = word_set("no nobody nothing none neither nor without hardly never not n't n’t")
_DENYING = frozenset(
    map(stem, word_set("unable fail failed refuse refused decline declined deny denied avoid avoided"))
)
_DO = frozenset({"do", "does", "did"})
_MODALS = word_set("can could will would shall should may might must ca wo have has had")
_SIDES: Final = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "pobj", "agent", "poss", "oprd"})
_PAIRS = word_set(
    "north/south east/west northern/southern eastern/western public/private profit/loss included/excluded"
    " majority/minority employer/employee buyer/seller father/mother brother/sister son/daughter husband/wife man/woman"
    " men/women boy/girl married/divorced with/without over/under gained/lost confirmed/denied"
)
"""Besides those of the explicit comparison."""
OPPOSITES: Final[dict[str, frozenset[str]]] = dict(LEXICON)
for _pair in _PAIRS:
    _left, _right = _pair.split("/")
    OPPOSITES[_left] = OPPOSITES.get(_left, frozenset()) | {_right}
    OPPOSITES[_right] = OPPOSITES.get(_right, frozenset()) | {_left}


def polarity(
    sentence: Sentence, passages: Sequence[Passage], wanted: range, *, denied: bool = False
) -> list[Candidate]:
    """Negations that the evidence does not have, put in or taken out.

    Args:
        sentence: A sentence of the answer.
        passages: Its evidence.
        wanted: The tokens that a flagged claim covers.
        denied: Whether the explicit comparison found a negation in the claim that the sources do not have.
    """
    found = []
    near = NEAR * passages[0].rank if passages else NEAR
    for verb in _verbs(sentence, wanted):
        negation = _negation(sentence, verb)
        for passage in passages:
            if passage.rank < near:
                continue
            if negation is not None and not _denies(passage.sentence):
                flip = _affirmed(sentence, verb, negation)
                if flip:
                    score = 1.1 * passage.share + 0.9
                    found.append(Candidate("polarity", tuple(flip), score, (passage,), sure=denied))
            for other in _verbs(passage.sentence, range(len(passage.sentence.tree))):
                if not _same_verb(sentence, verb, passage.sentence, other):
                    continue
                mine, its = _negation(sentence, verb), _negation(passage.sentence, other)
                if (mine is None) == (its is None) or (mine is not None and _withheld(passage.sentence, other)):
                    continue
                flip = _affirmed(sentence, verb, mine) if mine is not None else _denied(sentence, verb, passage, other)
                if flip:
                    shared = len(sentence.held & passage.sentence.held) / max(1, len(sentence.held))
                    score = 1.1 * passage.share + 0.6 + shared
                    found.append(Candidate("polarity", tuple(flip), score, (passage,), sure=True))
    return found


def _verbs(sentence: Sentence, wanted: range) -> list[int]:
    tree = sentence.tree
    return [i for i in wanted if tree.is_verb(i) and tree.deps[i] not in {"aux", "auxpass"} and tree.tags[i] != "MD"]


def _same_verb(left: Sentence, verb: int, right: Sentence, other: int) -> bool:
    mine, its = left.tree.low[verb], right.tree.low[other]
    if mine in BE and its in BE:
        (one, two) = ({left.terms[k] for k in left.tree.kids[verb]}, {right.terms[k] for k in right.tree.kids[other]})
        return bool((one & two) - {""})
    return stem(fold(mine)) == stem(fold(its)) and mine not in BE


def _negation(sentence: Sentence, verb: int) -> int | None:
    """The token that negates a verb, if there is one."""
    tree = sentence.tree
    return next((kid for kid in tree.kids[verb] if tree.low[kid] in _NOT), None)


def _denies(sentence: Sentence) -> bool:
    """Whether there is a denial anywhere in a sentence."""
    return any(low in _NO or stem(low) in _DENYING for low in sentence.tree.low)


def _withheld(sentence: Sentence, verb: int) -> bool:
    """Whether a sentence denies a verb in other ways: `was unable to score`, `failed to score`, `without scoring`."""
    tree = sentence.tree
    node = verb
    for _ in range(4):
        if stem(tree.low[node]) in _DENYING or any(tree.low[kid] in _NO for kid in tree.kids[node]):
            return True
        if tree.heads[node] == node:
            break
        node = tree.heads[node]
    return False


def _auxiliaries(sentence: Sentence, verb: int) -> list[int]:
    return sentence.tree.children(verb, {"aux", "auxpass"})


def _affirmed(sentence: Sentence, verb: int, negation: int) -> list[Change]:
    """`did not win` -> `won`, `was not` -> `was`, `cannot` -> `can`, `never won` -> `won`."""
    tree = sentence.tree
    start, end = tree.starts[negation], tree.ends[negation]
    auxiliary = next((i for i in _auxiliaries(sentence, verb) if i == negation - 1), None)
    if auxiliary is not None and tree.low[auxiliary] in _DO and tree.low[negation] != "never":
        low = tree.low[auxiliary]
        word = tree.low[verb]
        form = {"did": past(word), "does": third_person(word), "do": word}[low]
        first = tree.starts[auxiliary]
        between = sentence.text[tree.ends[negation] : tree.starts[verb]].strip()
        return [Change(first, tree.ends[verb], f"{between} {form}".strip())]
    if tree.low[negation] in {"n't", "n’t"} and auxiliary is not None:
        whole = {"ca": "can", "wo": "will", "sha": "shall"}.get(tree.low[auxiliary], tree.words[auxiliary])
        return [Change(tree.starts[auxiliary], end, whole)]
    while start > 0 and sentence.text[start - 1] == " ":
        start -= 1
    if start == 0:
        return []
    return [Change(start, end, "")]


def _denied(sentence: Sentence, verb: int, passage: Passage, other: int) -> list[Change]:
    """`won` -> `did not win`, with the form that the evidence has; `was` -> `was not`."""
    tree = sentence.tree
    auxiliaries = _auxiliaries(sentence, verb)
    finite = next((i for i in auxiliaries if tree.low[i] in BE | _MODALS | _DO), None)
    if finite is None and tree.low[verb] in BE:
        finite = verb
    if finite is not None:
        place = tree.ends[finite]
        if tree.low[finite] == "can" and sentence.text[place : place + 1] == " ":
            return [Change(place, place, "not")]
        return [Change(place, place, " not")]
    source = passage.sentence.tree
    if source.tags[other] != "VB" or tree.tags[verb] not in {"VBD", "VBZ", "VBP"}:
        return []
    do = {"VBD": "did", "VBZ": "does", "VBP": "do"}[tree.tags[verb]]
    return [Change(tree.starts[verb], tree.ends[verb], f"{do} not {source.low[other]}")]


# --------------------------------------------------------------------------------------------------- relation words


def opposites(sentence: Sentence, passages: Sequence[Passage], wanted: range) -> list[Candidate]:
    """A word whose opposite stands in its place in the evidence."""
    tree = sentence.tree
    found = []
    for index in wanted:
        for other in OPPOSITES.get(tree.low[index], ()):
            for passage in passages:
                source = passage.sentence
                if passage.rank < NEAR or other not in source.tree.low or tree.low[index] in source.tree.low:
                    continue
                place = source.tree.low.index(other)
                if source.tree.tags[place][:2] != tree.tags[index][:2]:
                    continue  # `left` the club, (`right`)
                mine = sentence.neighbours(index, index + 1)
                shared = len(mine & source.neighbours(place, place + 1)) / max(2, min(4, len(mine)))
                if shared < 0.5:
                    continue
                change = Change(tree.starts[index], tree.ends[index], _like(other, tree.words[index]))
                found.append(Candidate("relation", (change,), 1.1 * passage.share + 0.8 * shared + 0.6, (passage,)))
    return found


def relations(sentence: Sentence, passages: Sequence[Passage], wanted: range, library: Library) -> list[Candidate]:
    """Another verb between the same two things, where the sources never use the answer's."""
    tree = sentence.tree
    found = []
    for verb in _verbs(sentence, wanted):
        word = sentence.terms[verb]
        if not word or library.holds(word) or tree.low[verb] in BE:
            continue
        mine = _arguments(sentence, verb)
        for passage in passages:
            source = passage.sentence
            for other in _verbs(source, range(len(source.tree))):
                if not source.terms[other] or source.tree.tags[other] != tree.tags[verb]:
                    continue
                if (_negation(sentence, verb) is None) != (_negation(source, other) is None):
                    continue
                its = _arguments(source, other)
                if not (mine["doer"] & its["doer"] and mine["done"] & its["done"]):
                    continue
                changes = _verb_for_verb(sentence, verb, source, other)
                if changes:
                    shared = len(mine["done"] & its["done"]) / max(1, len(mine["done"]))
                    found.append(
                        Candidate("relation", tuple(changes), 1.1 * passage.share + 0.6 + 0.5 * shared, (passage,))
                    )
    return found


def _arguments(sentence: Sentence, verb: int) -> dict[str, frozenset[str]]:
    """The content terms of who does it, and of what it is done to (or with, at, in)."""
    tree = sentence.tree
    passive = tree.child(verb, {"auxpass", "nsubjpass"}) is not None
    doer: set[str] = set()
    done: set[str] = set()
    for kid in tree.kids[verb]:
        dep = tree.deps[kid]
        if dep not in {"nsubj", "nsubjpass", "dobj", "agent", "prep", "attr", "dative", "oprd"}:
            continue
        terms = {sentence.terms[i] for i in tree.subtree(kid)} - {""}
        if dep == "agent" or (dep == "nsubj" and not passive):
            doer |= terms
        else:
            done |= terms
    return {"doer": frozenset(doer), "done": frozenset(done)}


def _verb_for_verb(sentence: Sentence, verb: int, source: Sentence, other: int) -> list[Change]:
    tree, its = sentence.tree, source.tree
    changes = [Change(tree.starts[verb], tree.ends[verb], _like(its.words[other], tree.words[verb]))]
    mine, theirs = _preposition(sentence, verb), _preposition(source, other)
    if mine is not None and theirs is None and tree.child(verb, {"dobj"}) is None:
        start = tree.starts[mine]
        changes = [Change(tree.starts[verb], tree.ends[mine], _like(its.words[other], tree.words[verb]))]
        return changes if start == tree.ends[verb] + 1 else []
    if theirs is not None and mine is None and tree.child(verb, {"dobj"}) is not None:
        changes = [Change(tree.starts[verb], tree.ends[verb], f"{changes[0].new} {its.low[theirs]}")]
    elif mine is not None and theirs is not None and tree.low[mine] != its.low[theirs]:
        changes.append(Change(tree.starts[mine], tree.ends[mine], its.low[theirs]))
    return changes


def _preposition(sentence: Sentence, verb: int) -> int | None:
    """A preposition or particle right behind a verb."""
    tree = sentence.tree
    nxt = verb + 1
    return nxt if nxt < len(tree) and tree.heads[nxt] == verb and tree.deps[nxt] in {"prep", "prt", "agent"} else None


def _like(word: str, old: str) -> str:
    low = word if word[1:].lower() != word[1:] else word.lower()
    return low[:1].upper() + low[1:] if old[:1].isupper() else low
