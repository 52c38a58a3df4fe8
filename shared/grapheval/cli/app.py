"""The program's commands. This module is imported to parse arguments, so it imports nothing heavy."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from grapheval.cli.batch import batch
from grapheval.cli.calibrate import calibrate
from grapheval.cli.check import check
from grapheval.cli.demo import demo
from grapheval.cli.options import SpreadCommand
from grapheval.cli.report import report
from grapheval.cli.serve import mcp, serve

app = typer.Typer(
    name="grapheval",
    help="Find what an answer says that its context does not: claim by claim, with the evidence, offline.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from grapheval import __version__

        typer.echo(f"grapheval {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


app.command(cls=SpreadCommand)(check)
app.command()(batch)
app.command()(calibrate)
app.command()(demo)
app.command()(report)
app.command()(serve)
app.command()(mcp)
if find_spec("grapheval.cli.bench") is not None:
    app.command("bench")(import_module("grapheval.cli.bench").bench)
