"""Triples written one a line: with pipes, tabs, semicolons, arrows or commas between, or as `Subject: …` lines."""

from __future__ import annotations

import html
import re
from typing import Final

from grapheval.extraction.parsing.collect import Found
from grapheval.extraction.parsing.names import LONG_NAMES, PARTS, is_header, normal, part_of

MAX_LINE_CHARS: Final = 2_000
"""A longer line is prose."""

_BULLET = re.compile(
    r"\s*(?:(?:[-*•–+>]|\(?\d{1,3}[.):]|(?:triple|fact)s?\s*#?\d*\s*[:.)-])\s+|\d{1,3}[.)](?=[^\d\s]))?\s*", re.I
)
_ARROW = re.compile(r" ?(?:-{1,3} ?\[ ?:?|[-—–=]{1,3} ?(?:>|→)|→|⟶|⇒|\] ?-{1,3}>) ?")
_PIPE = re.compile(r"\|{1,3}")
_WEAK: Final = (re.compile(r" ?; ?"), re.compile(r" ?[,，] ?(?!\d{3}(?!\d))"))
_JOINED = re.compile(r"[|(\[→]|->|=>")
_NO_BRACKET = re.compile(r"[<>]|→")
_RULE = re.compile(r"[\s|:+=_-]*")
_KEYED = re.compile(r"[^\w\n]{0,12}([A-Za-z][A-Za-z _-]{0,20}\d?)[*_`\"']{0,3}\s*[:=][*_`]{0,3}\s*(.*)")
_ELEMENT = re.compile(r"<([A-Za-z]\w{1,20})>([^<>]*)</\1>")
_PAIRS: Final = {"(": ")", "[": "]", "<": ">", "（": "）"}
_QUOTE_PAIRS: Final = {'"': '"', "'": "'", "“": "”", "`": "`"}


def harvest_lines(region: str, found: Found, *, marked: bool, ended: bool = False) -> None:
    """Collect triples that stand one a line.

    Args:
        region: Part of a reply.
        found: Collects the result.
        marked: The region is a block that the model set apart for triples: a single line with commas counts there.
        ended: A closing mark follows the region, so that its last line is whole.
    """
    if _keyed_blocks(region, found):
        return
    lines = [line for line in region.split("\n") if line.strip() and len(line) <= MAX_LINE_CHARS]
    rows = [_cells(line) for line in lines]
    if not any(len(row) >= len(PARTS) for row in rows):
        rows = _weak_rows(lines, at_least=1 if marked else 2)
    columns: dict[str, int] | None = None
    partial = False
    for line, row in zip(lines, rows, strict=True):
        partial = False
        if len(row) < 2 or _RULE.fullmatch(line):
            continue
        header = _header(row)
        if header is not None:
            columns = header
            continue
        values = [row[columns[part]] for part in PARTS] if columns and len(row) > max(columns.values()) else row
        if len(values) == len(PARTS):
            named = [_without_name(value, part) for value, part in zip(values, PARTS, strict=True)]
            found.take(_unquoted(named), line)
        else:
            partial = len(row) < len(PARTS)
            found.reject(line, f"{len(values)} values, a triple has 3")
    if partial and found.triples and not ended and not region.endswith("\n"):
        found.cut = True


def split_joined(text: str) -> list[str] | None:
    """The three parts of a triple that was written as one string, None if it is no such string."""
    if len(text) > MAX_LINE_CHARS or not _JOINED.search(text):
        return None
    inner = text.strip()
    if len(inner) > 2 and inner[0] in "([" and inner[-1] == _PAIRS[inner[0]]:
        inner = " ".join(inner[1:-1].split())
        for weak in _WEAK:
            parts = weak.split(inner)
            if len(parts) == len(PARTS):
                return _unquoted(parts)
        return None
    inner = " ".join(inner.split())
    for parts in (_PIPE.split(inner), re.split(r" (?:->|→|=>) ", inner)):
        if len(parts) == len(PARTS) and all(part.strip() for part in parts):
            return [part.strip() for part in parts]
    return None


def _cells(line: str) -> list[str]:
    """The line's cells at the strongest separator that it has; a line without any is one cell."""
    body = line[_end(_BULLET, line) :].strip()
    bracketed = False
    if len(body) > 2 and body[0] in _PAIRS:
        stripped = body.rstrip(" ,.;")
        if stripped.endswith(_PAIRS[body[0]]) and not _NO_BRACKET.search(stripped, 1, len(stripped) - 1):
            body, bracketed = stripped[1:-1].strip(), True
    if "\t" in body and len(cells := re.split(r"\t+", body)) > 1:
        return [_clean(cell) for cell in cells]
    body = " ".join(body.split())
    pipes = _PIPE.split(body.removeprefix("|").removesuffix("|"))
    if len(pipes) > 1:
        return [_clean(cell) for cell in pipes]
    arrows = _ARROW.split(body)
    if len(arrows) == 2 and " --" in arrows[0]:  # Oslo --lies in--> Norway
        left, _, middle = arrows[0].rpartition("--")
        arrows = [left, middle, arrows[1]]
    if len(arrows) == len(PARTS):
        cypher = body.startswith("(") and "-[" in body  # (Oslo)-[:LIES_IN]->(Norway)
        return [_clean(cell.strip(" ()") if cypher else cell) for cell in arrows]
    if bracketed:
        for separator in _WEAK:
            cells = _split_quoted(separator, body)
            if len(cells) > 1:
                return [_clean(cell) for cell in cells]
    return [body]


