"""The terminal view of an answer with citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grapheval.cli.view import View, write
from grapheval.report.text import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from grapheval.correction.cite import Cited

MAX_PASSAGE = 160
"""Characters of a passage that are shown."""


def show_cited(console: Console, cited: Cited) -> None:
    """Write an answer with its citations, and the sources below it.

    Args:
        console: Where to.
        cited: The answer.
    """
    view = View(console)
    parts: list[RenderableType] = ["", view.heading("With citations"), Padding(Text(visible(cited.text)), (0, 2))]
    for citation in cited.citations:
        for passage in citation.passages:
            line = Text(f"[{citation.number}] ")
            line.append(one_line(citation.source_id, 40), "cyan" if view.colour else "")
            line.append(f"  {one_line(passage.text, MAX_PASSAGE)}", "dim" if view.colour else "")
            parts.append(Padding(line, (0, 2)))
    if not cited.citations:
        parts.append(Padding(Text("no sentence is supported as a whole, so none is cited"), (0, 2)))
    write(console, Group(*parts))
