"""Escapes of JSON and Python strings, and the cleaning of single values."""

from __future__ import annotations

import re
from typing import Final

from grapheval.types.sample import clean_text

_SIMPLE: Final = {
    '"': '"', "'": "'", "`": "`", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": "",
    "[": "[", "]": "]", "(": "(", ")": ")", "_": "_", "*": "*",
}  # fmt: skip
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LAST_CODE_POINT: Final = 0x10FFFF


def unescape(text: str) -> str:
    """Resolve the escapes of JSON and Python; an unknown one stays as it is, a lone surrogate becomes U+FFFD."""
    if "\\" not in text:
        return clean_text(text)
    joined = _PAIR.sub(_join, _ESCAPE.sub(_resolve, text))
    return clean_text(joined)


def _resolve(found: re.Match[str]) -> str:
    four, eight, two, char = found.groups()
    code = four or eight or two
    if code is not None:
        point = int(code, 16)
        return chr(point) if point <= _LAST_CODE_POINT else found.group()
    return _SIMPLE.get(char, found.group())


def _join(found: re.Match[str]) -> str:
    high, low = list(found.group())
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00))


def has_content(value: str) -> bool:
    """Whether a value holds a letter, a digit or another sign that means something, not only punctuation."""
    return any(char.isalnum() or ord(char) > 0x2BFF or char in "%€$£¥" for char in value)
