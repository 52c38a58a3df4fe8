"""The ways to repair a sentence that its evidence suggests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from grapheval.correction.evidence.choice import Limits
from grapheval.correction.evidence.exchange import swaps
from grapheval.correction.evidence.findings import corrections, names_in_part, stated_findings
from grapheval.correction.evidence.match import Candidate, Place, values
from grapheval.correction.evidence.passages import Library
from grapheval.correction.evidence.relations import opposites, polarity, relations
from grapheval.correction.evidence.task import Task, about, wanted
from grapheval.correction.evidence.wording import changed, polished
from grapheval.types import FindingKind

_MOST = 8
_MORE = 0.15
"""What each further place that is put right is worth."""


def candidates(task: Task, library: Library, limits: Limits) -> list[Candidate]:
    """The ways to repair a sentence that the evidence suggests, the likeliest few.

    Args:
        task: The sentence with its evidence.
        library: The sources.
        limits: What is worth being judged.
    """
    sentence, passages, tokens = task.sentence, task.passages, wanted(task)
    findings = stated_findings(task.verdicts)
    kinds = {finding.kind for finding in findings}
    asked = [(finding.stated, finding.found) for finding in findings]
    place = Place(sentence, task.slots, task.every, passages, library, partial(about, task), asked)
    found = [
        *corrections(sentence, findings, passages),
        *names_in_part(sentence, task.every, findings, passages),
        *values(place),
        *swaps(sentence, task.every, passages, told=FindingKind.ROLES in kinds),
        *polarity(sentence, passages, tokens, denied=FindingKind.NEGATION in kinds),
        *opposites(sentence, passages, tokens),
        *relations(sentence, passages, tokens, library),
    ]
    found = [candidate for candidate in found if limits.admit(candidate)]
    found += _together(found)
    best: dict[str, Candidate] = {}
    for candidate in found:
        finished = replace(candidate, changes=tuple(polished(sentence.text, candidate.changes)))
        text = changed(sentence.text, finished.changes)
        if text == sentence.text or not any(char.isalnum() for char in text):
            continue
        if text not in best or (finished.sure, finished.score) > (best[text].sure, best[text].score):
            best[text] = finished
    return sorted(best.values(), key=lambda candidate: (-candidate.sure, -candidate.score))[:_MOST]


def _together(found: Sequence[Candidate]) -> list[Candidate]:
    """The best changes of all places, made at once: a sentence is often wrong in more than one."""
    kept: list[Candidate] = []
    for candidate in sorted(found, key=lambda item: (-item.sure, -item.score)):
        apart = all(
            change.end < other.start or other.end < change.start
            for change in candidate.changes
            for each in kept
            for other in each.changes
        )
        if candidate.kind in {"value", "relation"} and apart:
            kept.append(candidate)
    if len(kept) < 2:
        return []
    changes = sorted((change for each in kept for change in each.changes), key=lambda change: change.start)
    return [
        Candidate(
            "several",
            tuple(changes),
            sum(each.score for each in kept) / len(kept) + _MORE * (len(kept) - 1),
            tuple(dict.fromkeys(passage for each in kept for passage in each.passages)),
            sure=all(each.sure for each in kept),
            told=all(each.told for each in kept),
        )
    ]
