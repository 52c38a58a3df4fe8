"""The labelled sets with what the report needs to know of each answer: its domain and the places that are wrong."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grapheval import Sample
from grapheval.types import Span
from tests.benchmarks import rag_answers
from tests.benchmarks.data import BENCHMARKS, labelled, rows

DEV = ("summaries", "begin-wow", "rag-answers", "infotabs", "fm2", "falke19")
"""Sets on which things may be tried out. The weights in use were fitted on the first two."""
NLI = {"infotabs": "tables: InfoTabS facts", "fm2": "encyclopaedia: Fool-Me-Twice claims"}
FITTED = frozenset({"summaries", "begin-wow"})
USES = dict.fromkeys(BENCHMARKS, "report only") | dict.fromkeys(DEV, "dev") | dict.fromkeys(FITTED, "dev, fitted")
_NEWS = {"cnndm": "news: CNN/DM", "xsum": "news: XSum"}


@dataclass(frozen=True, slots=True)
class Case:
    """A judged answer.

    Args:
        sample: The answer with its contexts.
        label: 1 = inconsistent.
        group: Names answers that share a context.
        domain: What kind of text it is.
        wrong: Places of the answer that people marked as wrong; empty where there is none or none could be found.
    """

    sample: Sample
    label: int
    group: str
    domain: str
    wrong: tuple[Span, ...] = ()


def cases(name: str, data: Path, limit: int | None = None) -> list[Case]:
    """The answers of a set; a limit takes always the same ones, spread over the set."""
    found = list(_all(name, data))
    if limit is None or limit >= len(found):
        return found
    order = sorted(range(len(found)), key=lambda i: hashlib.sha256(f"{name}:{i}".encode()).digest())
    return [found[i] for i in sorted(order[:limit])]


def _all(name: str, data: Path) -> Iterator[Case]:
    if name == "rag-answers":
        for answer in rag_answers.answers():
            yield Case(answer.sample, answer.label, answer.group, answer.domain, answer.wrong)
    elif name == "summaries":
        for item, row in zip(labelled(name, data), rows("factuality/summaries", data), strict=True):
            wrong = wrong_places(row) if item.label else ()
            yield Case(item.sample, item.label, item.group, _NEWS[row["origin"]], wrong)
    elif name == "falke19":
        for i, row in enumerate(rows("factuality/falke19_pairs", data)):
            yield _pair(i, row, "news: single sentences")
    elif name in NLI:
        found = (r for r in rows("nli/pairs", data) if r["source"] == name and r["split"] == "dev")
        for i, row in enumerate(found):
            yield _pair(i, row, NLI[name])
    else:
        domain = {"begin-wow": "dialogue: Wizard of Wikipedia", "qags-x": _NEWS["xsum"]}.get(name, _NEWS["cnndm"])
        for item in labelled(name, data):
            yield Case(item.sample, item.label, item.group, domain)


def _pair(number: int, row: dict[str, Any], domain: str) -> Case:
    sample = Sample(row["hypothesis"], row["premise"], id=str(number))
    return Case(sample, int(row["label"] != "entailment"), row["premise"], domain)


def wrong_places(row: dict[str, Any]) -> tuple[Span, ...]:
    """Where the annotated words of a CLIFF or Goyal'21 summary stand in it.

    White space and case do not count, as the texts were tokenised. Some annotations of Goyal'21 are remarks ("the captain,
    not the crew") and stand nowhere. Where the whole sentence is wrong (`entire_sent`) and the annotation is a
    remark, the answer is the place.
    """
    marked = str(row["annotated_span"])
    answer = str(row["output"])
    texts = list(_flat(ast.literal_eval(marked))) if marked else []
    found = tuple(span for span in (find_loosely(text, answer) for text in texts) if span is not None)
    if not found and "entire_sent" in str(row["error_type"]):
        return (Span(0, len(answer)),)
    return found


def _flat(item: object) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, list | tuple):
        for inner in item:
            yield from _flat(inner)


def find_loosely(part: str, text: str) -> Span | None:
    """The first place of `part` in `text`, whatever the white space and case; None where it has none."""
    places = [i for i, character in enumerate(text) if not character.isspace()]
    packed = "".join(text[i].lower()[:1] for i in places)
    wanted = "".join(character.lower()[:1] for character in part if not character.isspace())
    start = packed.find(wanted) if wanted else -1
    return None if start < 0 else Span(places[start], places[start + len(wanted) - 1] + 1)
