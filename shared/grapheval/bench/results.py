"""What a run keeps of each answer: enough to score it, to resume, and to look into single cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grapheval.bench.metrics import Rouge
from grapheval.types import Evaluation, Failure, Label, Reason


@dataclass(frozen=True, slots=True)
class Judged:
    """What a detector said about one answer.

    Args:
        p_inconsistent: In [0, 1]; None = not judged.
        status: Of the evaluation; None where the detector failed.
        reason: Cause code, if any.
        claims: How many were verified.
        flagged: How many of them count as ungrounded.
        unverified: How many could not be judged.
        cut: Whether part of the context did not fit the verifier's input and was not read.
        usage: LLM calls and tokens.
        failure: Why there is no evaluation.
    """

    p_inconsistent: float | None
    status: str | None
    reason: str | None = None
    claims: int = 0
    flagged: int = 0
    unverified: int = 0
    cut: bool = False
    usage: Mapping[str, int] = field(default_factory=dict, hash=False)
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a corrector made of one flagged answer.

    Args:
        status: Of the correction; None where the corrector failed.
        answer: The text after the repair; None where the corrector failed.
        changed: Whether that differs from the original.
        believed: Whether the detector finds the changed answer consistent. An answer that is still unjudged in part,
            or that no longer states anything, is not believed.
        p_after: The detector's probability for the changed answer; None when nothing was changed or judged.
        rouge: Between the answer before and after; of an answer that was left alone it is 1.
        usage: LLM calls and tokens of the repair.
        failure: Why there is no correction.
    """

    status: str | None
    answer: str | None
    changed: bool
    believed: bool
    p_after: float | None
    rouge: Rouge
    usage: Mapping[str, int] = field(default_factory=dict, hash=False)
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class RowResult:
    """One answer: the label, what each detector said, what each corrector made of it."""

    id: str
    label: int
    group: str
    detectors: Mapping[str, Judged] = field(default_factory=dict, hash=False)
    correctors: Mapping[str, Repaired] = field(default_factory=dict, hash=False)

    @property
    def retryable(self) -> bool:
        """Whether something failed that may succeed when tried again."""
        found = [item.failure for item in self.detectors.values()] + [item.failure for item in self.correctors.values()]
        return any(failure is not None and failure.retryable for failure in found)


def judged_from(result: Evaluation | Failure) -> Judged:
    """The record of an evaluation, or of the failure to make one."""
    if isinstance(result, Failure):
        return Judged(None, None, result.code, failure=result)
    selection = result.provenance.selection
    return Judged(
        p_inconsistent=result.p_inconsistent,
        status=result.status.value,
        reason=None if result.reason is None else result.reason.value,
        claims=len(result.verdicts),
        flagged=len(result.flagged),
        unverified=sum(verdict.label is Label.UNVERIFIED for verdict in result.verdicts),
        cut=selection.get("unread_chars", 0) > 0 or any(v.reason is Reason.CONTEXT_CUT for v in result.verdicts),
        usage=dict(result.provenance.usage),
    )
