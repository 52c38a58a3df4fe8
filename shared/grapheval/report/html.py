"""HTML from Python values: whatever is not HTML already is escaped, so that untrusted text cannot become markup."""

from __future__ import annotations

from html import escape as _escape

from grapheval.report.text import visible

VOID = frozenset({"meta", "input", "br", "hr", "rect", "circle", "path", "line", "polygon", "link"})
"""Elements that are written without an end tag (SVG's close themselves)."""

_SVG = frozenset({"rect", "circle", "path", "line", "polygon"})


class Html(str):
    """Text that is HTML: made by `el`, `join` and `escape` only."""

    __slots__ = ()


Child = str | int | float | None


def escape(text: str) -> Html:
    """Text as HTML; control characters and direction overrides become visible signs."""
    return Html(_escape(visible(text), quote=True))


def join(*children: Child) -> Html:
    """HTML stays, everything else is escaped, None is left out."""
    return Html("".join(c if isinstance(c, Html) else escape(str(c)) for c in children if c is not None))


def el(tag: str, *children: Child, **attributes: Child | bool) -> Html:
    """An element.

    Args:
        tag: Its name.
        children: Texts (escaped), HTML, or None (left out).
        attributes: `class_` is `class`, `data_kind` is `data-kind`; True writes the name alone, False and None
            leave it out.
    """
    parts = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        parts.append(key if value is True else f'{key}="{escape(str(value))}"')
    opening = " ".join(parts)
    if tag in _SVG:
        return Html(f"<{opening}/>")
    if tag in VOID:
        return Html(f"<{opening}>")
    return Html(f"<{opening}>{join(*children)}</{tag}>")
