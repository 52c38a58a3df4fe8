"""How results show themselves: HTML without a script for notebooks, text everywhere else."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from grapheval.report.answer import marked
from grapheval.report.body import judged, legend, outcome
from grapheval.report.claims import cards
from grapheval.report.drawing import draw
from grapheval.report.html import Html, el, join
from grapheval.report.kinds import count
from grapheval.report.page import asset
from grapheval.report.repair import compared, edits
from grapheval.types import Correction, Coverage, Evaluation

MAX_CLAIMS = 200
"""Claims that are shown; a notebook keeps every output."""

_WIDTH = 100


def fragment(result: Evaluation | Correction) -> str:
    """HTML for a notebook's cell: no script, no ids, its own style; everything untrusted is escaped."""
    evaluation, answer = judged(result)
    verdicts = evaluation.verdicts[:MAX_CLAIMS]
    parts: list[Html | None] = [outcome(evaluation)]
    if answer is not None and answer.strip():
        parts += [marked(answer, verdicts, None), legend(verdicts)]
    if isinstance(result, Correction):
        parts += [edits(result), compared(result, answer or "") if result.edits else None]
    drawn = draw(verdicts, None)
    if drawn is not None:
        parts.append(_folded("Knowledge graph", el("div", drawn, class_="ge-canvas")))
    if verdicts:
        cut = len(evaluation.verdicts) - len(verdicts)
        more = el("p", f"{cut:,} more claims are not shown.", class_="ge-muted") if cut else None
        parts.append(_folded(count(len(evaluation.verdicts), "claim"), join(cards(verdicts, None), more)))
    style = Html(f"<style>{asset('report.css')}</style>")
    return el("div", style, *parts, class_="ge ge-notebook")


def plain(result: Evaluation | Correction) -> str:
    """The terminal's view as plain text, without a line end at the end."""
    from rich.console import Console

    from grapheval.cli.repair import show_correction
    from grapheval.cli.view import show_evaluation

    evaluation, answer = judged(result)
    if answer is None:  # the spans of what no triple covers point nowhere
        evaluation = replace(evaluation, coverage=Coverage())
    stream = StringIO()
    console = Console(
        file=stream, width=_WIDTH, color_system=None, force_terminal=False, markup=False, emoji=False, highlight=False
    )
    show_evaluation(console, answer or "", evaluation)
    if isinstance(result, Correction):
        show_correction(console, answer or "", result)
    return stream.getvalue().rstrip("\n")


def _folded(title: str, content: Html) -> Html:
    return el("details", el("summary", title), content, class_="ge-fold")
