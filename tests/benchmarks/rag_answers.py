"""Answers as a retrieval-augmented assistant gives them, each in a grounded form and with one planted error.

The texts (tests/data/rag_answers.jsonl) were written by hand for this project and read against their passages. All
facts in them are invented. Each line holds a question, the passages, a grounded answer of 60 to 300 words that is far
from verbatim, and one planted error: the place of the right words and the wrong ones that take their place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grapheval import Sample
from grapheval.types import Span

ANSWERS = Path(__file__).resolve().parents[1] / "data" / "rag_answers.jsonl"


@dataclass(frozen=True, slots=True)
class RagAnswer:
    """One answer.

    Args:
        sample: Answer, passages and question.
        label: 1 = it holds the planted error.
        group: The two forms of an answer share it.
        domain: What the texts are about.
        error: What kind of error is planted in the wrong form.
        wrong: The place of the error; empty for the grounded form.
    """

    sample: Sample
    label: int
    group: str
    domain: str
    error: str
    wrong: tuple[Span, ...] = ()


def rows() -> list[dict[str, Any]]:
    """The lines of the file."""
    return [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]


def answers() -> list[RagAnswer]:
    """The grounded and the wrong form of every answer, one after the other."""
    made = []
    for row in rows():
        text, planted = str(row["answer"]), row["planted"]
        start, end, wrong = int(planted["start"]), int(planted["end"]), str(planted["text"])
        place = Span(start, start + len(wrong))
        forms = ((text, 0, ()), (text[:start] + wrong + text[end:], 1, (place,)))
        for answer, label, places in forms:
            sample = Sample(answer, row["passages"], row["question"], id=f"{row['id']}-{label}")
            made.append(RagAnswer(sample, label, row["id"], f"RAG: {row['domain']}", row["error"], places))
    return made
