"""What the explicit comparison found wrong, as repairs: it names the words, and what the sources say in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grapheval.correction.edits import Change
from grapheval.correction.evidence.match import Candidate, same_text
from grapheval.correction.evidence.passages import Passage
from grapheval.correction.evidence.reading import Sentence
from grapheval.correction.evidence.slots import Slot
from grapheval.types import Finding, FindingKind, Span, Verdict

_EXACT = frozenset({FindingKind.NUMBER, FindingKind.UNIT, FindingKind.DATE, FindingKind.TIME, FindingKind.OPPOSITE})
_FOUND = 2.4
"""Score of the words that the comparison found in a claim's place, before the passage's share is added."""
_PART = 2.2
_SCALE = re.compile(r"\s?(?:m|mn|bn|k|million|billion|thousand)\b")
"""Behind a number it belongs to it, whatever was read."""
_NOT_A_NAME = frozenset(
    "the a an and but for with from when while after before as in on at of by to mr mrs ms dr sir lord".split()  # noqa: SIM905
)


def stated_findings(verdicts: Sequence[Verdict]) -> list[Finding]:
    """The findings of some verdicts, each once."""
    return list({(f.kind, f.stated): f for v in verdicts for f in v.findings}.values())


def corrections(sentence: Sentence, findings: Sequence[Finding], passages: Sequence[Passage]) -> list[Candidate]:
    """The words that the sources have in the place of a number, unit, date, time, or of an opposite.

    Args:
        sentence: A sentence of the answer.
        findings: What was found in its flagged claims.
        passages: Its evidence.
    """
    made = []
    for finding in findings:
        place = place_of(sentence.text, finding.stated) if finding.kind in _EXACT else None
        if place is None or _SCALE.match(sentence.text, place.end):
            continue
        for found in finding.found:
            passage = next((p for p in passages if place_of(p.sentence.text, found) is not None), None)
            if passage is None or place_of(sentence.text, found) is not None or same_text(finding.stated, found):
                continue
            if finding.stated.isalpha() is not found.isalpha():
                continue  # `nine` by `2`: the slots give it in the form of the answer
            change = Change(place.start, place.end, found)
            made.append(Candidate("value", (change,), _FOUND + passage.share, (passage,), sure=True, told=True))
    return made


def place_of(text: str, words: str) -> Span | None:
    """Where some words stand, as whole words, the first time; None if they do not."""
    if not words:
        return None
    pattern = r"\s+".join(map(re.escape, words.split()))
    match = re.search(rf"(?<!\w)(?<!\d[.,]){pattern}(?!\w)(?![.,]\d)", text)
    return Span(*match.span()) if match else None


def names_in_part(
    sentence: Sentence,
    slots: Sequence[Slot],
    findings: Sequence[Finding],
    passages: Sequence[Passage],
) -> list[Candidate]:
    """A name of which the sources hold only the last words: as they write it, or without the others.

    `Jack Sidwell` becomes `Steve Sidwell` where they name one, and `Sidwell` where they give no first name.

    Args:
        sentence: A sentence of the answer.
        slots: Its slots.
        findings: What was found in its flagged claims.
        passages: Its evidence.
    """
    missing = {word for f in findings if f.kind is FindingKind.NAME for word in f.stated.split()}
    made = []
    for slot in slots if missing else ():
        words = slot.text.split()
        known = next((n for n, word in enumerate(words) if word not in missing), None)
        if slot.kind not in {"person", "name"} or not known or not missing.isdisjoint(words[known:]):
            continue
        rest = " ".join(words[known:])
        passage = next((p for p in passages if place_of(p.sentence.text, rest) is not None), None)
        if passage is None:
            continue
        start, end = sentence.tree.starts[slot.start], sentence.tree.ends[slot.end - 1]
        full = _written_in_full(passage.premise, rest)  # in other passages it may be somebody else's
        for new in full or [rest]:
            change = Change(start, end, new)
            if place_of(sentence.text, new) is None or new == rest:
                made.append(Candidate("value", (change,), _PART + passage.share, (passage,), told=True))
    return made


def _written_in_full(text: str, rest: str) -> list[str]:
    """The name that ends in some words; [] if there are several, or if the words stand alone, too."""
    pattern = re.compile(rf"((?:[A-Z][\w'’-]+\.?\s+){{0,2}}){re.escape(rest)}\b")
    found: set[str] = set()
    for match in pattern.finditer(text):
        first = match[1].split()
        while first and first[0].lower().rstrip(".") in _NOT_A_NAME:
            first = first[1:]
        found.add(" ".join((*first, rest)))
        if not first or any(word.endswith(("'s", "’s")) or (word.isupper() and len(word) > 2) for word in first):
            return []
    return list(found) if len(found) == 1 else []
