"""Reads the triples in a language model's reply, whatever it is dressed up as. Nothing is ever evaluated."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grapheval.extraction.parsing.collect import Found
from grapheval.extraction.parsing.lines import harvest_lines
from grapheval.extraction.parsing.reader import Reader
from grapheval.extraction.parsing.shape import harvest
from grapheval.extraction.parsing.strings import unescape
from grapheval.types import Claim, Extraction, Outcome, Reason, Rejected
from grapheval.types.sample import clean_text

MAX_REPLY_CHARS: Final = 1_000_000
"""What is behind this is not read, and the outcome says so: a real reply has some thousand characters."""

_THINK_BLOCK = re.compile(
    r"(?:^|\n)[ \t]*<(think|thinking|thought|reasoning|scratchpad|reflection|analysis)>", re.IGNORECASE
)
_THINK_END = re.compile(r"</(?:think|thinking|thought|reasoning|scratchpad|reflection|analysis)>\s*", re.IGNORECASE)
_TAG = re.compile(
    r"<(python|py|triples?|triplets?|kg|knowledge[_-]?graph|graph|output|answer|result|results|response|json|list|"
    r"final|final[_-]?answer|facts|relations|extraction|triple[_-]?list)>",
    re.IGNORECASE,
)
_LOOSE_TAGS: Final = {"output", "answer", "result", "results", "response", "final", "final_answer", "final-answer"}
_ANY_TAG = re.compile(r"<[A-Za-z][\w-]{0,30}>(?=\s*[\[({])")
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*(?:\n|(?=\s*[\[({]))")
_ONLY_EMPTY = re.compile(r"[\[({]\s*[\])}]|\{\s*\"\w{1,40}\"\s*:\s*\[\s*\]\s*\}")


@dataclass(frozen=True, slots=True)
class _Region:
    """Where to look: from `start`, behind the mark at `mark`, to `stop` at the outermost level.

    `marked` = the model set it apart; `strict` = for triples and nothing else, so that commas on a line separate.
    """

    mark: int
    start: int
    stop: str | None
    marked: bool = True
    strict: bool = False


def parse_triples(text: str | None) -> Extraction:
    """Read the triples in a reply.

    Tagged blocks go first, then fenced ones, then brackets anywhere, then lines. Text inside thinking tags does not
    count. Takes time linear in the text.

    Args:
        text: The model's reply; None counts as empty.

    Returns:
        Claims without spans (each claim's text is the triple joined), rejected items with reasons, and an outcome:
        `ok`; `incomplete` (reason `length_stop`) when the reply ends in the middle; `no_claims` with reason
        `nothing_to_check` for an explicit empty list, `no_triples` for a reply without any structure, `unparseable`
        for one whose items are all rejected.
    """
    raw = clean_text(text) if isinstance(text, str) else ""
    body = raw[:MAX_REPLY_CHARS]
    found = _search(body)
    if len(raw) > len(body):
        found.cut = bool(found.triples)
        found.reject(raw[len(body) :], f"behind the first {MAX_REPLY_CHARS:,} characters, not read")
    claims = tuple(Claim(text=" ".join(str(triple).split()), triple=triple) for triple in found.triples)
    rejected = found.all_rejected()
    outcome, reason = _outcome(found, rejected)
    return Extraction(claims=claims, rejected=rejected, outcome=outcome, raw=raw, reason=reason)


def _outcome(found: Found, rejected: tuple[Rejected, ...]) -> tuple[Outcome, Reason | None]:
    if found.triples:
        return (Outcome.INCOMPLETE, Reason.LENGTH_STOP) if found.cut else (Outcome.OK, None)
    if found.cut:
        return Outcome.NO_CLAIMS, Reason.LENGTH_STOP
    if rejected:
        return Outcome.NO_CLAIMS, Reason.UNPARSEABLE
    if found.empty_list:
        return Outcome.NO_CLAIMS, Reason.NOTHING_TO_CHECK
    return Outcome.NO_CLAIMS, Reason.NO_TRIPLES


def _search(text: str) -> Found:
    """The first reading that brings triples; failing that, the first that explains itself."""
    first: Found | None = None
    for reading in _readings(text):
        found = Found(cut=True) if reading is None else _read(reading)
        if found.triples:
            return found
        if first is None or not (first.rejected or first.cut or first.empty_list):
            first = found
    return first or Found()


def _readings(text: str) -> Iterator[str | None]:
    """Ways to read a reply, best first; None = it ends in the middle of the model's thoughts, drafts are no answer."""
    spoken = _without_thinking(text)
    yield spoken
    if spoken is None:
        return
    if spoken != text:
        yield text
    if '\\"' in text or "\\'" in text:  # the whole reply is an escaped string
        yield unescape(spoken)
    if "&quot;" in text or "&#" in text or "&lt;" in text:
        yield html.unescape(spoken)


def _without_thinking(text: str) -> str | None:
    """The text without the model's thoughts; None if there is nothing but the beginning of thoughts."""
    kept: list[str] = []
    position = 0
    while (opened := _THINK_BLOCK.search(text, position)) is not None:
        kept.append(text[position : opened.start()])
        closed = text.find(f"</{opened[1]}>", opened.end())
        if closed < 0:
            spoken = "\n".join(kept)
            return spoken if spoken.strip() else None
        position = closed + len(opened[1]) + 3
    rest = text[position:]
    if not kept:  # some servers send the closing tag alone
        ends = list(_THINK_END.finditer(rest))
        if ends:
            rest = rest[ends[-1].end() :]
    return "\n".join([*kept, rest])


def _regions(text: str) -> Iterator[list[_Region]]:
    """Places to look, best first; places of one kind belong together."""
    tags = [_Region(t.start(), t.end(), "</", strict=t[1].lower() not in _LOOSE_TAGS) for t in _TAG.finditer(text)]
    if tags:
        yield tags
    other = [_Region(tag.start(), tag.end(), "</") for tag in _ANY_TAG.finditer(text)]
    if other:
        yield other
    fences = [_Region(fence.start(), fence.end(), "```", strict=True) for fence in _FENCE.finditer(text)]
    if fences:
        yield fences
    yield [_Region(0, 0, None, marked=False)]


def _read(text: str) -> Found:
    first: Found | None = None
    for regions in _regions(text):
        found = Found()
        _read_groups(text, regions, found)
        if (not found.triples and not found.empty_list) or _more_lines(text, regions, found):
            by_line = Found()
            _read_lines(text, regions, by_line)
            if len(by_line.triples) > len(found.triples):
                found = by_line
        if found.triples:
            return found
        if not regions[0].marked and not _ONLY_EMPTY.fullmatch(text.strip()):
            found.empty_list = False  # brackets in prose say nothing
        if found.empty_list and not found.rejected:
            return found
        if first is None or not (first.rejected or first.cut):
            first = found
    return first or Found()


def _more_lines(text: str, regions: list[_Region], found: Found) -> bool:
    """Whether lines hold more than the groups did: a list of `(a; b; c)` in which one line alone has quotes."""
    if not any(separator in text for separator in (";", "|", "\t", "->", "→")):
        return False
    lines = text.count("\n", regions[0].start) + 1
    return lines > len(found.triples) + len(found.rejected) + 2


def _read_groups(text: str, regions: list[_Region], found: Found) -> None:
    reader = Reader(text)
    for region in regions:
        if region.mark < reader.position:
            continue  # inside what was read already, or the mark that ended it
        for group in reader.groups(region.start, region.stop):
            harvest(group, text, found, quiet=not region.marked)


def _read_lines(text: str, regions: list[_Region], found: Found) -> None:
    position = 0
    for region in regions:
        if region.mark < position:
            continue
        end = text.find(region.stop, region.start) if region.stop else -1
        end = end if end >= 0 else len(text)
        lines = text[region.start : end]
        if lines.strip():
            harvest_lines(lines, found, marked=region.strict, ended=end < len(text))
        position = end + len(region.stop or "")
