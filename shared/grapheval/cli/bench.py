"""`grapheval bench`: the paper's benchmarks."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grapheval.cli.options import (
    OUTPUT,
    PIPELINE,
    DebugOption,
    ExtractorOption,
    LLMOption,
    QuietOption,
    ThresholdOption,
    VerifierOption,
    log_to_stderr,
)

if TYPE_CHECKING:
    from grapheval.bench.datasets import Benchmark
    from grapheval.bench.report import Report, SetFigures
    from grapheval.pipeline import GraphEval
    from grapheval.protocols import Corrector

DATA = "Data"


class BenchProtocol(StrEnum):
    """How triples are judged."""

    OURS = "ours"
    PAPER = "paper"
    BOTH = "both"


def bench(
    ctx: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="summeval, qags-c, qags-x, one or several."),
    ],
    data: Annotated[
        list[Path],
        typer.Option(
            "--data",
            metavar="FILE",
            help="The set's file: the source's own (mturk_cnndm.jsonl, mturk_xsum.jsonl, "
            "model_annotations.aligned.paired.jsonl) or prepared JSON Lines, gzipped or not. One for each NAME, in "
            "order, or a directory that holds them.",
            rich_help_panel=DATA,
        ),
    ],
    articles: Annotated[
        Path | None,
        typer.Option(
            "--articles",
            metavar="DIR",
            help="CNN/DailyMail .story files, for SummEval annotations without the articles.",
            rich_help_panel=DATA,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            min=1,
            help="Run N answers of each set, spread over it; a larger N adds to them.",
            rich_help_panel=DATA,
        ),
    ] = None,
    correct: Annotated[
        bool,
        typer.Option(
            "--correct",
            help="Repair what is flagged and score the repair (from the evidence; with --llm by GraphCorrect).",
        ),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Write the figures as JSON and nothing else.", rich_help_panel=OUTPUT)
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Keep the results of each answer here, with the figures as report.json and report.md.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the results in --out.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: QuietOption = False,
    extractor: ExtractorOption = None,
    verifier: VerifierOption = None,
    llm: LLMOption = None,
    protocol: Annotated[
        BenchProtocol,
        typer.Option(
            "--protocol",
            help="ours: evidence windows, rules across passages, uncovered sentences checked as a whole. paper: each "
            "triple against the whole context, as far as the verifier reads. both: one after the other.",
            rich_help_panel=PIPELINE,
        ),
    ] = BenchProtocol.OURS,
    threshold: ThresholdOption = None,
    debug: DebugOption = False,
) -> None:
    """Run the paper's benchmarks: the raw verifier on whole answers, and GraphEval on top of it.

    Needs the extra "bench". An answer that was not judged counts as wrong. Exit status: 0 when everything ran, 2 bad
    usage or unreadable input, 4 failure.
    """
    from grapheval.bench.datasets import read_benchmark
    from grapheval.bench.markdown import render
    from grapheval.bench.report import make_report
    from grapheval.cli.factory import Choices
    from grapheval.extras import require

    if debug:
        log_to_stderr()
    if resume and out is None:
        raise typer.BadParameter("there is nothing to resume without --out", param_hint="--resume")
    for module in ("sklearn", "rouge_score"):  # before hours of work, not after
        require(module, extra="bench")
    sets = [
        read_benchmark(name, path, articles=articles, limit=limit)
        for name, path in zip(names, _paths(names, data), strict=True)
    ]
    if len({one.known.name for one in sets}) < len(sets):
        raise typer.BadParameter("the same set is named twice", param_hint="NAME")
    figures: list[SetFigures] = []
    protocols = ("paper", "ours") if protocol is BenchProtocol.BOTH else (protocol.value,)
    for which in protocols:
        choices = Choices(None if extractor is None else extractor.value, verifier, llm, "ours", threshold, correct)
        pipeline = _pipeline(ctx, choices, which)
        correctors = _correctors(pipeline, llm) if correct else {}
        figures += [
            _run(one, pipeline, correctors, which, out=out, resume=resume, quiet=quiet, json=json) for one in sets
        ]
    report = make_report(figures)
    if out is not None:
        _save(report, out)
    if json:
        _write(_json(report))
    elif not quiet:
        _write(render(report))


def _paths(names: list[str], data: list[Path]) -> list[Path]:
    if len(data) == 1 and data[0].is_dir():
        return data * len(names)
    if len(data) != len(names):
        msg = f"{len(names)} sets and {len(data)} files: give one --data for each set, or a directory"
        raise typer.BadParameter(msg, param_hint="--data")
    return data


def _pipeline(ctx: typer.Context, choices: Any, protocol: str) -> GraphEval:
    from dataclasses import replace

    from grapheval.paper import as_paper

    if protocol == "ours":
        return ctx.obj(choices)  # type: ignore[no-any-return]
    if choices.llm is None or choices.extractor == "local":  # the paper's rules on local triples
        return as_paper(ctx.obj(choices))
    return ctx.obj(replace(choices, protocol="paper"))  # type: ignore[no-any-return]


def _correctors(pipeline: GraphEval, llm: str | None) -> Mapping[str, Corrector]:
    """GraphCorrect (or whatever the pipeline repairs with), and the direct prompt beside it where there is an LLM."""
    from grapheval.errors import InputError

    if pipeline.corrector is None:
        msg = "--correct: this pipeline has no corrector"
        raise InputError(msg)
    found: dict[str, Corrector] = {"graphcorrect" if llm else "offline": pipeline.corrector}
    if llm:
        from grapheval.correction.direct import DirectPrompt
        from grapheval.llm import from_spec

        found["direct prompt"] = DirectPrompt(from_spec(llm))
    return found


def _run(
    benchmark: Benchmark,
    pipeline: GraphEval,
    correctors: Mapping[str, Corrector],
    protocol: str,
    *,
    out: Path | None,
    resume: bool,
    quiet: bool,
    json: bool,
) -> SetFigures:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from grapheval.bench.raw import raw_detector
    from grapheval.bench.report import set_figures
    from grapheval.bench.runner import GRAPHEVAL, RAW, run
    from grapheval.context.selector import AllWindowsSelector

    # The strongest baseline under each protocol: the best of all windows, or the whole context in one pair.
    every = AllWindowsSelector() if protocol == "ours" else None
    detectors = {RAW: raw_detector(pipeline, every), GRAPHEVAL: pipeline}
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=quiet or not console.is_terminal, transient=json
    ) as bar:
        task = bar.add_task(f"{benchmark.known.title}, {protocol}", total=len(benchmark.rows))
        rows = run(
            benchmark,
            detectors,
            correctors,
            protocol=protocol,
            file=None if out is None else out / f"{benchmark.known.name}.{protocol}.rows.jsonl",
            resume=resume,
            progress=lambda count: bar.update(task, advance=count),
        )
    made = {name: detector.provenance() for name, detector in detectors.items()}
    return set_figures(benchmark, rows, made, protocol=protocol)


def _save(report: Report, out: Path) -> None:
    from grapheval.bench.markdown import render
    from grapheval.errors import InputError

    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.json").write_text(_json(report), encoding="utf-8")
        (out / "report.md").write_text(render(report), encoding="utf-8")
    except OSError as error:
        msg = f"cannot write the report: {error}"
        raise InputError(msg) from error


def _json(report: Report) -> str:
    from json import dumps

    return dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n"


def _write(text: str) -> None:
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        stream.write(text.encode("utf-8", "replace"))
        stream.flush()
