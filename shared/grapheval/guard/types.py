"""What a guard may be told, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, get_args

from grapheval.errors import GraphEvalError, InputError
from grapheval.types import Correction, Evaluation, Failure

OnFlagged = Literal["correct", "block", "flag", "raise"]
OnUnrepaired = Literal["block", "drop", "mark", "keep"]
OnUnjudged = Literal["block", "pass"]
Hold = Literal["answer", "sentence"]

BLOCK_MESSAGE = "I cannot answer that from the sources I have."
MARK = " [not supported by the sources]"
LOOKBACK = 1000


class Decision(StrEnum):
    """What became of an answer."""

    PASSED = "passed"
    """It left as it was; nothing in it is flagged, and everything that it claims was judged."""
    CORRECTED = "corrected"
    """It left repaired (flagged text was replaced or dropped), and the re-check flags nothing."""
    FLAGGED = "flagged"
    """It left with flagged text in it, because the policy says so (`flag`, `mark`, `keep`)."""
    UNJUDGED = "unjudged"
    """It left although something could not be judged, because the policy says so (`on_unjudged="pass"`)."""
    BLOCKED = "blocked"
    """It was held back, or ends early: the block message stands in its place."""


class Cause(StrEnum):
    """Why an answer was blocked."""

    FLAGGED = "flagged"
    """Something in it is not grounded and was not repaired."""
    UNJUDGED = "unjudged"
    """Something in it could not be judged: no context, an unreadable language, sources in conflict, …"""
    FAILED = "failed"
    """A model or service failed; `GuardResult.failures` says which."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What a guard does with what it finds.

    Args:
        on_flagged: `correct` repairs flagged sentences and re-checks them; `block` puts the block message in the
            answer's place; `flag` lets it leave and reports; `raise` raises `GuardError`.
        on_unrepaired: Only for `correct`, what happens to a flagged sentence that no repair makes clean: `drop` leaves
            out the clause or the sentence; `block` ends the answer before it, with the block message; `mark` adds
            `mark` behind it; `keep` lets it leave as it is. Where all of an answer is dropped, the block message
            stands in its place.
        on_unjudged: What happens where something could not be judged, or a model failed: `block`, or `pass`. None =
            `pass` when `on_flagged="flag"` (which holds nothing back), otherwise `block`: fail-closed.
        hold: `sentence` lets each sentence leave as soon as it passed; `answer` lets nothing leave before the whole
            answer passed. None = `sentence` for `correct`, otherwise `answer`.
        block_message: Stands in for what was held back; data, never a template.
        mark: Added behind sentences that `on_unrepaired="mark"` lets leave.
        lookback: A sentence is judged together with up to so many characters of whole sentences before it, so that
            pronouns can be resolved.

    Raises:
        InputError: A value is none of these.
    """

    on_flagged: OnFlagged = "correct"
    on_unrepaired: OnUnrepaired = "drop"
    on_unjudged: OnUnjudged | None = None
    hold: Hold | None = None
    block_message: str = BLOCK_MESSAGE
    mark: str = MARK
    lookback: int = LOOKBACK

    def __post_init__(self) -> None:
        if self.on_unjudged is None:
            object.__setattr__(self, "on_unjudged", "pass" if self.on_flagged == "flag" else "block")
        if self.hold is None:
            object.__setattr__(self, "hold", "sentence" if self.on_flagged == "correct" else "answer")
        for name, allowed in (
            ("on_flagged", OnFlagged),
            ("on_unrepaired", OnUnrepaired),
            ("on_unjudged", OnUnjudged),
            ("hold", Hold),
        ):
            if getattr(self, name) not in get_args(allowed):
                msg = f"{name} must be one of {', '.join(get_args(allowed))}, not {getattr(self, name)!r}"
                raise InputError(msg)
        if not isinstance(self.lookback, int) or self.lookback < 0:
            msg = f"lookback must be a number of characters, not {self.lookback!r}"
            raise InputError(msg)
        if self.on_flagged == "flag" and self.hold == "sentence":
            msg = 'on_flagged="flag" holds nothing back: hold="sentence" has no meaning with it'
            raise InputError(msg)

    @property
    def by_sentence(self) -> bool:
        """Whether the answer is judged (not merely released) sentence by sentence."""
        return self.on_flagged == "correct" or self.hold == "sentence"

    @property
    def passes_through(self) -> bool:
        """Whether nothing is ever held back: chunks leave as they come and are judged at the end."""
        return self.on_flagged == "flag" and self.on_unjudged == "pass"


@dataclass(frozen=True, slots=True)
class GuardResult:
    """What left, and why.

    Args:
        text: What left.
        decision: What became of the answer.
        original: The answer as it came in.
        evaluation: The judgement of the original, as far as it was judged; of a model that failed, an evaluation
            with status `partial` and a reason.
        correction: With `on_flagged="correct"`, the repair: `text` is the original with its edits applied.
        cause: Why it was blocked; None when it was not.
        failures: Models and services that failed on the way.
    """

    text: str
    decision: Decision
    original: str
    evaluation: Evaluation
    correction: Correction | None = None
    cause: Cause | None = None
    failures: tuple[Failure, ...] = ()

    @property
    def blocked(self) -> bool:
        """Whether the answer was held back or ends early."""
        return self.decision is Decision.BLOCKED

    @property
    def final(self) -> Evaluation:
        """The judgement of what left, where that differs from the original; otherwise of the original."""
        return self.evaluation if self.correction is None else self.correction.after or self.evaluation

    def summary(self) -> dict[str, Any]:
        """The plain essentials, small enough for a message's metadata or an agent's state."""
        evaluation = self.evaluation
        return {
            "decision": self.decision.value,
            "cause": self.cause.value if self.cause else None,
            "status": evaluation.status.value,
            "reason": evaluation.reason.value if evaluation.reason else None,
            "groundedness": evaluation.groundedness,
            "flagged": [
                {"claim": verdict.claim.text, "label": verdict.label.value, "p_ungrounded": verdict.p_ungrounded}
                for verdict in evaluation.flagged
            ],
            "edits": [
                {"start": edit.start, "end": edit.end, "old": edit.old, "new": edit.new, "action": edit.action.value}
                for edit in (self.correction.edits if self.correction else ())
            ],
            "failures": [{"stage": f.stage, "code": f.code, "message": f.message} for f in self.failures],
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form."""
        from grapheval.serialize import to_plain

        plain: dict[str, Any] = to_plain(self)
        plain["evaluation"] = self.evaluation.to_dict()
        return plain


class GuardError(GraphEvalError):
    """A guard with `on_flagged="raise"` refused an answer.

    Args:
        message: Why.
        result: What it found; `result.text` is what had left before (nothing, unless `hold="sentence"`).
    """

    code = "guard_refused"

    def __init__(self, message: str, result: GuardResult) -> None:
        super().__init__(message)
        self.result = result
