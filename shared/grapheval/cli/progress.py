"""What people see while they wait, on standard error and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def waiting(what: str, *, quiet: bool) -> Iterator[None]:
    """A spinner while the block runs."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from grapheval.cli.console import err

    with err().status(f"{what}…", spinner="dots"):
        yield


@contextmanager
def counting(what: str, *, total: int | None, done: int, quiet: bool) -> Iterator[Callable[[], None]]:
    """A progress bar; the block calls what it gets once for each step.

    Args:
        what: What is being done.
        total: Steps in all, None if unknown.
        done: Steps done before.
        quiet: Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from grapheval.cli.console import err

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True) as progress:
        task = progress.add_task(what, total=total, completed=done)
        yield lambda: progress.advance(task)
