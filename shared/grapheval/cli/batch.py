"""`grapheval batch`: judge the lines of a file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.cli.exits import ExitCode
from grapheval.cli.options import (
    CorrectOption,
    DebugOption,
    ExtractorOption,
    LLMOption,
    ProtocolName,
    ProtocolOption,
    QuietOption,
    SettingsOption,
    ThresholdOption,
    VerifierOption,
    log_to_stderr,
)

if TYPE_CHECKING:
    from grapheval.io.batch import BatchLine, BatchRecord


class Engine(StrEnum):
    """Where a batch runs."""

    LOCAL = "local"
    RAY = "ray"


def batch(
    ctx: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN.jsonl", help="An object a line: id, answer, contexts, question. - is standard input."
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT.jsonl",
            help="One line per line of IN, in order: id, evaluation, correction, failure. An existing file is "
            "replaced, unless --resume is given. - is standard output.",
        ),
    ],
    correct: CorrectOption = False,
    resume: Annotated[
        bool, typer.Option("--resume", metavar="", help="Go on after the last whole line that OUT already has.")
    ] = False,
    engine: Annotated[
        Engine,
        typer.Option("--engine", metavar="local|ray", help="Where it runs: here, or on Ray (not there yet)."),
    ] = Engine.LOCAL,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=256, metavar="N", help="Chunks of lines under way at once.")
    ] = 1,
    quiet: QuietOption = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    threshold: ThresholdOption = None,
    settings: SettingsOption = None,
    debug: DebugOption = False,
) -> None:
    """Judge many answers: one line in, one line out, in order; a line that fails is reported and never stops the rest.

    The names that other tools use are read too: response, output, actual_output; context, retrieved_contexts,
    retrieval_context; input, query, user_input.

    Exit status: 0 every line was processed, 3 some lines failed, 2 bad usage or unreadable input, 4 failure.
    """
    from grapheval.cli.factory import Choices
    from grapheval.cli.working import process
    from grapheval.errors import InputError
    from grapheval.io.lines import Target, open_source, same_file

    if debug:
        log_to_stderr()
    if engine is Engine.RAY:
        msg = "--engine ray is not there yet: use --engine local"
        raise InputError(msg)
    if resume and target == "-":
        msg = "--resume: standard output cannot be resumed"
        raise InputError(msg)
    if same_file(source, target):
        msg = f"{target} is input and output at once"
        raise InputError(msg)
    named = None if extractor is None else extractor.value
    choices = Choices(named, verifier, llm, protocol.value, threshold, correct, settings)
    tally = Tally()
    with ExitStack() as stack:
        lines = stack.enter_context(open_source(source))
        pipeline = ctx.obj(choices)
        output = stack.enter_context(Target(target, resume=resume))
        tally.skipped = output.skip(lines)
        advance = stack.enter_context(_progress(source, tally.skipped, quiet=quiet))
        try:
            for record in process(tally.watch(lines), pipeline, correct=correct, workers=workers):
                output.write(record)
                tally.count(record)
                advance()
        except KeyboardInterrupt:
            done = tally.skipped + tally.total
            how = "" if target == "-" else ", --resume goes on from there"
            _say(f"interrupted: {done:,} lines are written{how}")
            raise typer.Exit(ExitCode.INTERRUPTED) from None
    if not quiet:
        for note in tally.summary():
            _say(note)
    raise typer.Exit(ExitCode.UNJUDGED if tally.failures else ExitCode.OK)


@dataclass(slots=True)
class Tally:
    """Counts for the summary."""

    statuses: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    ids: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""
    skipped: int = 0

    @property
    def total(self) -> int:
        """Lines written."""
        return self.statuses.total() + self.failures.total()

    def watch(self, lines: Iterator[BatchLine]) -> Iterator[BatchLine]:
        """The same lines; remembers their ids."""
        for line in lines:
            self.ids[str(line.id)] += 1
            yield line

    def count(self, record: BatchRecord) -> None:
        """Take a written line into account."""
        if record.failure is not None:
            self.failures[record.failure.code] += 1
            self.first_failure = self.first_failure or record.failure.message
        elif record.evaluation is not None:
            self.statuses[record.evaluation.status.value] += 1

    def summary(self) -> Iterator[str]:
        """Lines for people."""
        parts = [f"{number:,} {status}" for status, number in self.statuses.most_common()]
        if self.failures:
            codes = ", ".join(f"{code} {number:,}" for code, number in self.failures.most_common())
            parts.append(f"{self.failures.total():,} failed ({codes})")
        noun = "answer" if self.total == 1 else "answers"
        skipped = f" ({self.skipped:,} were there already)" if self.skipped else ""
        yield f"{self.total:,} {noun}{skipped}" + (": " + ", ".join(parts) if parts else "")
        if self.first_failure:
            yield f"first failure: {self.first_failure}"
        again = [name for name, number in self.ids.items() if number > 1]
        if again:
            listed = ", ".join(again[:5]) + (", …" if len(again) > 5 else "")
            yield f"{len(again):,} {'id occurs' if len(again) == 1 else 'ids occur'} more than once: {listed}"


def _say(message: str) -> None:
    from grapheval.report.text import one_line

    print(f"grapheval: {one_line(message, 500)}", file=sys.stderr)


def _progress(source: str, done: int, *, quiet: bool) -> AbstractContextManager[Callable[[], None]]:
    from grapheval.cli.progress import counting
    from grapheval.io.lines import count_lines

    return counting("judging", total=count_lines(source), done=done, quiet=quiet)
