"""The page to try the service: a plain form without a script, and the report that answers it."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from urllib.parse import parse_qs

from grapheval.errors import InputError
from grapheval.report import render
from grapheval.report.html import escape
from grapheval.types import Correction, Evaluation, Source

_FIELDS = 8
"""More fields than the form has are refused."""


def _asset(name: str) -> str:
    return files("grapheval.serve").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_STYLE = _asset("page.css")

HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; style-src '{_hash(_STYLE)}'; form-action 'self'; frame-src 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",  # with "no-referrer" browsers hide the origin of the form
}
"""Of the page: it runs no script and loads nothing."""

REPORT_HEADERS = {"content-security-policy": "sandbox allow-scripts; frame-ancestors 'self'"}
"""Of a report, which carries a policy of its own: whatever it holds, it is a stranger to the service."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the page sends.

    Args:
        answer: The text to judge.
        contexts: Passages: the pasted text, cut at lines of three or more hyphens.
        question: What was asked, if anything.
        correct: Whether to repair.
    """

    answer: str
    contexts: tuple[Source, ...]
    question: str | None
    correct: bool


def start(*, corrects: bool) -> str:
    """The page."""
    button = '<button name="do" value="correct">Check and correct</button>' if corrects else ""
    template = Template(_asset("page.html"))
    return template.substitute(style=_STYLE, correct=button)


def read_form(body: bytes) -> Form:
    """Read the form.

    Raises:
        InputError: It is none.
    """
    try:
        fields = parse_qs(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=_FIELDS, encoding="utf-8", errors="replace"
        )
    except ValueError as error:  # not UTF-8, or too many fields
        msg = "the form cannot be read"
        raise InputError(msg) from error
    if not {"answer", "context"} <= fields.keys():
        msg = "the form lacks an answer or a context"
        raise InputError(msg)
    question = fields.get("question", [""])[0].strip()
    return Form(
        answer=_lines(fields["answer"][0]),
        contexts=tuple(passages(_lines(fields["context"][0]))),
        question=question or None,
        correct=fields.get("do") == ["correct"],
    )


def passages(text: str) -> list[Source]:
    """The passages of a pasted text: lines of three or more hyphens stand between them."""
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        if len(line.strip()) >= 3 and not line.strip().strip("-"):
            found.append([])
        else:
            found[-1].append(line)
    return [Source("\n".join(lines)) for lines in found if "".join(lines).strip()]


def report(found: Evaluation | Correction, form: Form) -> str:
    """The report of a result."""
    return render(found, answer=form.answer, question=form.question, title="Report")


def problem(message: str) -> str:
    """A page that says why there is no report."""
    return Template(_asset("problem.html")).substitute(message=escape(message))


def _lines(text: str) -> str:
    """Browsers send line ends as CR LF."""
    return text.replace("\r\n", "\n")
