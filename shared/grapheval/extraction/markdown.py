"""Markdown -> blocks of plain text, each with its way back to the original text.

A scanner of its own, since Markdown parsers do not keep character offsets of inline text. It is tolerant: LLM answers
are plain text more often than not, and plain text must come through unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grapheval.extraction.inline import Plain, read_inline

BlockKind = Literal["paragraph", "heading", "item", "row", "code"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:=[ \t]*){3,})$")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•‣◦▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_LINK_DEFINITION = re.compile(r"[ \t]{0,3}\[(?!\^)[^\[\]]{1,200}\]:[ \t]*\S+[ \t]*(?:\"[^\"]*\")?[ \t]*$")
_FOOTNOTE = re.compile(r"[ \t]{0,3}\[\^[^\[\]]{1,60}\]:[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BOLD_LINE = re.compile(r"[ \t]*(?:\*\*[^*]{1,120}\*\*|__[^_]{1,120}__):?[ \t]*$")
_ENDS = (")", ".", "!", "?", ":", ";", "。", "！", "？")
_SHORT_LINE = 60
"""A line shorter than this, followed by a capital, was broken on purpose, not wrapped."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of an answer.

    Args:
        kind: What it is.
        plain: Its text; empty for rows.
        level: Indentation of a list item, in columns.
        cells: The cells of a table's row.
        header: The cells of the table's header row.
        intro: Index of the block that introduces this one (a line that ends with a colon, or a list item's parent).
        heading: Index of the heading above.
    """

    kind: BlockKind
    plain: Plain
    level: int = 0
    cells: tuple[Plain, ...] = ()
    header: tuple[Plain, ...] = ()
    intro: int | None = None
    heading: int | None = None


@dataclass(slots=True)
class _Open:
    """A block that may still grow: kind, indentation, ranges of the original."""

    kind: BlockKind
    ranges: list[tuple[int, int]]
    level: int = 0


def read_blocks(source: str) -> list[Block]:
    """Split a text into blocks.

    Args:
        source: Any text; time and memory are linear in its length.

    Returns:
        Blocks in order, without empty ones.
    """
    blocks: list[Block] = []
    for found in _raw_blocks(source):
        _append(blocks, source, found)
    return blocks


def _append(blocks: list[Block], source: str, found: _Open | list[list[tuple[int, int]]]) -> None:
    heading = next(
        (i for i in range(len(blocks) - 1, max(-1, len(blocks) - 200), -1) if blocks[i].kind == "heading"), None
    )
    if isinstance(found, list):
        header, *rows = [tuple(read_inline(source, [cell]) for cell in row) for row in found]
        blocks.extend(Block("row", Plain(""), cells=row, header=header, heading=heading) for row in rows)
        return
    if found.kind == "code":
        start, end = found.ranges[0][0], found.ranges[-1][1]
        if source[start:end].strip():
            blocks.append(Block("code", read_inline(source, []), heading=heading))
        return
    plain = read_inline(source, found.ranges)
    if not plain.text:
        return
    intro = _intro(blocks, found.level) if found.kind == "item" else _intro_above(blocks)
    blocks.append(
        Block(found.kind, plain, found.level, intro=intro, heading=None if found.kind == "heading" else heading)
    )


def _intro(blocks: list[Block], level: int) -> int | None:
    """The parent of a list item that comes next."""
    for index in range(len(blocks) - 1, max(-1, len(blocks) - 200), -1):
        block = blocks[index]
        if block.kind == "item":
            if block.level < level:
                return index
            if block.level == level:
                return block.intro
            continue
        if block.kind in {"paragraph", "heading"}:
            return index if block.plain.text.endswith(":") else None
        return None
    return None


def _intro_above(blocks: list[Block]) -> int | None:
    """The line with a colon that a paragraph stands under: a list without bullets."""
    above = blocks[-1] if blocks else None
    if above is None or above.kind not in {"paragraph", "heading"}:
        return None
    if above.plain.text.endswith(":"):
        return len(blocks) - 1
    return None if above.plain.text.endswith((".", "!", "?")) else above.intro


def _lines(source: str) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(source):
        if match.end() > match.start():
            end = match.end()
            while end > match.start() and source[end - 1] in "\r\n":
                end -= 1
            yield match.start(), end


def _raw_blocks(source: str) -> Iterator[_Open | list[list[tuple[int, int]]]]:
    lines = list(_lines(source))
    open_block: _Open | None = None
    number = 0
    while number < len(lines):
        start, end = lines[number]
        number += 1
        quote = _QUOTE.match(source, start, end)
        while quote and quote.end() > start:
            start = quote.end()
            quote = _QUOTE.match(source, start, end)
        if fence := _FENCE.match(source, start, end):
            if open_block:
                yield open_block
            open_block = None
            ranges, number = _fenced(source, lines, number, fence[1])
            if ranges:
                yield _Open("code", ranges)
            continue
        if not source[start:end].strip() or _LINK_DEFINITION.match(source, start, end):
            if open_block:
                yield open_block
            open_block = None
            continue
        if _RULE.match(source, start, end):
            if open_block:
                underlined = open_block.kind == "paragraph" and source[start:end].strip()[0] in "=-"
                yield _Open("heading", open_block.ranges) if underlined and len(open_block.ranges) == 1 else open_block
            open_block = None
            continue
        if "|" in source[start:end] and number < len(lines) and _is_table(source, start, end, lines[number]):
            if open_block:
                yield open_block
            open_block = None
            rows, number = _table(source, lines, number - 1)
            yield rows
            continue
        starts = _starts_block(source, start, end)
        if starts:
            if open_block:
                yield open_block
            open_block = starts
            if starts.kind == "heading":
                yield starts
                open_block = None
        elif open_block and not _breaks(source, open_block, start, end):
            open_block.ranges.append(_trim(source, start, end))
        else:
            if open_block:
                yield open_block
            open_block = _Open("paragraph", [_trim(source, start, end)])
    if open_block:
        yield open_block


def _trim(source: str, start: int, end: int) -> tuple[int, int]:
    while start < end and source[start].isspace():
        start += 1
    while end > start and source[end - 1].isspace():
        end -= 1
    return start, end


def _starts_block(source: str, start: int, end: int) -> _Open | None:
    if match := _HEADING.match(source, start, end):
        return _Open("heading", [match.span("text")])
    if _BOLD_LINE.match(source, start, end):
        return _Open("heading", [_trim(source, start, end)])
    if match := _ITEM.match(source, start, end):
        return _Open("item", [_trim(source, match.end(), end)], len(match["indent"].expandtabs(4)))
    if match := _FOOTNOTE.match(source, start, end):
        return _Open("paragraph", [_trim(source, match.end(), end)])
    return None


def _breaks(source: str, block: _Open, start: int, end: int) -> bool:
    """Whether a new line opens a new block though no blank line stands between."""
    first, last = block.ranges[-1]
    begin, _ = _trim(source, start, end)
    if not (source[begin].isupper() or source[begin].isdigit()):
        return False
    same_word = source[first:last].split(None, 1)[0] == source[begin:end].split(None, 1)[0]
    return same_word or source[last - 1] in _ENDS or last - first < _SHORT_LINE


def _fenced(source: str, lines: list[tuple[int, int]], number: int, fence: str) -> tuple[list[tuple[int, int]], int]:
    ranges: list[tuple[int, int]] = []
    while number < len(lines):
        start, end = lines[number]
        number += 1
        match = _FENCE.match(source, start, end)
        if match and match[1].startswith(fence) and not source[match.end() : end].strip():
            return ranges, number
        ranges.append((start, end))
    return ranges, number


def _is_table(source: str, start: int, end: int, following: tuple[int, int]) -> bool:
    rule = source[following[0] : following[1]]
    if "|" not in rule or not _TABLE_RULE.match(rule):
        return False
    return len(_cells(source, start, end)) == len(_cells(source, *following))


def _table(source: str, lines: list[tuple[int, int]], number: int) -> tuple[list[list[tuple[int, int]]], int]:
    rows = [_cells(source, *lines[number])]
    number += 2
    while number < len(lines) and "|" in source[lines[number][0] : lines[number][1]]:
        rows.append(_cells(source, *lines[number]))
        number += 1
    return rows, number


def _cells(source: str, start: int, end: int) -> list[tuple[int, int]]:
    start, end = _trim(source, start, end)
    if start < end and source[start] == "|":
        start += 1
    if start < end and source[end - 1] == "|" and source[end - 2 : end - 1] != "\\":
        end -= 1
    cells = []
    begin = start
    for position in range(start, end + 1):
        if position == end or (source[position] == "|" and source[position - 1] != "\\"):
            cells.append(_trim(source, begin, position))
            begin = position + 1
    return cells
