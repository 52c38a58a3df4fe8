"""Inline Markdown -> plain text in which every character knows its place in the original."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice

from grapheval.types import Span

_SPECIAL = re.compile(r"[\\`*_~\[\](!<&【\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_CODE = re.compile(r"`+")
_LINK = re.compile(
    r"\[([^\[\]\n]{1,500})\](?:\((?:<[^<>\n]{0,2000}>"
    r"|[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?)(?:\s+\"[^\"\n]{0,500}\")?\)"
    r"|\[[^\[\]\n]{0,200}\])"
)
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,500}\]\([^()\n]{0,2000}\)")
_CITATION = re.compile(
    r"\[(?:\^[\w-]{1,40}|\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3}){0,20}"
    r"|(?:source|doc|document|passage|ref|reference|context|citation)s?[\s:#_-]*\d{1,3}"
    r"(?:\s*,\s*\w{0,12}\s*\d{1,3}){0,10})\]",
    re.IGNORECASE,
)
_PAREN_CITATION = re.compile(
    r"\((?:see |from |source:? |according to )?(?:sources?|docs?|documents?|passages?"
    r"|references?|citations?|contexts?)[\s:#_-]*\d{1,3}"
    r"(?:(?:\s*,\s*|\s+and\s+|\s*&\s*|\s*[–-]\s*)(?:\w{3,9}\s+)?\d{1,3}){0,10}\)",
    re.IGNORECASE,
)
_CJK_CITATION = re.compile(r"【[^【】\n]{0,80}】")
_TAG = re.compile(r"<(?:/?[A-Za-z][A-Za-z0-9-]{0,20}(?:\s[^<>\n]{0,300})?/?|!--[^\n]{0,500}?--)>")
_AUTOLINK = re.compile(r"<((?:https?|mailto|ftp):[^<>\s]{1,2000})>")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_IDENTIFIER_END = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*$")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True, slots=True)
class Run:
    """`length` plain characters from `plain` on stand at `start` to `end` of the original text."""

    plain: int
    length: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text with its way back to the original.

    Args:
        text: What a reader sees, white space folded to single spaces.
        runs: Ascending pieces of the original.
        code: Ranges of `text` that were code spans.
    """

    text: str
    runs: tuple[Run, ...] = ()
    code: tuple[Span, ...] = ()

    def span(self, start: int, end: int) -> Span:
        """Place of `text[start:end]` (not empty) in the original text."""
        first, last = self._run(start), self._run(end - 1)
        left = first.start + (start - first.plain if first.end - first.start == first.length else 0)
        right = last.start + (end - last.plain) if last.end - last.start == last.length else last.end
        return Span(left, right)

    def _run(self, position: int) -> Run:
        index = bisect_right(self.runs, position, key=lambda run: run.plain) - 1
        return self.runs[max(index, 0)]

    def slice(self, start: int, end: int) -> Plain:
        """`text[start:end]` as a plain text of its own."""
        runs = []
        first = max(0, bisect_right(self.runs, start, key=lambda run: run.plain) - 1)
        for run in islice(self.runs, first, None):
            if run.plain >= end:
                break
            left, right = max(run.plain, start), min(run.plain + run.length, end)
            if left >= right:
                continue
            if _same_length(run):
                begin = run.start + left - run.plain
                runs.append(Run(left - start, right - left, begin, begin + right - left))
            else:
                runs.append(Run(left - start, right - left, run.start, run.end))
        code = tuple(
            Span(max(c.start, start) - start, min(c.end, end) - start)
            for c in self.code
            if c.start < end and c.end > start
        )
        return Plain(self.text[start:end], tuple(runs), code)


@dataclass(slots=True)
class _Piece:
    text: str
    start: int
    end: int
    code: bool = False
    dropped: bool = False


@dataclass(slots=True)
class _Delimiter:
    piece: _Piece
    left: int


