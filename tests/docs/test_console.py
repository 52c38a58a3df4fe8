"""Every console block of the README and the docs runs, in a folder that has the files which it names.

Lines of `grapheval` are run in this process, in the order of the page; servers are started, asked and stopped. A line
that begins with `$` is a command whose output stands below it. Lines that build or install (pip, make, docker) are
compared with what they name. Blocks that need what no test has say so in the page, behind `<!-- not run: needs … -->`.
"""

from __future__ import annotations

import io
import re
import runpy
import shlex
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer.main

from grapheval import GraphEval
from grapheval.cli.app import app
from grapheval.cli.factory import Choices, build
from grapheval.cli.options import SpreadCommand, spread
from grapheval.cli.run import run
from grapheval.io.summary import Tally
from tests.tools.snippets import Snippet, blocks

from .conftest import ANSWER, CONTEXT

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = ("console", "sh", "bash", "python")

NEEDS = {
    "README.md": [],
    "docs/bedrock.md": ["AWS", "AWS"],
    "docs/benchmarks.md": [
        "a model hub and an LLM",
        "the data sets",
        "other packages in an environment of its own",
    ],
    "docs/llamaindex.md": ["AWS"],
    "docs/scaling.md": ["a cluster and its storage", "a cluster with GPUs and a model hub"],
    "docs/verifiers.md": ["a model hub", "AWS"],
}
"""All blocks that do not run, by page, and what they need. Ray's command line has tests of its own (`tests/ray`)."""

EXITS = {"check": {0, 1, 3}, "calibrate": {0, 3}}
"""What is an answer rather than a failure; 0 for the others."""

STARTS_RAY = "--engine ray"


def test_only_these_blocks_do_not_run() -> None:
    found = {
        str(page.relative_to(ROOT)): [
            block.needs.removeprefix("needs ") for block in blocks(page) if block.needs is not None
        ]
        for page in PAGES
    }
    assert {page: needs for page, needs in found.items() if needs} == {p: n for p, n in NEEDS.items() if n}


def test_every_fence_says_what_it_holds() -> None:
    """A word behind the language would be part of the text on the site."""
    known = {*LANGUAGES, "json", "jsonl", "text", ""}
    for page in PAGES:
        assert {block.language for block in blocks(page)} <= known, page.name


# ------------------------------------------------------------------------------------------------------------ lines


def lines(block: Snippet) -> Iterator[tuple[list[str], list[str]]]:
    """The commands of a block, each as words, with the output that is shown below it."""
    text = block.code.replace("\\\n", " ")
    if not re.search(r"^\$ ", text, re.MULTILINE):
        yield from ((shlex.split(line, comments=True), []) for line in text.splitlines() if line.strip())
        return
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *output = part.rstrip("\n").split("\n")
        yield shlex.split(command, comments=True), output


def console(page: Path) -> list[Snippet]:
    return [block for block in blocks(page) if block.language in {"console", "sh", "bash"}]


@pytest.fixture(scope="module")
def factory() -> Callable[[Choices], GraphEval]:
    """The real one; the default stages are loaded once."""
    stages = GraphEval.local()

    def make(choices: Choices) -> GraphEval:
        pipeline = build(choices)
        if pipeline.verifier.info == stages.verifier.info:
            pipeline.verifier = stages.verifier
        return pipeline

    return make


