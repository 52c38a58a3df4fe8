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


class FindingKind(StrEnum):
    """What was compared by rule."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    TIME = "time"
    NAME = "name"
    NEGATION = "negation"
    MODALITY = "modality"
    OPPOSITE = "opposite"
    ROLES = "roles"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a claim that the sources do not say, found by comparing words, not by a model.

    Args:
        kind: What was compared.
        stated: What the claim says, in its words.
        found: What the sources say in its place, in their words; empty where nothing stands in its place.
        text: The finding as a sentence: "999 stands nowhere in the sources; they say 67".
    """

    kind: FindingKind
    stated: str
    found: tuple[str, ...]
    text: str


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
        findings: What an explicit comparison of numbers, units, dates, names and polarity found missing or different.
    """

    claim: Claim
    label: Label
    p_ungrounded: float | None = None
    probabilities: tuple[float, float, float] | None = None
    flagged: bool = False
    evidence: tuple[Evidence, ...] = ()
    reason: Reason | None = None
    findings: tuple[Finding, ...] = ()