def read_inline(source: str, ranges: list[tuple[int, int]]) -> Plain:
    """Strip inline Markdown from pieces of `source` that belong together (the lines of one paragraph).

    Emphasis, links' targets, images, HTML tags, entities, escapes and citation markers such as `[1]`, `[^1]` and
    `【1】` go; code spans stay as they are.

    Args:
        source: The original text.
        ranges: Ascending code-point ranges of it; a space is put between two of them.
    """
    pieces: list[_Piece] = []
    for number, (start, end) in enumerate(ranges):
        if number:
            pieces.append(_Piece(" ", ranges[number - 1][1], start))
        _scan(source, start, end, pieces)
    return _join(pieces)


def _scan(source: str, start: int, end: int, pieces: list[_Piece]) -> None:
    openers: dict[str, list[_Delimiter]] = {"*": [], "_": [], "~": []}
    closers = _code_closers(source, start, end)
    position = start
    while position < end:
        match = _SPECIAL.search(source, position, end)
        stop = match.start() if match else end
        if stop > position:
            pieces.append(_Piece(source[position:stop], position, stop))
        if match is None:
            return
        position = _special(source, stop, end, pieces, openers, closers)


def _code_closers(source: str, start: int, end: int) -> dict[int, list[int]]:
    """Positions of backtick runs by length, last first."""
    found: dict[int, list[int]] = {}
    for match in _CODE.finditer(source, start, end):
        found.setdefault(len(match[0]), []).append(match.start())
    for places in found.values():
        places.reverse()
    return found


def _special(
    source: str,
    at: int,
    end: int,
    pieces: list[_Piece],
    openers: dict[str, list[_Delimiter]],
    closers: dict[int, list[int]],
) -> int:
    """Read the special character at `at`; return where to go on."""
    char = source[at]
    if char == "\\" and at + 1 < end and source[at + 1] in _ESCAPABLE:
        pieces.append(_Piece(source[at + 1], at + 1, at + 2))
        return at + 2
    if char == "`":
        return _code_span(source, at, end, pieces, closers)
    if char in "*_~":
        return _delimiters(source, at, end, pieces, openers[char])
    if char == "!" and (match := _IMAGE.match(source, at, end)):
        return match.end()
    if char == "[":
        if (match := _CITATION.match(source, at, end)) and not _is_index(source, at, match):
            _trim_space_before(source, match.end(), end, pieces)
            return match.end()
        if match := _LINK.match(source, at, end):
            _scan(source, match.start(1), match.end(1), pieces)
            return match.end()
    if char == "(" and (match := _PAREN_CITATION.match(source, at, end)):
        _trim_space_before(source, match.end(), end, pieces)
        return match.end()
    if char == "【" and (match := _CJK_CITATION.match(source, at, end)):
        _trim_space_before(source, match.end(), end, pieces)
        return match.end()
    if char == "<":
        if match := _AUTOLINK.match(source, at, end):
            pieces.append(_Piece(match[1], match.start(1), match.end(1), code=True))
            return match.end()
        if match := _TAG.match(source, at, end):
            if match[0].lower().startswith(("<br", "<p", "</p", "<li", "</li", "<td", "</td")):
                pieces.append(_Piece(" ", at, match.end()))
            return match.end()
    if char == "&" and (match := _ENTITY.match(source, at, end)):
        text = html.unescape(match[0])
        if text != match[0] and text.isprintable():
            pieces.append(_Piece(text, at, match.end()))
            return match.end()
    if char.isspace() or ord(char) < 32 or 127 <= ord(char) < 160:
        pieces.append(_Piece(" ", at, at + 1))
    elif char in "\\*_~[](!<&【":
        pieces.append(_Piece(char, at, at + 1))
    return at + 1  # invisible characters fall through and are dropped


