"""Where the program writes for people: a rich console that takes texts literally."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

MAX_WIDTH = 120
"""Longer lines are hard to read."""


def out() -> Console:
    """Standard output."""
    return _console(sys.stdout)


def err() -> Console:
    """Standard error."""
    return _console(sys.stderr)


def _console(stream: IO[str]) -> Console:
    from rich.console import Console

    class Literal(Console):
        """No markup, no emoji codes, no highlighting; a closed pipe is the caller's affair."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    console = Literal(file=stream, markup=False, emoji=False, highlight=False)
    console.width = min(console.width, MAX_WIDTH)
    return console


def shows_colour(console: Console) -> bool:
    """Whether styles are seen on it."""
    return console.color_system is not None and not console.no_color


def knows_unicode(stream: IO[str]) -> bool:
    """Whether signs such as ✓ can be written to it."""
    encoding = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
    return encoding.startswith("utf")