def _weak_rows(lines: list[str], *, at_least: int) -> list[list[str]]:
    """Rows at semicolons or commas, if nearly all lines agree: prose has commas too."""
    bodies = [" ".join(line[_end(_BULLET, line) :].split()) for line in lines]
    for separator in _WEAK:
        rows = [_split_quoted(separator, body) for body in bodies]
        good = [
            len(row) == len(PARTS)
            and all(len(cell.split()) <= 12 for cell in row)
            and not body.endswith((".", "!", "?"))
            for row, body in zip(rows, bodies, strict=True)
        ]
        partial = len(rows) > 1 and len(rows[-1]) == 2 and not good[-1]
        chatter = sum(body.endswith(":") for body in bodies) + partial
        sure = any(ok and all(cell[:1] in _QUOTE_PAIRS for cell in row) for ok, row in zip(good, rows, strict=True))
        if sum(good) >= (1 if sure else at_least) and sum(good) >= 0.8 * (len(lines) - chatter):
            if partial:
                good[-1] = True
            return [[_clean(cell) for cell in row] if ok else [] for row, ok in zip(rows, good, strict=True)]
    return [[] for _ in lines]


def _split_quoted(separator: re.Pattern[str], body: str) -> list[str]:
    """Split, but not inside a cell that begins with a quote: `"Oslo", "lies in", "Norway, in the south"`."""
    cells: list[str] = []
    for piece in separator.split(body):
        if cells and _opens_only(cells[-1]):
            cells[-1] = f"{cells[-1]}, {piece}"
        else:
            cells.append(piece)
    return cells


def _opens_only(cell: str) -> bool:
    close = _QUOTE_PAIRS.get(cell[:1])
    return close is not None and (len(cell) == 1 or not cell.rstrip().endswith(close))


def _end(pattern: re.Pattern[str], line: str) -> int:
    found = pattern.match(line)
    return found.end() if found else 0


def _clean(cell: str) -> str:
    cell = cell.strip()
    for mark in ("**", "__", "`"):
        if len(cell) > 2 * len(mark) and cell.startswith(mark) and cell.endswith(mark):
            cell = cell[len(mark) : -len(mark)].strip()
    return cell


def _unquoted(values: list[str]) -> list[str]:
    """Quotes around all parts are marks of the style; around one of them they belong to it."""
    values = [value.strip() for value in values]
    quoted = [len(v) > 2 and v[0] in _QUOTE_PAIRS and v.endswith(_QUOTE_PAIRS[v[0]]) for v in values]
    return [value[1:-1].strip() for value in values] if all(quoted) else values


def _header(row: list[str]) -> dict[str, int] | None:
    """Columns of the three parts, if the row is a table's head."""
    named = {part_of(cell): index for index, cell in enumerate(row) if normal(cell) in LONG_NAMES}
    if len(named) == len(PARTS):
        return {str(part): index for part, index in named.items()}
    return dict(zip(PARTS, range(3), strict=True)) if is_header(row) else None


def _without_name(value: str, part: str) -> str:
    """`"Subject: Oslo"` -> `"Oslo"`."""
    name, colon, rest = value.partition(":")
    return rest.strip() if colon and normal(name) in LONG_NAMES and part_of(name) == part else value


def _keyed_blocks(region: str, found: Found) -> bool:
    """`Subject: …` / `Relation: …` / `Object: …` on lines of their own, or as elements; True if there were any."""
    pairs: list[tuple[str, str]] = []
    if "</" in region:
        pairs = [(name, html.unescape(value)) for name, value in _ELEMENT.findall(region)]
        pairs = [(name, value) for name, value in pairs if normal(name) in LONG_NAMES]
    if not pairs:
        for line in region.split("\n"):
            keyed = _KEYED.match(line) if len(line) <= MAX_LINE_CHARS else None
            if keyed is not None and normal(keyed[1]) in LONG_NAMES and not _more_names(keyed[2]):
                pairs.append((keyed[1], _clean(keyed[2].rstrip(" ,"))))
    parts = [(part_of(name), value) for name, value in pairs]
    if {part for part, _ in parts} != set(PARTS):
        return False
    current: dict[str, str] = {}
    for part, value in parts:
        if part in current:
            found.reject(str(current), "a part is missing")
            current = {}
        current[str(part)] = value
        if len(current) == len(PARTS):
            found.take(_unquoted([current[name] for name in PARTS]), "; ".join(current[name] for name in PARTS))
            current = {}
    if current:
        found.reject(str(current), "cut off")
        found.cut = True
    return True


def _more_names(rest: str) -> bool:
    """Whether the rest of a line holds a second `name:`, so that the line is a whole triple."""
    return any(normal(word) in LONG_NAMES for word in re.findall(r"(\w+)\s*[:=]", rest))
