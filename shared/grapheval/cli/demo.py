"""`grapheval demo`: a real example, judged by the offline pipeline."""

from __future__ import annotations

import time

import typer

from grapheval.cli.options import DebugOption, log_to_stderr


def demo(ctx: typer.Context, debug: DebugOption = False) -> None:
    """Take a small answer apart: offline, without a key, in a few seconds. Exit status 0."""
    from grapheval.cli.console import out
    from grapheval.cli.example import ANSWER, QUESTION, SOURCES, conclusion, introduction
    from grapheval.cli.factory import Choices
    from grapheval.cli.progress import waiting
    from grapheval.cli.view import show_evaluation, write
    from grapheval.types import Sample, Source

    if debug:
        log_to_stderr()
    sample = Sample(ANSWER, [Source(text, name) for name, text in SOURCES.items()], QUESTION)
    with waiting("loading the models and judging an answer", quiet=False):
        began = time.perf_counter()
        pipeline = ctx.obj(Choices())
        evaluation = pipeline.evaluate(sample)
        cold = time.perf_counter() - began
        began = time.perf_counter()
        pipeline.evaluate(sample)
        warm = time.perf_counter() - began
    console = out()
    write(console, introduction())
    show_evaluation(console, ANSWER, evaluation)
    write(console, conclusion(cold, warm))
