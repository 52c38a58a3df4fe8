"""Markdown for people; the numbers themselves go into the JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def percent(share: float | None) -> str:
    """A share as per cent with one decimal, a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f}"


def between(interval: dict[str, float] | None) -> str:
    """An interval of shares in per cent."""
    return "" if interval is None else f" [{percent(interval['low'])}, {percent(interval['high'])}]"


def points(value: float | None) -> str:
    """A difference of shares in points, with its sign."""
    return "–" if value is None else f"{100 * value:+.1f}"


def points_between(interval: dict[str, float] | None) -> str:
    """An interval of differences in points."""
    return "" if interval is None else f" [{points(interval['low'])}, {points(interval['high'])}]"


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table, ready to print."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in body]
    return "\n".join(lines)


def score_cells(found: dict[str, Any]) -> list[str]:
    """Answers, inconsistent ones, balanced accuracy and AUC with intervals, recall, specificity, unjudged."""
    return [
        str(found["n"]),
        str(found["inconsistent"]),
        percent(found["balanced_accuracy"]) + between(found["balanced_accuracy_ci"]),
        percent(found["auc"]) + between(found["auc_ci"]),
        percent(found["recall"]),
        percent(found["specificity"]),
        str(found["unjudged"]),
    ]


SCORE_HEAD = ("n", "inconsistent", "balanced accuracy [95 %]", "AUC [95 %]", "recall", "specificity", "unjudged")