def _code_span(source: str, at: int, end: int, pieces: list[_Piece], closers: dict[int, list[int]]) -> int:
    match = _CODE.match(source, at, end)
    ticks = len(match[0]) if match else 1
    places = closers.get(ticks, [])
    while places and places[-1] <= at:
        places.pop()
    if not places:
        pieces.append(_Piece(source[at : at + ticks], at, at + ticks))
        return at + ticks
    close = places.pop()
    inner = source[at + ticks : close]
    if inner.strip():
        lead = len(inner) - len(inner.lstrip())
        text = " ".join(inner.split())
        begin = at + ticks + lead
        stripped = inner.strip()
        pieces.append(_Piece(text, begin, begin + len(stripped), code=True))
    return close + ticks


def _delimiters(source: str, at: int, end: int, pieces: list[_Piece], openers: list[_Delimiter]) -> int:
    char = source[at]
    stop = at
    while stop < end and source[stop] == char:
        stop += 1
    length = stop - at
    before = source[at - 1] if at > 0 else " "
    after = source[stop] if stop < end else " "
    opens, closes = _flanking(char, before, after)
    if length > 3 or (char == "~" and length != 2):
        pieces.append(_Piece(source[at:stop], at, stop))
        return stop
    left = length
    if closes:
        while left and openers:
            opener = openers[-1]
            used = min(left, opener.left)
            left -= used
            opener.left -= used
            opener.piece.text = char * opener.left
            if not opener.left:
                openers.pop()
    if left:
        piece = _Piece(char * left, at, stop)
        pieces.append(piece)
        if opens:
            openers.append(_Delimiter(piece, left))
    return stop


def _flanking(char: str, before: str, after: str) -> tuple[bool, bool]:
    """CommonMark's rules for delimiter runs: (may open, may close)."""
    punct_before, punct_after = not (before.isalnum() or before.isspace()), not (after.isalnum() or after.isspace())
    left = not after.isspace() and (not punct_after or before.isspace() or punct_before)
    right = not before.isspace() and (not punct_before or after.isspace() or punct_after)
    if char == "_":
        return left and (not right or punct_before), right and (not left or punct_after)
    return left, right


def _is_index(source: str, at: int, match: re.Match[str]) -> bool:
    """Whether `[1]` is an index into something (`a[1]`, `my_list[0]`) and not a citation."""
    word = _IDENTIFIER_END.search(source, max(0, at - 40), at)
    if word is None:
        return False
    after = source[match.end() : match.end() + 1]
    name = word[0]
    if match[0] == "[0]" or (after in {"=", "(", "["} and len(match[0]) < 5 and after != "["):
        return True
    looks_like_code = len(name) == 1 or "_" in name or bool(re.search(r"[a-z][A-Z]|\d|\w\.\w", name))
    return looks_like_code and name not in {"I"}


def _trim_space_before(source: str, stop: int, end: int, pieces: list[_Piece]) -> None:
    """Drop the space before a removed marker where punctuation, the end or another space follows it."""
    after = source[stop] if stop < end else " "
    if (after.isspace() or after in ".,;:!?)[【") and pieces and pieces[-1].text.endswith(" "):
        last = pieces[-1]
        if last.text == " " and not last.code:
            pieces.pop()


def _join(pieces: list[_Piece]) -> Plain:
    kept: list[_Piece] = []
    for piece in pieces:
        if piece.text and (piece.text != " " or (kept and not kept[-1].text.endswith(" "))):
            kept.append(piece)
    if kept and kept[-1].text == " ":
        kept.pop()
    runs: list[Run] = []
    code: list[Span] = []
    length = 0
    for piece in kept:
        size = len(piece.text)
        if piece.code:
            code.append(Span(length, length + size))
        if runs and runs[-1].end == piece.start and _same_length(runs[-1]) and piece.end - piece.start == size:
            first = runs.pop()  # words and spaces that stand side by side in the original are one run
            runs.append(Run(first.plain, first.length + size, first.start, piece.end))
        else:
            runs.append(Run(length, size, piece.start, piece.end))
        length += size
    return Plain("".join(piece.text for piece in kept), tuple(runs), tuple(code))


def _same_length(run: Run) -> bool:
    return run.end - run.start == run.length
