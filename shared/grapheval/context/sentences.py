"""Sentence boundaries with exact offsets, in one linear scan that knows Unicode's sentence ends.

A regular expression finds the places where a sentence may end (terminators and line breaks); each is then judged
by its neighbours: abbreviations, initials, decimals and list numbers do not end a sentence, a blank line always does.
"""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import re

from grapheval.types import Span

_LATIN = ".!?…‽⁇⁈⁉"
_WIDE = "。！？．｡؟۔।॥։።፧᙮᠃᠉។៕᭞꓿︒"
_LINES = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_CLOSERS = "\"'”’»›)\\]}*_`」』）】》〉"

_CANDIDATE = re.compile(f"[{_LATIN}{_WIDE}{_LINES}]")
"""One plain set, which the regular expression engine finds fastest; what follows is read by the next two."""
_ENDING = re.compile(f"[{_LATIN}{_WIDE}]++[{_CLOSERS}]*+")
_GAP = re.compile(r"\s++")

_LIST_ITEM = re.compile(r"(?:[-*+•‣◦▪#>|]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])(?=\s)|[|#>]")

_NEVER_LAST = frozenset(
    """mr mrs ms mx dr prof rev hon gov sen rep gen col lt sgt capt cmdr adm maj cpl st mt ft vs viz cf eg ie e.g i.e
    approx est no nos vol vols fig figs pp p ch sec art ed eds trans al ca c messrs mme mlle pres supt det insp ave
    blvd rd jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri sat sun ph.d resp incl
    excl dept univ assn bros""".split()
)
"""Abbreviations that something always follows."""

_MAY_BE_LAST = frozenset(
    "inc ltd co corp llc plc jr sr esq etc a.m p.m am pm u.s u.k u.n e.u u.s.a d.c b.c a.d ph.d m.d b.a m.a".split()
)
"""Abbreviations that may close a sentence: they do so where the next word looks like a sentence's first."""

_STARTERS = frozenset(
    """the a an this that these those it he she they we i you his her its their our in on at for from after before
    when while if as but and however there here what who why how where all some many most one two no not yet so then
    since although though despite with by under over during until according meanwhile also""".split()
)


def split_sentences(text: str) -> list[Span]:
    """Split a text into sentences.

    Args:
        text: Any text.

    Returns:
        Spans in order, not overlapping, without white space at their ends, none of them empty. Together they hold
        every character that is not white space. Time and memory are linear in the length.
    """
    spans: list[Span] = []
    start = 0
    line_start = 0
    position = 0
    for candidate in _CANDIDATE.finditer(text):
        first = candidate.start()
        if first < position:
            continue
        ending = _ENDING.match(text, first)
        if ending:
            position = ending.end()
            is_break = _ends_sentence(text, first, position, line_start)
        else:
            gap = _GAP.match(text, first)
            position = gap.end() if gap else first + 1
            is_break = _line_breaks(text, first, position, line_start)
            line_start = position
        if is_break:
            _append(spans, text, start, position)
            start = position
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    body = piece.strip()
    if body:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(body)))


def _ends_sentence(text: str, start: int, end: int, line_start: int) -> bool:
    """Whether the terminator at `text[start:end]` (closing quotes and brackets included) ends a sentence."""
    if end >= len(text):
        return True
    if text[start] in _WIDE:
        return True
    if not text[end].isspace():
        # "3.14", "example.com", "U.S.", "f(x)." and the like; but "…end.下一句" goes on in a script without spaces.
        return text[end] > "\u2e7f" and text[end].isalpha()
    follower = _next_word(text, end)
    lower_next = follower[:1].islower()
    run = text[start:end]
    if run[0] != ".":
        # “Really?” he asked: the quotation ended, the sentence did not.
        return not (lower_next and run[-1] not in ".!?…‽⁇⁈⁉") and not (run[0] == "…" and lower_next)
    if run.startswith(".."):
        return not lower_next
    word = _word_before(text, start)
    if not word:
        return True
    if lower_next and run[-1] != ".":
        return False
    bare = word.lstrip("\"'“‘(*_[«").lower()
    if bare in _NEVER_LAST:
        return bare == "no" and not follower[:1].isdigit()
    if bare in _MAY_BE_LAST:
        return follower.lower() in _STARTERS and follower[:1].isupper()
    if len(bare) == 1 and bare.isalpha() and word[-1].isupper():
        # An initial; "Plan B. The …" is a sentence end.
        return follower.lower() in _STARTERS and follower[:1].isupper()
    before = start - len(word)
    indented = before - line_start <= 12 and not text[line_start:before].strip()
    return not (indented and len(bare) <= 3 and bare.isdigit())  # the number of a list item


def _word_before(text: str, end: int) -> str:
    """The last run without white space before `end`, at most 16 characters of it."""
    pieces = text[max(0, end - 16) : end].split()
    return pieces[-1] if pieces and not text[end - 1].isspace() else ""


def _next_word(text: str, start: int) -> str:
    """The first word at or after `start`, within 40 characters."""
    pieces = text[start : start + 40].split(None, 1)
    word = pieces[0] if pieces else ""
    word = word.lstrip("\"'“‘(*_[«")
    length = 0
    while length < len(word) and word[length].isalnum():
        length += 1
    return word[:length] if length else word[:1]


def _line_breaks(text: str, start: int, end: int, line_start: int) -> bool:
    """Whether the line break at `text[start:end]` (with the white space after it) ends a sentence."""
    gap = text[start:end]
    if gap.count("\n") > 1 or gap.count("\r") > 1 or "\u2029" in gap:
        return True
    line = text[line_start:start][-200:].rstrip()
    if not line or line[-1] in ".!?:;…。！？؟":
        return True
    if _LIST_ITEM.match(text, end) or _LIST_ITEM.match(text, line_start):
        return True
    # Hard-wrapped prose goes on; a short line before a capital is a heading or an entry of its own.
    follower = text[end : end + 1]
    return start - line_start <= 60 and not follower.islower()
