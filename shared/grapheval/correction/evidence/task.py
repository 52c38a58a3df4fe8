"""A sentence of the answer with what is flagged in it: what a repair of it reads, and is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grapheval.correction.edits import Change
from grapheval.correction.evidence.answer import Piece
from grapheval.correction.evidence.drop import PRONOUNS
from grapheval.correction.evidence.match import Candidate
from grapheval.correction.evidence.passages import Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot
from grapheval.correction.evidence.wording import changed
from grapheval.types import Verdict


@dataclass(slots=True)
class Task:
    """A sentence of the answer with what is flagged in it."""

    piece: Piece
    verdicts: list[Verdict]
    sentence: Sentence
    slots: list[Slot] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)


def wanted(task: Task) -> range:
    """The tokens of the sentence that flagged claims cover."""
    tokens = [i for i in range(len(task.sentence.tree)) if _covers(task, i)]
    return range(tokens[0], tokens[-1] + 1) if tokens else range(len(task.sentence.tree))


def _covers(task: Task, token: int) -> bool:
    tree = task.sentence.tree
    place = task.piece.plain.span(tree.starts[token], tree.ends[token])
    return any(
        v.claim.span is None or (v.claim.span.start < place.end and place.start < v.claim.span.end)
        for v in task.verdicts
    )


def is_wanted(task: Task, slot: Slot) -> bool:
    """Whether a flagged claim states a slot's value."""
    if not any(_covers(task, i) for i in range(slot.start, slot.end)):
        return False
    words = slot.text.split()
    return any(
        v.claim.span is None or v.claim.triple is None or any(word in v.claim.text for word in words)
        for v in task.verdicts
    )


def object_tokens(task: Task) -> list[int]:
    """The tokens of what the flagged claims say of their subjects."""
    tree = task.sentence.tree
    found = []
    for verdict in task.verdicts:
        place = verdict.claim.parts.object
        if place is None:
            continue
        for index in range(len(tree)):
            own = task.piece.plain.span(tree.starts[index], tree.ends[index])
            if place.start <= own.start and own.end <= place.end:
                found.append(index)
    return found


def asked(task: Task) -> str:
    """What is looked for in the sources: the sentence, and who its pronoun stands for."""
    subject = _resolved(task)
    return f"{task.sentence.text} {subject}" if subject else task.sentence.text


def _resolved(task: Task) -> str:
    """The name for the pronoun that the sentence begins with, "" where it begins with none."""
    tree = task.sentence.tree
    if not len(tree) or tree.low[0] not in PRONOUNS:
        return ""
    for verdict in task.verdicts:
        place, triple = verdict.claim.parts.subject, verdict.claim.triple
        if place is None or triple is None or place.start != task.piece.span.start:
            continue
        if place.end - place.start == len(tree.words[0]) and triple.subject.lower() not in PRONOUNS:
            return triple.subject
    return ""


def hypothesis(task: Task, changes: Sequence[Change]) -> str:
    """The sentence after the changes, with the name for the pronoun that it begins with; a cell's claim."""
    text = task.sentence.text
    if task.piece.kind == "row":
        claim = task.verdicts[0].claim.text
        for change in changes:
            claim = claim.replace(text[change.start : change.end], change.new, 1)
        return claim
    new = changed(text, changes)
    subject = _resolved(task)
    first = len(task.sentence.tree.words[0]) if len(task.sentence.tree) else 0
    if subject and text[:first] == new[:first]:
        return subject + new[first:]
    return new


def premises(task: Task, passages: Sequence[Passage]) -> list[str]:
    """What a candidate is judged against: its evidence, and that together with the best other passage."""
    own = " ".join(dict.fromkeys(passage.premise for passage in passages))
    other = next((p for p in task.passages if p not in passages), None)
    if other is None or len(own.split()) > 80:
        return [own] if own else []
    return [own, f"{own} {other.premise}"] if own else [other.premise]
