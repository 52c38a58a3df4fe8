"""What the context says about a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grapheval.types.claims import Claim
from grapheval.types.reasons import Reason


class Label(StrEnum):
    """What the context as a whole says about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    """The context does not say."""
    CONFLICTING = "conflicting"
    """One source supports it, another contradicts it."""
    UNVERIFIED = "unverified"
    """It could not be judged; `Verdict.reason` says why."""


class Stance(StrEnum):
    """How a passage bears on a claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that decides a claim.

    Args:
        source_id: The source it stands in.
        start: First code point in the source's text.
        end: One past the last.
        text: `source.text[start:end]`.
        stance: Whether it supports or contradicts the claim.
    """

    source_id: str
    start: int
    end: int
    text: str
    stance: Stance


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one claim.

    Args:
        claim: What was judged.
        label: What the context says about it.
        p_ungrounded: Probability in [0, 1] that the context does not support the claim; None when it could not be
            judged.
        probabilities: (entailment, neutral, contradiction) of the deciding window, summing to 1, where the model has
            three classes; otherwise None.
        flagged: Whether the claim counts as ungrounded. This decides, never the label's name.
        evidence: The deciding passages, strongest first. Empty for `unsupported` and `unverified`.
        reason: Why the claim is `unverified`, or what else limits the verdict.
    """

    claim: Claim
    label: Label
    p_ungrounded: float | None = None
    probabilities: tuple[float, float, float] | None = None
    flagged: bool = False
    evidence: tuple[Evidence, ...] = ()
    reason: Reason | None = None
