"""Self-contained HTML documents: they load nothing, and their policy lets nothing run but their own script."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from grapheval.report.body import body
from grapheval.report.html import Html, el, join
from grapheval.types import Correction, Evaluation

TITLE = "GraphEval report"


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
    heading = title or TITLE
    content = body(result, answer=answer, question=question)
    return document(heading, el("article", content, class_="ge-one"), ("report.js",))


def document(title: str, content: Html, scripts: tuple[str, ...], data: Html | None = None) -> str:
    """A whole document.

    Args:
        title: Its heading; escaped.
        content: The main part.
        scripts: Names of scripts among the package's assets.
        data: Elements with data for the scripts.
    """
    style = asset("report.css")
    script = "".join(asset(name) for name in scripts)
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    theme = el("button", "Dark / light", type="button", class_="ge-theme", hidden=True)
    head = join(
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title),
        Html(f"<style>{style}</style>"),
    )
    page = join(
        el("a", "Skip to the content", class_="ge-skip", href="#content"),
        el("header", el("h1", title), theme, class_="ge-top"),
        el("main", content, id="content"),
        el("div", class_="ge-hidden", id="said", role="status", aria_live="polite"),
        data,
        Html(f"<script>{script}</script>"),
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body class="ge ge-page">{page}</body></html>\n'


@cache
def asset(name: str) -> str:
    """The text of a packaged style sheet or script."""
    return files("grapheval.report").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
