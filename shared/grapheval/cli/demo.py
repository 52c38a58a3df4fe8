"""`grapheval demo`: a real example, judged by the offline pipeline."""

from __future__ import annotations

import time

import typer

from grapheval.cli.options import DebugOption, log_to_stderr


def demo(ctx: typer.Context, debug: DebugOption = False) -> None:
    """Take a small answer apart and repair it: offline, without a key, in a few seconds. Exit status 0."""
    from grapheval.cli.console import out
    from grapheval.cli.example import ANSWER, QUESTION, SOURCES, conclusion, introduction
    from grapheval.cli.factory import Choices
    from grapheval.cli.progress import waiting
    from grapheval.cli.repair import show_correction
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
        correction = None
        if pipeline.corrector is not None:
            correction = pipeline.corrector.correct(sample, evaluation, pipeline.evaluate)
    console = out()
    write(console, introduction())
    show_evaluation(console, ANSWER, evaluation)
    if correction is not None:
        show_correction(console, ANSWER, correction)
    write(console, conclusion(cold, warm))
