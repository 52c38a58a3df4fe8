"""A sentence of the answer with what is flagged in it: what a repair of it reads, and is judged by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from grapheval.context.index import claim_terms
from grapheval.correction.edits import Change
from grapheval.correction.evidence.answer import Piece
from grapheval.correction.evidence.drop import PRONOUNS
from grapheval.correction.evidence.match import Candidate
from grapheval.correction.evidence.passages import Passage
from grapheval.correction.evidence.reading import Sentence, token_term
from grapheval.correction.evidence.slots import Slot
from grapheval.correction.evidence.wording import changed
from grapheval.types import Verdict


@dataclass(slots=True)
class Task:
    """A sentence of the answer with what is flagged in it.

    Args:
        piece: Its place in the answer.
        verdicts: What is flagged in it.
        sentence: The sentence, parsed.
        slots: The values that flagged claims state.
        every: All values in it.
        passages: The evidence.
        candidates: The ways to repair it.
    """

    piece: Piece
    verdicts: list[Verdict]
    sentence: Sentence
    slots: list[Slot] = field(default_factory=list)
    every: list[Slot] = field(default_factory=list)
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


def about(task: Task, slot: Slot, passage: Passage) -> float:
    """How much of what a flagged claim says of a slot's value a passage holds, in [0, 1]; of the claim that fits best.

    Args:
        task: The sentence.
        slot: A slot of it that a flagged claim states.
        passage: A passage.
    """
    held = passage.sentence.held | {token_term(word) for word in passage.premise.split()}
    best = 0.0
    words = slot.text.split()
    for verdict in task.verdicts:
        if not any(word in verdict.claim.text for word in words):
            continue
        terms = {key: w for key, w in claim_terms(verdict.claim.text).items() if key not in slot.key}
        total = sum(terms.values())
        best = max(best, sum(w for key, w in terms.items() if key in held) / total if total else 0.0)
    return best


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


def hypothesis(task: Task, changes: Sequence[Change]) -> tuple[str, str]:
    """What is judged for a candidate: text without and with the changes.

    That is the longest flagged claim that holds all that is changed; where none does, the sentence, with the name for
    the pronoun that it begins with.
    """
    for claim in sorted({v.claim.text for v in task.verdicts}, key=lambda text: (-len(text), text)):
        new = _within(claim, task.sentence.text, changes)
        if new is not None:
            return claim, new
    return _whole(task, ()), _whole(task, changes)


def _whole(task: Task, changes: Sequence[Change]) -> str:
    new = changed(task.sentence.text, changes)
    subject = _resolved(task)
    first = len(task.sentence.tree.words[0]) if len(task.sentence.tree) else 0
    if subject and task.sentence.text[:first] == new[:first]:
        return subject + new[first:]
    return new


def _within(claim: str, text: str, changes: Sequence[Change]) -> str | None:
    """A claim with a sentence's changes made in it; None where it does not hold, once, what they change."""
    for change in changes:
        old = text[change.start : change.end]
        left, right = text[: change.start].split(), text[change.end :].split()
        if old.strip():
            found = _places(claim, old, left[-1:], right[:1])
        elif left:
            found = _places(claim, left[-1], left[-2:-1], right[:1])
        else:
            return None
        if len(found) != 1:
            return None
        start, end = found[0]
        if not old.strip():
            start = end
        elif old[:1].isspace():
            start = len(claim[:start].rstrip())
        claim = claim[:start] + change.new + claim[end:]
    return claim


def _places(claim: str, words: str, left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Where words stand in a claim; of several places those between the right neighbours."""
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)"
    found = [match.span() for match in re.finditer(pattern, claim)]
    for sides in ((left, right), (left, ()), ((), right)):
        if len(found) > 1:
            near = [
                (start, end)
                for start, end in found
                if claim[:start].split()[-1:] == list(sides[0] or claim[:start].split()[-1:])
                and claim[end:].split()[:1] == list(sides[1] or claim[end:].split()[:1])
            ]
            found = near or found
    return found


def premises(task: Task, passages: Sequence[Passage]) -> list[str]:
    """What a candidate is judged against: its evidence, and that together with the best other passage."""
    own = " ".join(dict.fromkeys(passage.premise for passage in passages))
    other = next((p for p in task.passages if p not in passages), None)
    if other is None or len(own.split()) > 80:
        return [own] if own else []
    return [own, f"{own} {other.premise}"] if own else [other.premise]
