"""A person decides about an answer: what a LangGraph interrupt shows, and what may be resumed with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grapheval import InputError

ACTIONS = ("approve", "replace", "block")


@dataclass(frozen=True, slots=True)
class Review:
    """An answer that waits for a person.

    Args:
        answer: The answer as the model gave it.
        report: What the guard found: `GuardResult.summary()`.
    """

    answer: str
    report: dict[str, Any]

    def plain(self) -> dict[str, Any]:
        """For an agent's state."""
        return {"answer": self.answer, "report": self.report}

    def request(self) -> dict[str, Any]:
        """The interrupt's value."""
        return {"type": "grapheval_review", **self.plain(), "actions": list(ACTIONS)}


def reviewed(decision: object, answer: str, block_message: str) -> str:
    """The text that leaves.

    Args:
        decision: What the run was resumed with: `"approve"`, `"block"`, or a dictionary with `action`; `replace`
            needs `text`.
        answer: The answer that was held back.
        block_message: Leaves for `block`.

    Raises:
        InputError: The decision is none of these: nothing leaves.
    """
    known = decision if isinstance(decision, Mapping) else {"action": decision}
    action, text = known.get("action"), known.get("text")
    if action == "approve":
        return answer
    if action == "block":
        return block_message
    if action == "replace" and isinstance(text, str):
        return text
    msg = f'resume with "approve", "block" or {{"action": "replace", "text": ...}}, not {decision!r}'
    raise InputError(msg)
