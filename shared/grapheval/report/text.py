"""Hostile text made harmless for a terminal: one character for one, so that offsets stay right."""

from __future__ import annotations

_KEPT = {"\n", "\t"}
_BIDI = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_UNSAFE = dict.fromkeys([*range(32), 127, *range(128, 160), *_BIDI], "�")
_UNSAFE |= dict.fromkeys([0x2028, 0x2029, 0x0D, 0x0B, 0x0C, 0x85], " ")
_UNSAFE = {code: shown for code, shown in _UNSAFE.items() if chr(code) not in _KEPT}
_UNSAFE |= dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")


def visible(text: str) -> str:
    """Control characters (escape sequences), lone surrogates and direction overrides become U+FFFD, in place."""
    return text.translate(_UNSAFE)


def one_line(text: str, limit: int | None = None) -> str:
    """`visible`, on one line, cut with an ellipsis at `limit` characters."""
    line = " ".join(visible(text).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"
