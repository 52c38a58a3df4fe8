"""One evaluation or correction as one self-contained HTML document."""

from __future__ import annotations

from grapheval.report.html import el, join
from grapheval.report.kinds import STATUS_KINDS, headline
from grapheval.types import Correction, Evaluation


def render(
    result: Evaluation | Correction,
    *,
    answer: str | None = None,
    question: str | None = None,
    title: str | None = None,
) -> str:
    """Render the report of one answer: a whole HTML document that loads nothing from anywhere.

    Everything that comes from answer, question, sources or models is escaped. The document carries its own content
    security policy (only its own style and script, by their hash), so it is safe in an iframe with
    `sandbox="allow-scripts"`.

    Args:
        result: What `evaluate` or `correct` returned.
        answer: The text that was judged; None = the one that the result carries.
        question: What was asked, if it is to be shown.
        title: Heading of the page; None = "GraphEval report".
    """
    evaluation = result.before if isinstance(result, Correction) else result
    text = answer if answer is not None else evaluation.answer
    kind = STATUS_KINDS[evaluation.status]
    body = join(
        el("h1", title or "GraphEval report"),
        el("p", question) if question else None,
        el("p", f"{kind.sign} {kind.word}: {headline(evaluation)}"),
        el("blockquote", text or ""),
    )
    return f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body>{body}</body></html>\n'
