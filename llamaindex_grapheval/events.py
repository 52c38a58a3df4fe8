"""Events of LlamaIndex's instrumentation, sent to whoever listens to its dispatchers."""

from __future__ import annotations

from typing import Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent

dispatcher = get_dispatcher("llamaindex_grapheval")


class GraphEvalEvaluationEvent(BaseEvent):
    """An answer was evaluated.

    Args:
        query: What was asked.
        result: The `GraphEvalResult` as a dictionary.
    """

    query: str | None
    result: dict[str, Any]

    @classmethod
    def class_name(cls) -> str:
        """Name in traces."""
        return "GraphEvalEvaluationEvent"


class GraphEvalGuardEvent(BaseEvent):
    """An answer went through a guard.

    Args:
        query: What was asked.
        decision: What became of the answer: `passed`, `corrected`, `flagged`, `unjudged`, `blocked`.
        report: What was found, as in the response's metadata.
    """

    query: str | None
    decision: str
    report: dict[str, Any]

    @classmethod
    def class_name(cls) -> str:
        """Name in traces."""
        return "GraphEvalGuardEvent"
