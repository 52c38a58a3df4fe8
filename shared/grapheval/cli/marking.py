"""The answer with its ungrounded parts marked: in colour and, without colour, in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from grapheval.report.marks import marks_of, trimmed
from grapheval.report.text import visible
from grapheval.types import Verdict


def marked_answer(answer: str, verdicts: Sequence[Verdict], *, colour: bool, ascii_only: bool = False) -> Text:
    """The answer for a terminal.

    Args:
        answer: The text that the verdicts' spans point into.
        verdicts: In the order of the table, whose numbers the marks carry.
        colour: Whether styles are seen; without, brackets show where a mark begins and ends.
        ascii_only: Whether the terminal knows only ASCII.
    """
    shown = visible(answer)
    text, place = Text(), 0
    for mark in marks_of(verdicts, len(answer)):
        start, end = trimmed(shown, mark.span)
        sign = mark.kind.plain_sign if ascii_only else mark.kind.sign
        label = f"{sign}{','.join(map(str, mark.numbers))}"
        text.append(shown[place:start])
        if colour:
            text.append(shown[start:end], f"{mark.kind.style} underline")
            text.append(f"\N{NO-BREAK SPACE}{label}", f"bold {mark.kind.style}")
        else:
            text.append(f"[{shown[start:end]} {label}]")
        place = end
    text.append(shown[place:])
    text.rstrip()
    return text
