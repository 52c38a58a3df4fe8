"""The terminal view of a repair: what was changed, and what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grapheval.cli.passages import claim_text
from grapheval.cli.view import View, write
from grapheval.report.kinds import CORRECTION_KINDS, count
from grapheval.report.text import one_line, visible
from grapheval.types import Correction

if TYPE_CHECKING:
    from rich.console import Console


def show_correction(console: Console, answer: str, correction: Correction) -> None:
    """Write the view of a repair.

    Args:
        console: Where to.
        answer: The original text.
        correction: What became of it.
    """
    view = View(console)
    parts: list[RenderableType] = [""]
    if correction.edits:
        parts += [view.heading("Correction"), Padding(edited(answer, correction, colour=view.colour), (0, 2)), ""]
    for left in correction.unrepaired:
        line = Text.assemble("not repaired: ", claim_text(left.claim, ascii_only=view.ascii_only), " ")
        line.append(f"({one_line(left.reason, 200)})", "dim")
        parts.append(Padding(line, (0, 2)))
    kind = CORRECTION_KINDS[correction.status]
    parts.append(Text.assemble((kind.word, f"bold {kind.style}"), f"  {kind.meaning}"))
    if correction.usage.calls:
        parts.append(Text(f"{count(correction.usage.calls, 'LLM call')} for the repair", "dim"))
    write(console, Group(*parts))


def edited(answer: str, correction: Correction, *, colour: bool) -> Text:
    """The answer with old text struck out and new text underlined; `[-old-]{+new+}` without colour."""
    text, place = Text(), 0
    for edit in correction.edits:
        text.append(visible(answer[place : edit.start]))
        old, new = visible(edit.old), visible(edit.new)
        if old:
            text.append(old if colour else f"[-{old}-]", "red strike" if colour else "")
        if new:
            text.append(new if colour else f"{{+{new}+}}", "green underline" if colour else "")
        place = edit.end
    text.append(visible(answer[place:]))
    text.rstrip()
    return text
