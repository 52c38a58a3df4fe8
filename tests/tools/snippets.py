"""Runs the code blocks of Markdown pages, each page in one namespace, in order.

A block fenced as ```python is run. A comment line `# -> text` behind a `print(...)` line states what that page's
reader will see, and is checked. A block behind a line `<!-- not run: what it needs -->` is only compiled.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<needs>[^\n]+?) -->\n)?```(?P<language>[^\n`]*)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE
)
_EXPECTED = re.compile(r"#\s*->\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Snippet:
    """One code block.

    Args:
        page: Where it stands.
        line: Its first line there.
        language: What the fence says.
        code: Its text.
        needs: What it needs that the tests do not have; None = it is run.
    """

    page: Path
    line: int
    language: str
    code: str
    needs: str | None

    @property
    def run(self) -> bool:
        """Whether the tests run it."""
        return self.needs is None


def blocks(page: Path) -> list[Snippet]:
    """All code blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Snippet(page, text.count("\n", 0, m.start("code")) + 1, m["language"], m["code"], m["needs"])
        for m in _FENCE.finditer(text)
    ]


def snippets(page: Path) -> list[Snippet]:
    """The Python blocks of a page."""
    return [block for block in blocks(page) if block.language == "python"]


def run_page(page: Path, given: Mapping[str, Any] | None = None) -> int:
    """Run a page's blocks; compare what they print with the `# ->` comments.

    Args:
        page: Which page.
        given: Names that its blocks use as the reader's own.

    Returns:
        The number of blocks that ran.

    Raises:
        AssertionError: Something else was printed.
    """
    namespace: dict[str, Any] = {"__name__": f"snippets_of_{page.stem}", **(given or {})}
    ran = 0
    for snippet in snippets(page):
        # Blank lines in front make tracebacks show the page's own line numbers.
        code = compile("\n" * (snippet.line - 1) + snippet.code, str(page), "exec")
        if not snippet.run:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)  # our own pages
        expected = _EXPECTED.findall(snippet.code)
        if expected:
            lines = [line.strip() for line in printed.getvalue().splitlines() if line.strip()]
            assert lines == expected, f"{page}:{snippet.line}: printed {lines}, the page says {expected}"
        ran += 1
    return ran
