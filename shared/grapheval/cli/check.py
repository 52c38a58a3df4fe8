"""`grapheval check`: judge one answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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

if TYPE_CHECKING:
    from grapheval.correction.cite import Cited
    from grapheval.types import Correction, Evaluation, Sample


def check(
    ctx: typer.Context,
    context: Annotated[
        list[str],
        typer.Option(
            "--context",
            "-c",
            metavar="FILE...",
            help="What the answer must be grounded in: text, Markdown, JSON or JSONL (passages with text and id). "
            "Several files, or - for standard input.",
        ),
    ],
    answer: Annotated[
        str | None, typer.Option("--answer", "-a", metavar="TEXT", help="The answer to judge; - reads standard input.")
    ] = None,
    answer_file: Annotated[
        str | None, typer.Option("--answer-file", "-f", metavar="FILE", help="The answer in a file, or - .")
    ] = None,
    question: Annotated[
        str | None, typer.Option("--question", metavar="Q", help="What was asked: short answers need it.")
    ] = None,
    correct: CorrectOption = False,
    unrepaired: UnrepairedOption = Unrepaired.KEEP,
    citing: Annotated[
        bool,
        typer.Option(
            "--cite",
            metavar="",
            help="Put the numbers of the sources behind what they support; with --correct, in the repaired answer.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", metavar="", help="Write the evaluation as JSON.", rich_help_panel=OUTPUT),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="OUT", help="Write a report: one HTML file that loads nothing.", rich_help_panel=OUTPUT
        ),
    ] = None,
    quiet: QuietOption = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    threshold: ThresholdOption = None,
    settings: SettingsOption = None,
    debug: DebugOption = False,
) -> None:
    """Judge whether an answer is grounded in its context.

    Exit status: 0 consistent, 1 inconsistent, 3 not (fully) judged, 2 bad usage or unreadable input, 4 failure.

    With --correct it is that of the corrected answer.
    """
    from grapheval.cli.exits import exit_code_of
    from grapheval.cli.factory import Choices
    from grapheval.cli.progress import waiting
    from grapheval.errors import InputError
    from grapheval.io.contexts import read_contexts
    from grapheval.io.reading import InputReader
    from grapheval.types import Sample

    if debug:
        log_to_stderr()
    if html is not None and json and str(html) == "-":
        msg = "--html - and --json both write to standard output: give one of them a file"
        raise InputError(msg)
    if html is not None and not html.parent.is_dir():
        msg = f"--html: there is no directory {html.parent}"
        raise InputError(msg)
    if (answer is None) == (answer_file is None):
        msg = "one answer is needed: either --answer TEXT or --answer-file FILE"
        raise InputError(msg)
    reader = InputReader()
    text = answer if answer is not None and answer != "-" else reader.text(answer_file or "-")
    sample = Sample(text, read_contexts(context, reader), question)
    choices = Choices(
        extractor.value if extractor else None,
        verifier,
        llm,
        protocol.value,
        threshold,
        correct,
        settings,
        unrepaired.value,
    )

    with waiting("judging the answer", quiet=quiet or json):
        pipeline = ctx.obj(choices)
        correction = pipeline.correct(sample) if correct else None
        evaluation = correction.before if correction is not None else pipeline.evaluate(sample)
    final = evaluation
    if correction is not None and correction.edits and correction.after is not None:
        final = correction.after
    cited = None
    if citing:
        from grapheval.correction.cite import cite

        cited = cite(sample.answer if correction is None else correction.answer, final)
    if html is not None:
        from grapheval.cli.report import write_page
        from grapheval.report.page import render

        page = render(correction or evaluation, answer=sample.answer, question=sample.question)
        write_page(str(html), page)
    if json:
        _write_json(evaluation, correction, cited)
    elif not quiet and str(html) != "-":
        _show(sample, evaluation, correction, cited)
    raise typer.Exit(exit_code_of(final.status))


def _write_json(evaluation: Evaluation, correction: Correction | None, cited: Cited | None) -> None:
    from grapheval.io.batch import dump
    from grapheval.serialize import to_plain

    document = evaluation.to_dict()
    if correction is not None:
        document["correction"] = correction.to_dict()
    if cited is not None:
        document["cited"] = to_plain(cited)
    write_utf8(dump(document, indent=2) + "\n")


def write_utf8(text: str) -> None:
    """Write data to standard output: always UTF-8, whatever the terminal speaks."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        stream.write(text.encode())
        stream.flush()


def _show(sample: Sample, evaluation: Evaluation, correction: Correction | None, cited: Cited | None) -> None:
    from grapheval.cli.console import out
    from grapheval.cli.view import show_evaluation

    console = out()
    show_evaluation(console, sample.answer, evaluation)
    if correction is not None:
        from grapheval.cli.repair import show_correction

        show_correction(console, sample.answer, correction)
    if cited is not None:
        from grapheval.cli.citing import show_cited

        show_cited(console, cited)
