"""Runs the code blocks of Markdown pages, each page in one namespace, in order.

A block fenced as ```python is run. A comment line `# -> text` behind a `print(...)` line states what that page's
reader will see, and is checked. A block fenced as ```python no-run is only compiled.
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^```python(?P<flags>[^\n`]*)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE)
_EXPECTED = re.compile(r"#\s*->\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Snippet:
    """One code block: its page, first line, text, and whether it is run."""

    page: Path
    line: int
    code: str
    run: bool


def snippets(page: Path) -> list[Snippet]:
    """The Python blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Snippet(page, text.count("\n", 0, m.start()) + 2, m["code"], "no-run" not in m["flags"])
        for m in _FENCE.finditer(text)
    ]


def run_page(page: Path) -> int:
    """Run a page's blocks; compare what they print with the `# ->` comments.

    Returns:
        The number of blocks that ran.

    Raises:
        AssertionError: Something else was printed.
    """
    namespace: dict[str, Any] = {"__name__": f"snippets_of_{page.stem}"}
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
