"""Every code block of the README and the docs runs, and prints what it says it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.generated import GENERATED, stale
from tests.tools.snippets import run_page, snippets

from .conftest import GIVEN

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=lambda page: page.name)
def test_the_code_blocks_of_a_page_run(page: Path, desk: Path) -> None:
    assert run_page(page, GIVEN) > 0 or all(snippet.needs for snippet in snippets(page))


def test_the_readme_has_an_example() -> None:
    assert [snippet for snippet in snippets(ROOT / "README.md") if snippet.run]


def test_generated_pages_are_up_to_date() -> None:
    assert GENERATED
    assert stale() == []


def test_a_page_that_prints_something_else_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)  # -> 3\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="printed"):
        run_page(page)


def test_names_carry_over_from_block_to_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\na = 2\n```\ntext\n```python\nprint(a)  # -> 2\n```\n", encoding="utf-8")
    assert run_page(page) == 2
