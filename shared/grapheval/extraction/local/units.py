"""Blocks -> units of reading: what is parsed on its own, with the label and the introduction that complete it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grapheval.extraction.abstention import segments
from grapheval.extraction.inline import Plain
from grapheval.extraction.local.phrases import Quoted
from grapheval.extraction.markdown import Block
from grapheval.language import is_english

_LABEL = re.compile(
    r"(?P<label>[^\s:.!?][^:.!?\n]{0,90}?(?:\b[A-Z]\.[^:.!?\n]{0,40}?){0,4})(?P<mark>\s*:|\s+[-–—]+)\s+(?=\S)"
)
_SPEECH_LABEL = re.compile(
    r"(?:note|answer|example|summary|conclusion|response|in summary|in short|sure|final answer|short answer|yes|no)$",
    re.IGNORECASE,
)
_NOTING = re.compile(
    r"(?:(?<=[.!?] )|\A)(?:(?:however|also|additionally|finally|lastly),? )?"
    r"it(?: is|'s|’s| should be| must be)(?: also)?"
    r" (?:worth (?:noting|mentioning)|important to (?:note|remember|mention|understand)|noted|noteworthy) that ",
    re.IGNORECASE,
)
"""Speaks of the sentence that follows, not of the world."""
_ASKING = re.compile(
    r"(?:(?<=[.!?] )|\A)(?P<said>(?!(?:if|when|while|as|since|so|and|but|well|what|who|how|why|where|do|did|does|are|is"
    r"|have|has|can|could|would|will)\b)[^,.!?]{12,300}),\s+(?:so\s+)?(?:do|did|are|have|would|can)\s+you\b[^.!?]{0,80}\?",
    re.IGNORECASE,
)
"""A statement that ends in a question to the reader: `Poodles are dogs, do you like them?`"""
_ENGLISH_WORDS = 4
"""A block of fewer words may count as English for want of signs."""
LONGEST_UNIT = 20_000
"""Characters parsed at once; a longer paragraph is cut at a sentence end or a space."""

Form = Literal["text", "table", "foreign"]


@dataclass(slots=True)
class Unit:
    """A piece of text that is parsed on its own.

    Args:
        plain: The text.
        kind: Kind of the block that it comes from: `paragraph`, `item`, `heading`, `row`.
        form: `text` is parsed; `table` has cells instead; `foreign` is not English and becomes whole sentences.
        label: `Oslo` of `Oslo: the capital of Norway`.
        intro: Index of the unit whose last sentence introduces this one.
        heading: The heading above, if any.
        introduces: Whether list items follow that complete its last sentence.
        cells: The cells of a table's row.
        header: The cells of the table's header row.
    """

    plain: Plain
    kind: str
    form: Form = "text"
    label: Quoted | None = None
    intro: int | None = None
    heading: Quoted | None = None
    introduces: bool = False
    cells: tuple[Plain, ...] = ()
    header: tuple[Plain, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The units of one answer.

    Args:
        units: In order.
        declines: Whether a part of the answer declines to answer.
        foreign: Whether the answer as a whole is not English.
    """

    units: list[Unit]
    declines: bool
    foreign: bool


def to_units(blocks: Sequence[Block]) -> Reading:
    """Cut blocks into units.

    Headings give no unit of their own (but may introduce a list), code gives none at all, refusals and small talk are
    left out.
    """
    units: list[Unit] = []
    by_block: dict[int, int] = {}
    declines = False
    texts = [b.plain.text or " ".join(c.text for c in b.cells) for b in blocks if b.kind != "code"]
    foreign = not is_english(" ".join(texts)) and not any(
        len(text.split()) >= _ENGLISH_WORDS and is_english(text) for text in texts
    )
    for number, block in enumerate(blocks):
        if block.kind == "code":
            continue
        heading = quote(blocks[block.heading].plain) if block.heading is not None else None
        if block.kind == "row":
            units.append(Unit(block.plain, "row", "table", heading=heading, cells=block.cells, header=block.header))
            continue
        if block.kind == "heading" and not block.plain.text.endswith(":"):
            continue
        if not any(char.isalnum() for char in block.plain.text):
            continue
        intro = by_block.get(block.intro) if block.intro is not None else None
        if foreign or not is_english(block.plain.text):
            units.extend(Unit(part, block.kind, "foreign") for part in pieces(block.plain))
            continue
        for place, segment in enumerate(segments(block.plain.text)):
            if segment.kind != "states":
                declines = declines or segment.kind == "declines"
                continue
            stated = _stated(block.plain.slice(segment.start, segment.end))
            for part in (part for whole in stated for part in pieces(whole)):
                unit = Unit(part, block.kind, heading=heading)
                if place == 0 and intro is not None:
                    unit.intro = intro
                    units[intro].introduces = True
                if place == 0:
                    split_label(unit)
                by_block[number] = len(units)
                units.append(unit)
    return Reading(units, declines, foreign)


def _stated(plain: Plain) -> list[Plain]:
    """A text without `It is worth noting that` and without `…, do you like them?`."""
    text = plain.text
    cuts = [match.span() for match in _NOTING.finditer(text)]
    cuts += [(match.end("said"), match.end()) for match in _ASKING.finditer(text)]
    found = []
    start = 0
    for begin, end in sorted(cuts):
        if begin > start:
            found.append(plain.slice(start, begin))
        start = max(start, end)
    return [*found, plain.slice(start, len(text))] if start < len(text) else found


def pieces(plain: Plain) -> list[Plain]:
    """A text as it is, or cut into parts of bounded length."""
    text = plain.text
    if len(text) <= LONGEST_UNIT:
        return [plain]
    found = []
    start = 0
    while start < len(text):
        end = min(start + LONGEST_UNIT, len(text))
        if end < len(text):
            cut = max(text.rfind(mark, start, end) for mark in (". ", "! ", "? ", "。"))
            cut = cut if cut > start else text.rfind(" ", start, end)
            end = cut + 1 if cut > start else end
        found.append(plain.slice(start, end))
        start = end
    return found


def quote(plain: Plain) -> Quoted:
    """A whole plain text as words from elsewhere."""
    text = plain.text.rstrip(" :") or plain.text
    return Quoted(text, plain.span(0, len(text)))


def split_label(unit: Unit) -> None:
    """Take `Label: ` or `Label - ` off a unit's text."""
    text = unit.plain.text
    match = _LABEL.match(text)
    if match is None:
        return
    label = match["label"]
    colon = match["mark"].strip().startswith(":")
    starts_well = label[0].isupper() or label[0].isdigit() or label[0] in "\"“'‘" or unit.kind == "item"
    if (
        len(label.split()) > (10 if unit.kind == "item" else 5)
        or not starts_well
        or (unit.kind != "item" and not colon)
    ):
        return
    if colon and _SPEECH_LABEL.match(label):
        unit.plain = unit.plain.slice(match.end(), len(text))
        return
    unit.label = Quoted(label, unit.plain.span(*match.span("label")))
    unit.plain = unit.plain.slice(match.end(), len(text))
