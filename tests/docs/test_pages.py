"""What the pages say beside code: data that is JSON, links that lead somewhere, a site and a container."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from grapheval.cli.app import app
from tests.tools.snippets import Snippet, blocks

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(?P<language>\w*)[^\n`]*\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")


def data(page: Path, *languages: str) -> list[Snippet]:
    return [block for block in blocks(page) if block.language in languages]


@pytest.mark.parametrize("page", [page for page in PAGES if data(page, "json", "jsonl")], ids=lambda page: page.name)
def test_the_data_of_a_page_is_json(page: Path) -> None:
    for block in data(page, "json"):
        json.loads(block.code)
    for block in data(page, "jsonl"):
        for line in block.code.splitlines():
            json.loads(line)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    for match in _LINK.finditer(text):
        target, _, anchor = match["target"].partition("#")
        if target.startswith(("http://", "https://", "mailto:")):
            assert target.startswith("https://"), f"{page.name}: {target}"
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{page.name}: {match['target']}"
        assert file.is_relative_to(ROOT)
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{page.name}: no heading for {match['target']}"


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in headings}


def test_every_page_is_in_the_sites_navigation() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {str(page.relative_to(ROOT / "docs")) for page in PAGES if page.is_relative_to(ROOT / "docs")}
    assert pages <= listed  # what is listed and missing fails the site's strict build


def test_the_drawing_is_well_formed_and_described() -> None:
    from xml.etree import ElementTree

    root = ElementTree.parse(ROOT / "docs" / "images" / "how-it-works.svg").getroot()
    named = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= named


def test_the_container_installs_what_the_project_has() -> None:
    """No container can be built in the tests; what can be checked without one is."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        word
        for line in text.splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    }
    assert copied == kept
    assert all((ROOT / name).exists() for name in copied)
    entry = json.loads(re.search(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[1])  # type: ignore[index]
    assert entry[:2] == ["grapheval", "serve"]
    root: Any = typer.main.get_command(app)
    root.commands["serve"].make_context("serve", entry[2:])
    assert re.search(r"^USER \d+", text, re.MULTILINE)
