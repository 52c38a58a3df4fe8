"""The repair of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grapheval.types.claims import Claim
from grapheval.types.evaluation import Evaluation
from grapheval.types.reasons import Reason
from grapheval.types.shown import Shown
from grapheval.types.verdict import Evidence


class CorrectionStatus(StrEnum):
    """What a repair came to."""

    UNCHANGED = "unchanged"
    """Nothing needed repair."""
    CORRECTED = "corrected"
    """The re-check flags nothing any more."""
    PARTIAL = "partial"
    """Some flagged claims were repaired, some were not."""
    REVERTED = "reverted"
    """The repair made the answer no better, so the original is kept."""
    FAILED = "failed"
    """No repair could be made; the original is kept."""


class Action(StrEnum):
    """What an edit does."""

    REPLACE = "replace"
    DROP = "drop"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change, in coordinates of the original answer.

    Args:
        start: First code point that is replaced.
        end: One past the last.
        old: `original[start:end]`.
        new: What stands there afterwards.
        claim: The flagged claim that asked for it.
        evidence: The passages that the change follows.
        action: Whether text was replaced, dropped or marked.
    """

    start: int
    end: int
    old: str
    new: str
    claim: Claim
    evidence: tuple[Evidence, ...] = ()
    action: Action = Action.REPLACE


@dataclass(frozen=True, slots=True)
class Usage:
    """What a repair or an extraction cost: LLM calls and tokens (None where the model does not report tokens)."""

    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Sum; unknown plus known is known, so a total is a lower bound where a model reports nothing."""

        def add(left: int | None, right: int | None) -> int | None:
            return right if left is None else left if right is None else left + right

        return Usage(
            self.calls + other.calls,
            add(self.input_tokens, other.input_tokens),
            add(self.output_tokens, other.output_tokens),
        )


@dataclass(frozen=True, slots=True)
class Unrepaired:
    """A flagged claim that was not repaired, and why."""

    claim: Claim
    reason: str


@dataclass(frozen=True, slots=True)
class Correction(Shown):
    """A repaired answer.

    Args:
        answer: The text after the repair; outside the edits it is byte-identical to the original.
        edits: Not overlapping, sorted, in coordinates of the original answer, however many rounds ran.
        before: Evaluation of the original answer.
        after: Evaluation of `answer`; None when nothing was changed or re-checked.
        status: What the repair came to.
        reason: Cause code for `failed`, and for `partial` where there is one.
        unrepaired: Flagged claims that were not repaired, each with the reason.
        usage: LLM calls and tokens that the repair cost.
    """

    answer: str
    edits: tuple[Edit, ...]
    before: Evaluation
    after: Evaluation | None
    status: CorrectionStatus
    reason: Reason | None = None
    unrepaired: tuple[Unrepaired, ...] = ()
    usage: Usage = Usage()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form; its schema is `docs/correction.schema.json`."""
        from grapheval.serialize import to_plain

        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Correction:
        """Read what `to_dict` wrote.

        Raises:
            InputError: The data does not fit the schema; the message names the first place.
        """
        from grapheval.serialize import from_plain

        return from_plain(cls, data)
