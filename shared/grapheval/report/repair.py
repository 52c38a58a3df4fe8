"""A repair as HTML: the answer before and after, each edit with its claim and the passages that it follows."""

from __future__ import annotations

from collections.abc import Sequence

from grapheval.report.claims import badge, passage, triple
from grapheval.report.html import Html, el, join
from grapheval.report.kinds import CORRECTION_KINDS, count
from grapheval.report.text import one_line
from grapheval.types import Action, Correction, Edit


def original_of(correction: Correction) -> str:
    """The text before the repair, rebuilt from the edits: outside of them both are the same."""
    parts: list[str] = []
    place = shift = 0  # in the original; how much longer the repaired text is so far
    for edit in correction.edits:
        parts += [correction.answer[place + shift : edit.start + shift], edit.old]
        place, shift = edit.end, shift + len(edit.new) - len(edit.old)
    return "".join([*parts, correction.answer[place + shift :]])


def compared(correction: Correction, answer: str) -> Html:
    """The answer before and after, side by side."""
    before = _side(answer, [(e.start, e.end, number) for number, e in _numbered(correction.edits)], "del")
    after = _side(correction.answer, _new_places(correction.edits), "ins")
    return el(
        "div",
        el("section", el("h3", "Before"), before, aria_label="The answer before the repair"),
        el("section", el("h3", "After"), after, aria_label="The answer after the repair"),
        class_="ge-sides",
    )


def edits(correction: Correction) -> Html:
    """What was changed and why, what was not, and what it came to."""
    kind = CORRECTION_KINDS[correction.status]
    spent = correction.usage.calls
    items = [el("li", _edit(edit), class_="ge-edit", value=number) for number, edit in _numbered(correction.edits)]
    left = [
        el("li", triple(item.claim), el("span", f" {one_line(item.reason, 300)}", class_="ge-muted"))
        for item in correction.unrepaired
    ]
    return join(
        el("p", badge(kind), f" {kind.meaning}.", class_="ge-outcome"),
        el("p", f"{count(spent, 'LLM call')} for the repair.", class_="ge-muted") if spent else None,
        join(el("h3", "Edits"), el("ol", *items, class_="ge-edits")) if items else None,
        join(el("h3", "Not repaired"), el("ul", *left, class_="ge-left")) if left else None,
    )


def _numbered(found: Sequence[Edit]) -> list[tuple[int, Edit]]:
    return list(enumerate(found, start=1))


def _new_places(found: Sequence[Edit]) -> list[tuple[int, int, int]]:
    places, shift = [], 0
    for number, edit in _numbered(found):
        start = edit.start + shift
        places.append((start, start + len(edit.new), number))
        shift += len(edit.new) - len(edit.old)
    return places


def _side(text: str, places: Sequence[tuple[int, int, int]], tag: str) -> Html:
    parts: list[str] = []
    place = 0
    for start, end, number in places:
        parts.append(text[place:start])
        if start < end:
            parts.append(el(tag, text[start:end], el("sup", number, class_="ge-sup")))
        place = end
    return el("div", *parts, text[place:], class_="ge-answer", dir="auto")


def _edit(edit: Edit) -> Html:
    old = el("del", one_line(edit.old, 400)) if edit.old else None
    new = el("ins", one_line(edit.new, 400)) if edit.new and edit.action is not Action.DROP else None
    what = {Action.REPLACE: None, Action.DROP: "dropped", Action.MARK: "marked"}[edit.action]
    arrow = el("span", " → ", class_="ge-arrow") if old and new else None
    return join(
        el("p", old, arrow, new, el("span", f" {what}", class_="ge-muted") if what else None, dir="auto"),
        el("p", el("span", "asked for by ", class_="ge-muted"), triple(edit.claim)),
        *(passage(evidence, edit.claim) for evidence in edit.evidence),
    )
