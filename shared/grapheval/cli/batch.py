"""`grapheval batch`: judge the lines of a file."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.cli.exits import ExitCode
from grapheval.cli.options import (
    OUTPUT,
    CorrectOption,
    DebugOption,
    ExtractorOption,
    LLMOption,
    ProtocolName,
    ProtocolOption,
    QuietOption,
    SettingsOption,
    ThresholdOption,
    Unrepaired,
    UnrepairedOption,
    VerifierOption,
    log_to_stderr,
)
from grapheval.cli.traffic import (
    AnswerTimeoutOption,
    MaxCallsOption,
    MaxTokensOption,
    RateOption,
    limits_of,
    out_of_budget,
)

if TYPE_CHECKING:
    from grapheval.cli.working import Done
    from grapheval.io.batch import BatchLine
    from grapheval.io.files import Output
    from grapheval.io.summary import Tally
    from grapheval.pipeline import GraphEval


class Engine(StrEnum):
    """Where a batch runs."""

    LOCAL = "local"
    RAY = "ray"


def batch(
    ctx: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN.jsonl",
            help="An object a line: id, answer, contexts, question; or a table with such columns (.parquet). - is "
            "standard input.",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT.jsonl",
            help="One line per line of IN, in order: id, evaluation, correction, failure; or a table (.parquet). An "
            "existing file is replaced, unless --resume is given. - is standard output.",
        ),
    ],
    correct: CorrectOption = False,
    unrepaired: UnrepairedOption = Unrepaired.KEEP,
    resume: Annotated[
        bool, typer.Option("--resume", metavar="", help="Go on after the last whole line that OUT already has.")
    ] = False,
    engine: Annotated[
        Engine,
        typer.Option(
            "--engine",
            metavar="local|ray",
            help="Where it runs: in this process, or on Ray: on the cluster that RAY_ADDRESS names, otherwise on one "
            "that is started on this machine.",
        ),
    ] = Engine.LOCAL,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=1,
            max=256,
            metavar="N",
            help="Threads that extract, and threads that repair; more than one helps where an LLM is asked. On Ray: "
            "worker processes; without it, as many as there are processors.",
        ),
    ] = 1,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache",
            metavar="FILE",
            help="Where verdicts and an LLM's extractions are kept for the next time. Without it: results.sqlite3 in "
            "the user's cache directory.",
        ),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", metavar="", help="Keep no results for the next time.")
    ] = False,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", help="Write the summary as JSON, too.", rich_help_panel=OUTPUT),
    ] = None,
    quiet: QuietOption = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    threshold: ThresholdOption = None,
    settings: SettingsOption = None,
    answer_timeout: AnswerTimeoutOption = None,
    calls_per_minute: RateOption = None,
    max_calls: MaxCallsOption = None,
    max_tokens: MaxTokensOption = None,
    debug: DebugOption = False,
) -> None:
    """Judge many answers: one line in, one line out, in order; a line that fails is reported and never stops the rest.

    The names that other tools use are read too: response, output, actual_output; context, retrieved_contexts,
    retrieval_context; input, query, user_input.

    Lines are written as they come, each of them whole, so that --resume goes on after whatever stopped a run.

    Exit status: 0 every line was processed, 3 some lines failed, 2 bad usage or unreadable input, 4 failure.
    """
    from grapheval.cli.factory import Choices
    from grapheval.cli.working import process
    from grapheval.errors import InputError
    from grapheval.io.files import open_source, open_target
    from grapheval.io.summary import Tally
    from grapheval.io.target import same_file

    if debug:
        log_to_stderr()
    on_ray = engine is Engine.RAY
    if on_ray and cache is not None:
        msg = "--engine ray has no --cache: the workers share no file"
        raise InputError(msg)
    if resume and target == "-":
        msg = "--resume: standard output cannot be resumed"
        raise InputError(msg)
    if cache is not None and no_cache:
        msg = "--cache and --no-cache exclude each other"
        raise InputError(msg)
    if same_file(source, target):
        msg = f"{target} is input and output at once"
        raise InputError(msg)
    if answer_timeout is not None and not answer_timeout > 0:
        msg = f"--answer-timeout must be a positive number of seconds, not {answer_timeout:g}"
        raise InputError(msg)
    choices = Choices(
        extractor.value if extractor else None,
        verifier,
        llm,
        protocol.value,
        threshold,
        correct,
        settings,
        unrepaired.value,
        limits=limits_of(llm, calls_per_minute, max_calls, max_tokens, on_ray=on_ray),
        answer_timeout=answer_timeout,
    )
    tally = Tally()
    spent = False
    with ExitStack() as stack:
        calm = stack.enter_context(Interrupts())
        lines = stack.enter_context(open_source(source))
        pipeline = ctx.obj(choices)
        if not (no_cache or on_ray):
            pipeline = _cached(pipeline, cache)
        output = stack.enter_context(open_target(target, resume=resume))
        output.skip(lines, tally.earlier)
        if not quiet:
            _compare(tally, pipeline)
        advance = stack.enter_context(_progress(source, tally.skipped, quiet=quiet))
        try:
            if on_ray:
                judged = _on_ray(ctx, tally.watch(lines), pipeline, correct=correct, workers=workers)
            else:
                judged = process(tally.watch(lines), pipeline, correct=correct, workers=workers)
            for done in stack.enter_context(closing(judged)):
                if out_of_budget(done.record):
                    spent = True
                    break
                output.write(done.record)
                tally.count(done.record, done.seconds)
                advance()
                calm.check()
            if not spent:
                output.finish()
        except KeyboardInterrupt:
            _say(f"interrupted: {_kept(tally, output, target)}")
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        except Exception:
            if tally.total:
                _say(_kept(tally, output, target))
            raise
        if spent:
            _say(f"the budget is used up: {_kept(tally, output, target)}")
    if not quiet:
        for note in tally.notes():
            _say(note)
    if summary is not None:
        _write_summary(summary, tally)
    raise typer.Exit(ExitCode.UNJUDGED if tally.failed_now or spent else ExitCode.OK)


class Interrupts:
    """Ctrl-C while a batch runs: the first one stops it, those after it are not heard any more.

    The program is about to leave then; a second one would only break into its closing of files.
    """

    def __init__(self) -> None:
        self._asked = False

    def __enter__(self) -> Interrupts:
        self._before = signal.getsignal(signal.SIGINT)
        self._ours = threading.current_thread() is threading.main_thread() and callable(self._before)
        if self._ours:
            signal.signal(signal.SIGINT, self._first)
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours and not self._asked:
            signal.signal(signal.SIGINT, self._before)

    def _first(self, *_: object) -> None:
        self._asked = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    def check(self) -> None:
        """Stop here if the interruption was lost in a place where Python ignores exceptions."""
        if self._asked:
            raise KeyboardInterrupt


def _cached(pipeline: GraphEval, file: Path | None) -> GraphEval:
    from grapheval.cache import cached

    return cached(pipeline, file)


def _on_ray(
    ctx: typer.Context, lines: Iterator[BatchLine], pipeline: GraphEval, *, correct: bool, workers: int
) -> Generator[Done, None, None]:
    from grapheval.ray import process

    source = ctx.get_parameter_source("workers")
    named = source is not None and source.name != "DEFAULT"
    return process(lines, pipeline, correct=correct, workers=workers if named else None)


def _compare(tally: Tally, pipeline: GraphEval) -> None:
    """Say when the lines that are there come from another configuration."""
    differing = tally.differing(pipeline.provenance())
    if differing:
        _say(f"the lines that were there were made with another {', '.join(differing)}")


def _kept(tally: Tally, output: Output, target: str) -> str:
    number = f"{tally.total:,} {'line is' if tally.total == 1 else 'lines are'} written"
    if target == "-":
        return number
    where = "" if output.kept_in == target else f" to {output.kept_in}"
    return f"{number}{where}, --resume goes on from there"


def _write_summary(file: Path, tally: Tally) -> None:
    from grapheval.io.batch import dump
    from grapheval.io.reading import why_unreadable
    from grapheval.io.target import OutputError

    try:
        file.write_text(dump(tally.to_dict(), indent=2) + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        msg = f"cannot write {why_unreadable(str(file), error)}"
        raise OutputError(msg) from error


def _say(message: str) -> None:
    from grapheval.report.text import one_line

    print(f"grapheval: {one_line(message, 500)}", file=sys.stderr)


def _progress(source: str, done: int, *, quiet: bool) -> AbstractContextManager[Callable[[], None]]:
    from grapheval.cli.progress import counting
    from grapheval.io.files import count

    shown = not quiet and sys.stderr.isatty()
    return counting("judging", total=count(source) if shown else None, done=done, quiet=quiet)