@pytest.mark.parametrize("page", [page for page in PAGES if console(page)], ids=lambda page: page.name)
def test_the_console_blocks_of_a_page_run(
    page: Path,
    desk: Path,
    factory: Callable[[Choices], GraphEval],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for block in console(page):
        for words, output in lines(block):
            where = f"{page.name}:{block.line}: {shlex.join(words)}"
            if words[0] != "grapheval":
                CHECKS[words[0]](words)
                continue
            parse(words[1:])
            if block.needs is not None or STARTS_RAY in shlex.join(words):
                continue
            if words[1] == "serve":
                serve(words[1:], factory, monkeypatch)
                continue
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
            argv = [name for word in words[1:] for name in (sorted(glob(word)) if "*" in word else [word])]
            code = run(argv, factory)
            said = capsys.readouterr()
            assert code in EXITS.get(words[1], {0}), f"{where}: exit status {code}, {said.err}"
            if output:
                compare(said.out.splitlines(), output, where)


def parse(argv: list[str]) -> None:
    root: Any = typer.main.get_command(app)
    name, *arguments = argv
    command = root.commands[name]
    given = spread(arguments, SpreadCommand.spread) if isinstance(command, SpreadCommand) else arguments
    command.make_context(name, list(given))  # raises where an option is unknown or an argument is missing


def compare(printed: list[str], shown: list[str], where: str) -> None:
    """Lines in order; `…` stands for any; probabilities may differ, since weights do."""
    rest, gap = [masked(line) for line in printed], False
    for line in shown:
        if line.strip() == "…":
            gap = True
            continue
        place = rest.index(masked(line)) if masked(line) in rest else None
        assert place is not None, f"{where}: not printed: {line!r}; printed were {printed}"
        assert gap or place == 0, f"{where}: printed before {line!r}: {rest[:place]}"
        rest, gap = rest[place + 1 :], False
    assert gap or not rest, f"{where}: also printed: {rest}"


def masked(line: str) -> str:
    return re.sub(r"\b0\.\d\d\b", "0.nn", line.rstrip())


# ---------------------------------------------------------------------------------------------------------- servers


def serve(argv: list[str], factory: Callable[[Choices], GraphEval], monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the real server on a free port, ask it, stop it."""
    import uvicorn

    started: list[uvicorn.Server] = []
    ready = threading.Event()
    startup = uvicorn.Server.startup

    async def watched(self: uvicorn.Server, sockets: Any = None) -> None:
        await startup(self, sockets)
        started.append(self)
        ready.set()

    monkeypatch.setattr(uvicorn.Server, "startup", watched)
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(run([*argv, "--port", "0"], factory)))
    thread.start()
    assert ready.wait(120), f"{argv} did not start"
    port = started[0].servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
        assert http.get("/health").json()["status"] == "ok"
        found = http.post("/check", json={"answer": ANSWER, "contexts": CONTEXT}).json()
        assert found["status"] in {"consistent", "inconsistent"}
    started[0].should_exit = True
    thread.join(120)
    assert codes == [0]


# ------------------------------------------------------------------------------------- what is compared, and not run


def installs(words: list[str]) -> None:
    """`pip install ".[local,serve]"`: the extras exist."""
    assert words[:2] == ["pip", "install"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for word in words[2:]:
        assert set(re.findall(r"\[(.+)\]", word)[0].split(",")) <= set(extras), word


def makes(words: list[str]) -> None:
    """`make test`: the target exists."""
    assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), words


def contains(words: list[str]) -> None:
    """`docker run … grapheval OPTIONS`: options of `grapheval serve`."""
    assert words[1] in {"build", "run"}
    if words[1] == "run":
        parse(["serve", *words[words.index("grapheval") + 1 :]])


def measures(words: list[str]) -> None:
    """`python -m tests.benchmarks.NAME OPTIONS`: the script exists and has the options."""
    assert words[1] == "-m"
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [words[2], "--help"])
        patch.setattr(sys, "stdout", printed)
        with pytest.raises(SystemExit) as stop:
            runpy.run_module(words[2], run_name="__main__")
    assert not stop.value.code
    for word in words[3:]:
        assert not word.startswith("--") or word in printed.getvalue(), word


CHECKS: dict[str, Callable[[list[str]], None]] = {
    "pip": installs,
    "make": makes,
    "docker": contains,
    "python": measures,
    ".venv/bin/python": measures,
}


@pytest.mark.parametrize(
    ("printed", "shown", "fine"),
    [
        ("a\nb 0.12\nc", "a\nb 0.34\nc", True),
        ("a\nb\nc", "a\n…\nc", True),
        ("a\nb\nc", "a\n…", True),
        ("a\nb\nc", "a\nc", False),
        ("a\nb", "a", False),
        ("a\nb 12", "a\nb 13", False),
    ],
)
def test_a_page_that_shows_something_else_is_caught(printed: str, shown: str, fine: bool) -> None:
    if fine:
        compare(printed.split("\n"), shown.split("\n"), "page")
        return
    with pytest.raises(AssertionError, match="printed"):
        compare(printed.split("\n"), shown.split("\n"), "page")


def test_the_summary_of_a_batch_is_the_one_that_is_printed() -> None:
    (block,) = [block for block in blocks(ROOT / "docs" / "batch.md") if block.language == "text"]
    tally = Tally(statuses=Counter(consistent=640, inconsistent=310, partial=30, abstained=17), written=1000)
    tally.failures["timeout"] = 3
    tally.first_failure = "…"
    for name, seconds in (("q17", 4.2), ("q99", 3.11), ("q3", 2.95)):
        tally._slowest.append((seconds, 0, name))
    assert [f"grapheval: {note}" for note in tally.notes()] == block.code.splitlines()
