"""`grapheval demo`: a real example, judged by the offline pipeline."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

from grapheval.cli.options import DebugOption, log_to_stderr

if TYPE_CHECKING:
    from rich.console import Console

    from grapheval.types import Sample

QUESTION = "What should I know about the Kelvin Street library before I go?"
SOURCES = {
    "opening-hours.md": (
        "The Kelvin Street library is open from 9 am to 8 pm on weekdays and from 10 am to 4 pm on Saturdays. It is "
        "closed on Sundays. The reading room on the second floor seats 120 people."
    ),
    "history.md": (
        "The library was founded in 1904 by Margaret Doyle, a local teacher. Its building was designed by the "
        "architect Thomas Reed. After the fire of 1951 the roof was rebuilt in copper."
    ),
    "membership.md": (
        "Membership is free for residents of the town. Visitors pay 15 euros a year. Members can borrow up to eight "
        "books for three weeks."
    ),
}
ANSWER = (
    "The Kelvin Street library was founded in 1904 by Margaret Doyle, a local teacher. It is closed on Sundays, and on "
    "weekdays it is open from 9 am to 10 pm. Membership is free for residents of the town. The library also runs a "
    "café on the ground floor."
)


def demo(
    ctx: typer.Context,
    debug: DebugOption = False,
) -> None:
    """Take a small answer apart: offline, without a key, in a few seconds. Exit status 0."""
    from grapheval.cli.console import out
    from grapheval.cli.factory import Choices
    from grapheval.cli.progress import waiting
    from grapheval.cli.view import show_evaluation
    from grapheval.types import Sample, Source

    if debug:
        log_to_stderr()
    sample = Sample(ANSWER, [Source(text, name) for name, text in SOURCES.items()], QUESTION)
    began = time.perf_counter()
    with waiting("loading the models and judging an answer", quiet=False):
        pipeline = ctx.obj(Choices())
        evaluation = pipeline.evaluate(sample)
    cold = time.perf_counter() - began
    began = time.perf_counter()
    pipeline.evaluate(sample)
    warm = time.perf_counter() - began

    console = out()
    _introduce(console, sample)
    show_evaluation(console, ANSWER, evaluation)
    _conclude(console, cold, warm)


def _introduce(console: Console, sample: Sample) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text("Context", "bold"))
    for source in sample.sources:
        console.print(Padding(Text.assemble((f"{source.id}  ", "cyan"), (source.text, "dim")), (0, 2)))
    console.print()
    console.print(Text("Question", "bold"))
    console.print(Padding(Text(QUESTION), (0, 2)))
    console.print()


def _conclude(console: Console, cold: float, warm: float) -> None:
    from rich.text import Text

    console.print()
    console.print(
        Text(f"Judged offline in {cold:.1f} s, loading the models included; again, warm: {warm * 1000:.0f} ms.", "dim")
    )
    console.print()
    console.print(Text("Your own texts:", "bold"))
    console.print(Text('  grapheval check --context notes.md --answer "…"'))
    console.print(Text("  grapheval check --context docs/*.md --answer-file answer.txt --json"))
    console.print(Text("  grapheval batch answers.jsonl judged.jsonl"))
