"""`grapheval calibrate`: fit threshold and probabilities to labelled answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapheval.cli.exits import ExitCode
from grapheval.cli.options import (
    OUTPUT,
    DebugOption,
    ExtractorOption,
    LLMOption,
    ProtocolName,
    ProtocolOption,
    QuietOption,
    VerifierOption,
    log_to_stderr,
)

if TYPE_CHECKING:
    from grapheval.calibration import Calibrated


def calibrate(
    ctx: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help='Lines as for batch, with label: 1 or "inconsistent", 0 or "consistent". - is standard input.',
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where the settings go.", rich_help_panel=OUTPUT)
    ] = Path("grapheval.settings.json"),
    max_false_alarms: Annotated[
        float | None,
        typer.Option(
            "--max-false-alarms",
            metavar="SHARE",
            help="Between 0 and 1: flag at most this share of the consistent answers. Without it: balanced accuracy.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", metavar="", help="Write the settings as JSON too.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: QuietOption = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: ProtocolOption = ProtocolName.OURS,
    debug: DebugOption = False,
) -> None:
    """Fit the threshold, and a map of the probabilities where that helps, to answers that you have labelled.

    The settings are cross-validated and saved; check, batch, serve and GraphEval.calibrated load them. Needs the extra
    "calibrate".

    Exit status: 0 there was enough data, 3 there was not (the settings are saved all the same), 2 bad usage or
    unreadable input, 4 failure.
    """
    from grapheval.calibration import PipelineChoices
    from grapheval.calibration import calibrate as fit
    from grapheval.calibration.labelled import read_labelled
    from grapheval.cli.factory import Choices
    from grapheval.cli.progress import counting
    from grapheval.extras import require

    if debug:
        log_to_stderr()
    require("sklearn", extra="calibrate")  # before the answers are judged, not after
    answers = read_labelled(source)
    named = PipelineChoices(None if extractor is None else extractor.value, verifier, llm, protocol.value)
    pipeline = ctx.obj(Choices(named.extractor, named.verifier, named.llm, named.protocol))
    with counting("judging", total=len(answers), done=0, quiet=quiet or json) as advance:
        made = fit(pipeline, answers, max_false_alarms=max_false_alarms, choices=named, progress=advance)
    made.settings.save(out)
    if json:
        from grapheval.cli.check import write_utf8
        from grapheval.io.batch import dump

        write_utf8(dump(made.settings.to_dict(), indent=2) + "\n")
    elif not quiet:
        _show(made, out)
    raise typer.Exit(ExitCode.OK if made.report.enough else ExitCode.UNJUDGED)


def _show(made: Calibrated, out: Path) -> None:
    from rich.console import Group
    from rich.text import Text

    from grapheval.cli.console import out as console_out
    from grapheval.cli.view import write

    parts = [Text(made.report.summary)]
    if made.failures:
        one = made.failures[0]
        parts.append(Text(f"{len(made.failures):,} answers failed; the first: {one.message}"))
    parts += [
        Text(""),
        Text(f"Saved as {out}. Use it:"),
        Text(f"  grapheval check --settings {out} --context … --answer …"),
    ]
    write(console_out(), Group(*parts))
