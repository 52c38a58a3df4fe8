"""`grapheval report`: what was judged, as a page to look at."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.cli.options import DebugOption, QuietOption, log_to_stderr

if TYPE_CHECKING:
    from grapheval.report.many_page import Item


def report(
    source: Annotated[
        str,
        typer.Argument(metavar="JUDGED", help="What batch wrote (JSON lines or Parquet), or what check --json wrote."),
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="OUT.html", help="The page. An existing file is replaced. - is standard output."),
    ],
    answers: Annotated[
        str | None,
        typer.Option(
            "--answers", metavar="IN.jsonl", help="The batch's input: shows the questions, and answers of old records."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Heading of the page.")] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, max=100_000, help="List the N worst answers; the sums are over all."
        ),
    ] = 10_000,
    quiet: QuietOption = False,
    debug: DebugOption = False,
) -> None:
    """Write a report: one HTML file that loads nothing, for one answer or for many.

    It shows each answer with its ungrounded parts, the claims with their passages, the knowledge graph and the repair;
    over many answers also the hallucination rate, the scores, statuses and sources, with a list to search.

    Exit status: 0 written, 2 bad usage or unreadable input, 4 failure.
    """
    from grapheval.cli.progress import counting, waiting
    from grapheval.errors import InputError
    from grapheval.io.files import count, open_source
    from grapheval.io.judged import read_judged, read_single
    from grapheval.io.target import same_file
    from grapheval.report.many_page import render_many
    from grapheval.report.page import render

    if debug:
        log_to_stderr()
    for name in (source, answers):
        if name is not None and same_file(name, target):
            msg = f"{name} is input and output at once"
            raise InputError(msg)
    single = read_single(source)
    if single is not None:
        if answers is not None:
            msg = f"--answers: {source} holds one evaluation, not a batch"
            raise InputError(msg)
        page, what = render(single, title=title), "one answer"
    else:
        with ExitStack() as stack:
            lines = None if answers is None else stack.enter_context(open_source(answers))
            advance = stack.enter_context(counting("reading", total=count(source), done=0, quiet=quiet))
            items = _Counted(read_judged(source, lines), advance)
            page = render_many(items, title=title, limit=limit)
        what = "1 answer" if items.number == 1 else f"{items.number:,} answers"
    with waiting("writing", quiet=quiet):
        write_page(target, page)
    if not quiet and target != "-":
        print(f"grapheval: {what}, report in {target}", file=sys.stderr)


class _Counted:
    """Iterates over items; `number` is how many there were."""

    def __init__(self, items: Iterable[Item], advance: Callable[[], None]) -> None:
        self._items, self._advance = items, advance
        self.number = 0

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            self.number += 1
            yield item
            self._advance()


def write_page(target: str, page: str) -> None:
    """Write a page to a file, whole or not at all, or to standard output (`-`).

    Raises:
        InputError: It cannot be written.
    """
    from grapheval.cli.check import write_utf8
    from grapheval.errors import InputError
    from grapheval.io.reading import why_unreadable

    if target == "-":
        write_utf8(page)
        return
    path = Path(target)
    part = path.with_name(f".{path.name}.part")
    try:
        if path.is_dir():
            raise IsADirectoryError
        if path.exists() and not path.is_file():  # a device, a pipe
            path.write_text(page, encoding="utf-8")
            return
        part.write_text(page, encoding="utf-8")
        part.replace(path)
    except (OSError, ValueError) as error:
        part.unlink(missing_ok=True)
        msg = f"cannot write the report: {why_unreadable(target, error)}"
        raise InputError(msg) from error
