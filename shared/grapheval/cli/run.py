"""Runs the program and turns every outcome into an exit status and at most one line on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grapheval.cli.exits import ExitCode

if TYPE_CHECKING:
    from grapheval.cli.factory import Factory


def run(argv: Sequence[str], factory: Factory | None = None) -> int:
    """Run the program.

    Args:
        argv: Arguments, without the program's name.
        factory: Builds the pipeline from the options; None = the real one. Tests hand in fakes.

    Returns:
        The exit status; see `ExitCode`.
    """
    debug = "--debug" in argv
    _tame_streams(debug=debug)
    try:
        status = _invoke(argv, factory)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (`head`) has seen enough
        _silence_stdout()
        return 128 + 13  # what the shell reports for SIGPIPE
    except KeyboardInterrupt:
        return _say("interrupted", ExitCode.INTERRUPTED)
    except SystemExit as stop:  # rich's and typer's own exits
        return stop.code if isinstance(stop.code, int) else int(ExitCode.USAGE)
    except Exception as error:
        if debug:
            raise
        return _fail(error)
    return status


def _invoke(argv: Sequence[str], factory: Factory | None) -> int:
    import typer

    from grapheval.cli.app import app
    from grapheval.cli.factory import build

    try:
        status = app(list(argv), prog_name="grapheval", standalone_mode=False, obj=factory or build)
    except typer.Abort as abort:
        raise KeyboardInterrupt from abort
    if status == ExitCode.INTERRUPTED:
        return _say("interrupted", ExitCode.INTERRUPTED)
    return int(status or 0)


def _fail(error: Exception) -> int:
    from grapheval.errors import GraphEvalError, InputError, MissingExtraError

    if isinstance(error, InputError | MissingExtraError):
        return _say(f"error: {error}", ExitCode.USAGE)
    if isinstance(error, GraphEvalError):
        return _say(f"failed: {error}", ExitCode.INTERNAL)
    format_message = getattr(error, "format_message", None)  # typer's usage errors, whatever they derive from
    if callable(format_message):
        message = str(format_message()).rstrip(".")
        # Without a message the error was to show the help, which is done.
        return _say(f"error: {message} (see --help)", ExitCode.USAGE) if message else int(ExitCode.USAGE)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _say(f"failed: {what} (--debug shows where)", ExitCode.INTERNAL)


def _say(message: str, code: ExitCode) -> int:
    from grapheval.report.text import one_line

    print(f"grapheval: {one_line(message, 500)}", file=sys.stderr)
    return int(code)


def _tame_streams(*, debug: bool) -> None:
    """Output never fails for a character that the terminal lacks; warnings of libraries are for `--debug`."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    if not debug:
        import warnings

        warnings.simplefilter("ignore")


def _silence_stdout() -> None:
    """Keep the interpreter from complaining about the closed pipe when it flushes at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a real stream: nothing to silence
        return
