"""Evaluations as OpenTelemetry GenAI events, where OpenTelemetry is installed; otherwise nothing happens.

The event is `gen_ai.evaluation.result` of the GenAI semantic conventions, with the attributes
`gen_ai.evaluation.name`, `.score.value` (groundedness, higher is better), `.score.label` and `.explanation`. It is
emitted through the logs API, so it carries the trace and span that are current.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from grapheval.types import Evaluation

EVENT = "gen_ai.evaluation.result"
NAME = "grapheval"


@cache
def _logs() -> Any:
    """The logs API of OpenTelemetry, or None where it is not installed or too old to know events (before 1.35)."""
    if not find_spec("opentelemetry"):
        return None
    logs = import_module("opentelemetry._logs")
    return logs if "event_name" in inspect.signature(logs.LogRecord.__init__).parameters else None


def attributes(evaluation: Evaluation, *, response_id: str | None = None) -> dict[str, str | float]:
    """The event's attributes; the explanation lists the flagged claims."""
    found: dict[str, str | float] = {
        "gen_ai.evaluation.name": NAME,
        "gen_ai.evaluation.score.label": evaluation.status.value,
    }
    if evaluation.groundedness is not None:
        found["gen_ai.evaluation.score.value"] = evaluation.groundedness
    if evaluation.flagged:
        found["gen_ai.evaluation.explanation"] = "; ".join(verdict.claim.text for verdict in evaluation.flagged)
    elif evaluation.reason is not None:
        found["gen_ai.evaluation.explanation"] = evaluation.reason.value
    if response_id:
        found["gen_ai.response.id"] = response_id
    return found


def record(evaluation: Evaluation, *, response_id: str | None = None) -> None:
    """Emit the event.

    Args:
        evaluation: What was judged.
        response_id: Id of the model's response, where it is known.
    """
    logs = _logs()
    if logs is None:
        return
    entry = logs.LogRecord(event_name=EVENT, attributes=attributes(evaluation, response_id=response_id))
    logs.get_logger("grapheval").emit(entry)
