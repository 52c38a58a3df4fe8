"""A reader for what language models write in place of JSON: iterative, linear in the text, never evaluating it.

It reads JSON, Python literals, and what lies between: single, smart and backtick quotes, quotes inside quotes, unquoted
words, trailing and missing commas, comments, `key: value` and `key=value`, brackets that do not match or never close.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from grapheval.extraction.parsing.names import LONG_NAMES, NOTHING, normal
from grapheval.extraction.parsing.strings import unescape

MAX_DEPTH: Final = 64
"""Brackets nested deeper than this are ignored: real replies need five."""

CLOSER: Final = {"[": "]", "(": ")", "{": "}", "（": "）", "［": "］"}
CLOSERS: Final = frozenset(CLOSER.values())
QUOTES: Final = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": '”“"',
    "‘": "’‘'",
    "„": '“”"',
    "«": "»",
    "「": "」",
    "『": "』",
    "”": "”",
    "’": "’",
}
"""Opening quote -> what closes it."""

_BLANK = re.compile(r"\s*")
_GAP = re.compile(r"[\s,;，]*")
_OPENER = re.compile(r"[\[({（［]|</|```")
_STRUCTURED = re.compile(r"""\s*(?:["'“‘„«「『\[({（［]|`(?!``)|\w{1,20}\s*=\s*["'“])""")
_COMMENT = re.compile(r"(?:#(?=[\s#])|//)[^\n]*|/\*[^*]*\*/")
_BARE_STOP = re.compile(r"[,;，\n\[\](){}（）［］:=<`]")
_CLOSER_OF_STRING = {quote: re.compile(rf"\\|[{re.escape(ends)}]") for quote, ends in QUOTES.items()}
_WORD = re.compile(r"[\w.+-]{1,20}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(slots=True)
class Scalar:
    """A value: text, place, whether it stood in quotes."""

    text: str
    start: int
    end: int
    quoted: bool

    @property
    def missing(self) -> bool:
        """Whether it is an unquoted `null` or the like."""
        return not self.quoted and self.text.lower() in NOTHING


@dataclass(slots=True)
class Group:
    """A list, tuple, set or object. `keys` runs beside `items`; None where a value has no key."""

    opener: str
    start: int
    end: int = -1
    items: list[Scalar | Group] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    pending: str | None = None
    broken: str | None = None
    """Why the group cannot be trusted, if so."""
    cut: bool = False
    """The text ended before the group did."""

    def add(self, item: Scalar | Group) -> None:
        """Append a value under the key that waits for one."""
        self.items.append(item)
        self.keys.append(self.pending)
        self.pending = None


class Reader:
    """Reads the groups of one text.

    Args:
        text: The whole reply.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.position = 0
        """How far the text has been read."""
        self._unclosed: dict[tuple[str, bool], int] = {}
        """(quote, inside braces) -> from here on nothing closes it: keeps hostile input linear."""

    def groups(self, start: int, stop: str | None) -> Iterator[Group]:
        """The outermost groups from `start` on.

        Args:
            start: Offset to begin at.
            stop: End at this mark (`"</"` or a fence) when it stands outside every group; None = read to the end.
        """
        self.position = start
        while (found := _OPENER.search(self._text, self.position)) is not None:
            mark = found.group()
            self.position = found.end()
            if mark == stop:
                return
            if mark in CLOSER and (mark == "{" or self._starts_data(found.end())):
                group, self.position = self._group(found.start())
                yield group
        self.position = len(self._text)

    def _starts_data(self, position: int) -> bool:
        """Brackets in prose are no data; those that begin with a quote or another bracket are, and so are `[]`."""
        if _STRUCTURED.match(self._text, position):
            return True
        after = self._skip(_BLANK, position)
        return self._text[after : after + 1] == "]"

    def _skip(self, pattern: re.Pattern[str], position: int) -> int:
        found = pattern.match(self._text, position)
        return found.end() if found else position

    def _group(self, start: int) -> tuple[Group, int]:
        """Read one outermost group; returns it and the offset behind it."""
        text, size = self._text, len(self._text)
        root = Group(text[start], start)
        stack = [root]
        position = start + 1
        while stack:
            position = self._skip(_GAP, position)
            if position >= size:
                for group in stack:
                    group.cut, group.end = True, size
                break
            top, char = stack[-1], text[position]
            if char in CLOSER:
                position += 1
                if len(stack) < MAX_DEPTH:
                    inner = Group(char, position - 1)
                    top.add(inner)
                    stack.append(inner)
            elif char in CLOSERS:
                position += 1
                self._close(stack, char, position)
            elif text.startswith(("</", "```"), position):
                for group in stack:
                    group.end = position
                return root, position
            elif char in QUOTES:
                position = self._quoted(stack, position)
            elif (comment := _COMMENT.match(text, position)) is not None:
                position = comment.end()
            else:
                position = self._bare(top, position)
        return root, position

    @staticmethod
    def _close(stack: list[Group], char: str, end: int) -> None:
        """Close the innermost group of that kind, with all inside it; a closer that fits none closes the innermost."""
        depth = next((i for i in range(len(stack) - 1, -1, -1) if CLOSER[stack[i].opener] == char), len(stack) - 1)
        for group in stack[depth:]:
            group.end = end
        del stack[depth:]

    # ------------------------------------------------------------------------------------------------ quoted values

    def _quoted(self, stack: list[Group], start: int) -> int:
        top, text = stack[-1], self._text
        in_braces = top.opener == "{" or any(top.keys[:1])
        quote = text[start]
        if quote in "\"'" and text.startswith(quote * 3, start):
            end = text.find(quote * 3, start + 3)
            inner, after = (start + 3, end + 3) if end >= 0 else (start + 3, len(text))
        else:
            end = self._end_of_string(quote, start + 1, in_braces)
            inner, after = start + 1, end + 1
        if end < 0:
            return self._unterminated(stack, start)
        value = Scalar(unescape(text[inner:end]), start, after, quoted=True)
        behind = self._skip(_BLANK, after)
        if top.pending is None and text[behind : behind + 1] in {":", "="}:
            top.pending = value.text
            return behind + (2 if text.startswith(("=>", ":="), behind) else 1)
        top.add(value)
        return after

    def _unterminated(self, stack: list[Group], start: int) -> int:
        """No quote closes the value: the item is lost, the reader goes on with the next line."""
        top, text = stack[-1], self._text
        line_end = text.find("\n", start)
        if line_end < 0:
            for group in stack:
                group.cut, group.end = True, len(text)
            top.broken = "cut off"
            stack.clear()
            return len(text)
        top.broken, top.end = "a quote is never closed", line_end
        stack.pop()
        return line_end

    def _end_of_string(self, quote: str, start: int, in_braces: bool) -> int:
        """Offset of the quote that closes the value, -1 if none does."""
        text, key = self._text, (quote, in_braces)
        known = self._unclosed.get(key)
        if known is not None and start >= known:
            return -1
        pattern, position = _CLOSER_OF_STRING[quote], start
        while (found := pattern.search(text, position)) is not None:
            if found.group() == "\\":
                position = found.end() + 1
                continue
            if self._closes(found.end(), in_braces):
                return found.start()
            position = found.end()
        self._unclosed[key] = start
        return -1

    def _closes(self, position: int, in_braces: bool) -> bool:
        """Whether what follows a quote says that the quote ends a value, and is not part of it."""
        text = self._text
        after = self._skip(_BLANK, position)
        char = text[after : after + 1]
        if not char or char == "#" or text.startswith(("</", "```", "//"), after):
            return True
        if char in CLOSERS:
            behind = self._skip(_BLANK, after + 1)
            follower = text[behind : behind + 1]
            # `array['a'] is` and `(the song "Yes")"` go on: brackets inside a value.
            return not (follower.isalnum() or follower in QUOTES) or "\n" in text[after:behind]
        if char in ",;，":
            behind = self._skip(_BLANK, after + 1)
            return self._starts_value(behind) or "\n" in text[after:behind]
        if char == ":" or text.startswith("=>", after):
            return in_braces
        return char in QUOTES and "\n" in text[position:after]

    def _starts_value(self, position: int) -> bool:
        char = self._text[position : position + 1]
        if not char or char in QUOTES or char in CLOSER or char in CLOSERS or char in "#/-.…" or char.isdigit():
            return True
        word = _WORD.match(self._text, position)
        if word is None:
            return False
        if word.group().lower() in NOTHING | {"true", "false"}:
            return True
        behind = self._skip(_BLANK, word.end())
        return self._text[behind : behind + 1] in {":", "="} and normal(word.group()) in LONG_NAMES

    # ---------------------------------------------------------------------------------------------- unquoted values

    def _bare(self, top: Group, start: int) -> int:
        """Read an unquoted value, or a key; it ends at a comma, a bracket or the end of the line."""
        text, depth, position = self._text, 0, start
        while (found := _BARE_STOP.search(text, position)) is not None:
            char, place = found.group(), found.start()
            position = found.end()
            if char in CLOSER:
                depth += 1
            elif char in CLOSERS:
                if depth == 0:
                    position = place
                    break
                depth -= 1
            elif char in ":=":
                if depth == 0 and top.pending is None and self._is_key(top, text[start : min(place, start + 60)]):
                    top.pending = text[start:place].strip()
                    return position
            elif char in "<`":
                if text.startswith(("</", "```"), place):
                    position = place
                    break
            elif char == "\n" or (depth == 0 and not (char == "," and _THOUSANDS.match(text, place))):
                position = place
                break
        else:
            position = len(text)
        value = text[start:position].strip()
        if value.startswith(('\\"', "\\'")):
            top.broken = "escaped quotes around a value"
        if value:
            top.add(Scalar(value, start, position, quoted=False))
        return max(position, start + 1)

    @staticmethod
    def _is_key(top: Group, name: str) -> bool:
        return top.opener == "{" or normal(name) in LONG_NAMES
