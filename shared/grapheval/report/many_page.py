"""The report over many answers: one file with the sums, a list to search and every answer's own report."""

from __future__ import annotations

import base64
import heapq
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from grapheval.report.body import body
from grapheval.report.html import Html, el
from grapheval.report.many import Tally
from grapheval.report.overview import overview
from grapheval.report.page import document
from grapheval.report.text import one_line
from grapheval.types import Correction, Evaluation, Failure

LIMIT = 10_000
"""Answers that are listed; the sums are over all."""

_CHUNK = 16  # reports that are compressed together: they share their markup
_SNIPPET = 400  # characters of an answer that the list can search


@dataclass(frozen=True, slots=True)
class Item:
    """One answer of many.

    Args:
        id: Its name.
        evaluation: None for a failure.
        correction: If it was repaired.
        failure: Why there is no evaluation.
        answer: The text that was judged; None = the one that the evaluation carries.
        question: What was asked.
    """

    id: str
    evaluation: Evaluation | None = None
    correction: Correction | None = None
    failure: Failure | None = None
    answer: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the page holds of an answer: its row for the list, its report compressed."""

    row: dict[str, Any]
    packed: bytes


def render_many(items: Iterable[Item], *, title: str | None = None, limit: int = LIMIT) -> str:
    """Render the report over many answers: a whole HTML document that loads nothing from anywhere.

    It is as safe as the report of one answer. Items are read once, one after the other; of those beyond `limit` only
    what the sums need is kept.

    Args:
        items: In any order; the list begins with the worst.
        title: Heading of the page; None = "GraphEval report".
        limit: How many answers are listed: those with the highest p(inconsistent).
    """
    tally = Tally()
    kept: list[tuple[tuple[float, int], _Kept]] = []
    for number, item in enumerate(items):
        tally.add(item.evaluation, item.correction, item.failure)
        rank = (_badness(item), -number)
        if len(kept) < limit:
            heapq.heappush(kept, (rank, _keep(item, number)))
        elif limit and rank > kept[0][0]:
            heapq.heapreplace(kept, (rank, _keep(item, number)))
    worst = [entry for _, entry in sorted(kept, key=lambda pair: pair[0], reverse=True)]
    sources = list(dict.fromkeys(name for entry in worst for name in entry.row["sources"]))
    data = [_json("rows", _columns(worst, sources)), *_packed(worst)]
    content = overview(tally, listed=len(worst))
    return document(title or "GraphEval report", content, ("report.js", "many.js"), Html("".join(data)))


def _badness(item: Item) -> float:
    """Order of the list: failures first, then the highest probability, at the end what was not judged."""
    if item.evaluation is None:
        return 2.0
    p = item.evaluation.p_inconsistent
    return -1.0 if p is None else p


def _keep(item: Item, number: int) -> _Kept:
    evaluation = item.evaluation
    verdicts = () if evaluation is None else evaluation.verdicts
    answer = item.answer if item.answer is not None else (evaluation.answer if evaluation else None)
    row = {
        "id": one_line(item.id, 200),
        "number": number,
        "status": "failed" if evaluation is None else evaluation.status.value,
        "p": None if evaluation is None or evaluation.p_inconsistent is None else round(evaluation.p_inconsistent, 4),
        "flagged": sum(verdict.flagged for verdict in verdicts),
        "claims": len(verdicts),
        "text": one_line(answer or (item.failure.message if item.failure else ""), _SNIPPET),
        "sources": sorted({one_line(e.source_id, 200) for verdict in verdicts for e in verdict.evidence}),
    }
    return _Kept(row, zlib.compress(_report(item, number).encode(), 1))


def _report(item: Item, number: int) -> Html:
    if item.evaluation is not None:
        result = item.correction or item.evaluation
        return body(result, f"a{number}-", answer=item.answer, question=item.question)
    failure = item.failure
    said = "There is neither an evaluation nor a failure." if failure is None else failure.message
    facts = "" if failure is None else f"{failure.code} while {failure.stage}"
    again = "Trying again may help." if failure is not None and failure.retryable else None
    return el("section", el("h2", "Failed"), el("p", said), el("p", facts, " ", again, class_="ge-muted"))


def _columns(worst: list[_Kept], sources: list[str]) -> dict[str, Any]:
    """The list as columns, which take less room than objects."""
    place = {name: number for number, name in enumerate(sources)}
    names = ("id", "number", "status", "p", "flagged", "claims", "text")
    found: dict[str, Any] = {name: [entry.row[name] for entry in worst] for name in names}
    found["sources"] = [[place[name] for name in entry.row["sources"]] for entry in worst]
    return found | {"source_names": sources, "chunk": _CHUNK}


def _packed(worst: list[_Kept]) -> Iterator[Html]:
    for number, start in enumerate(range(0, len(worst), _CHUNK)):
        chunk = [zlib.decompress(entry.packed).decode() for entry in worst[start : start + _CHUNK]]
        packed = zlib.compress(json.dumps(chunk, ensure_ascii=False).encode(), 6)
        text = base64.b64encode(packed).decode()
        yield Html(f'<script type="text/plain" id="chunk-{number}">{text}</script>')


def _json(name: str, value: Any) -> Html:
    """Data for a script; no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Html(f'<script type="application/json" id="{name}">{text}</script>')
