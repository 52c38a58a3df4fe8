"""The answer with its parts marked by verdict, each mark a link to its claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grapheval.report.html import Html, el, join
from grapheval.report.kinds import is_marked, kind_of
from grapheval.report.marks import Mark, marks_of, trimmed
from grapheval.types import Span, Verdict


def marked(answer: str, verdicts: Sequence[Verdict], prefix: str | None) -> Html:
    """The answer as HTML.

    Args:
        answer: The text that the verdicts' spans point into.
        verdicts: In the order of the answer.
        prefix: Of the claims' ids in the document, to which marks link; None = no links, tooltips tell.
    """
    loud = [_tight(mark, answer) for mark in marks_of(verdicts, len(answer))]
    quiet = marks_of(verdicts, len(answer), chosen=lambda verdict: not is_marked(verdict))
    marks = [(mark, True) for mark in loud] + [(mark, False) for mark in _between(quiet, loud, answer)]
    parts: list[str] = []
    place = 0
    for mark, is_loud in sorted(marks, key=lambda item: item[0].span):
        parts += [answer[place : mark.span.start], _mark(mark, answer, verdicts, prefix, loud=is_loud)]
        place = mark.span.end
    return el("div", *parts, answer[place:], class_="ge-answer", dir="auto")


def _mark(mark: Mark, answer: str, verdicts: Sequence[Verdict], prefix: str | None, *, loud: bool) -> Html:
    numbers = ",".join(map(str, mark.numbers))
    named = [f"{number} {kind_of(verdicts[number - 1]).word}" for number in mark.numbers]
    name = f"claim {'; claim '.join(named)}"
    label = el("sup", f"{mark.kind.sign}{numbers}", class_="ge-sup", aria_hidden="true") if loud else None
    hidden = el("span", f" ({name})", class_="ge-hidden") if loud else None
    classes = f"ge-mark ge-{mark.kind.word}" + ("" if loud else " ge-quiet")
    content = join(mark.span.of(answer), label, hidden)
    if prefix is None:
        return el("span", content, class_=classes, title=name)
    return el(
        "a", content, class_=classes, href=f"#{prefix}claim-{mark.numbers[0]}", title=name,
        data_claims=" ".join(map(str, mark.numbers)),
    )  # fmt: skip


def _tight(mark: Mark, answer: str) -> Mark:
    return replace(mark, span=trimmed(answer, mark.span))


def _between(quiet: Sequence[Mark], loud: Sequence[Mark], answer: str) -> list[Mark]:
    """What the loud marks leave of the quiet ones."""
    found = []
    for mark in quiet:
        start = mark.span.start
        for other in loud:
            if other.span.end <= start or other.span.start >= mark.span.end:
                continue
            found.append(replace(mark, span=Span(start, max(start, other.span.start))))
            start = other.span.end
        found.append(replace(mark, span=Span(start, max(start, mark.span.end))))
    tight = [_tight(mark, answer) for mark in found]
    return [mark for mark in tight if any(character.isalnum() for character in mark.span.of(answer))]
