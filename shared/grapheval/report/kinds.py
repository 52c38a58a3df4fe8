"""How verdicts and statuses look: one word, one sign, one colour for each kind."""

from __future__ import annotations

from dataclasses import dataclass

from grapheval.types import CorrectionStatus, Evaluation, Label, Reason, Status, Verdict


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of verdict.

    Args:
        word: What the table calls it.
        sign: One character.
        plain_sign: The same for terminals that know only ASCII.
        style: rich style.
        meaning: What the legend says.
        rank: Where kinds overlap, the highest is shown.
    """

    word: str
    sign: str
    plain_sign: str
    style: str
    meaning: str
    rank: int


SUPPORTED = Kind("supported", "✓", "+", "green", "the context says so", 0)
CONTRADICTED = Kind("contradicted", "✗", "x", "red", "the context says otherwise", 5)
UNSUPPORTED = Kind("unsupported", "?", "?", "yellow", "the context does not say", 4)
DOUBTFUL = Kind("doubtful", "?", "?", "yellow", "supported, but not surely enough for the threshold", 3)
CONFLICTING = Kind("conflicting", "≠", "~", "magenta", "the sources disagree", 2)
UNVERIFIED = Kind("unverified", "–", "-", "cyan", "could not be judged", 1)

_BY_LABEL = {
    Label.SUPPORTED: SUPPORTED,
    Label.CONTRADICTED: CONTRADICTED,
    Label.UNSUPPORTED: UNSUPPORTED,
    Label.CONFLICTING: CONFLICTING,
    Label.UNVERIFIED: UNVERIFIED,
}


def kind_of(verdict: Verdict) -> Kind:
    """The kind that a verdict is shown as."""
    if verdict.flagged and verdict.label is Label.SUPPORTED:
        return DOUBTFUL
    return _BY_LABEL[verdict.label]


def is_marked(verdict: Verdict) -> bool:
    """Whether the verdict's place in the answer is marked: what is ungrounded, in dispute, or was not judged."""
    return verdict.flagged or verdict.label in {Label.CONFLICTING, Label.UNVERIFIED}


STATUS_KINDS = {
    Status.CONSISTENT: Kind("consistent", "✓", "+", "green", "every claim is grounded in the context", 0),
    Status.INCONSISTENT: Kind("inconsistent", "✗", "x", "red", "not everything is grounded in the context", 0),
    Status.PARTIAL: Kind("partial", "–", "-", "yellow", "nothing is flagged, but not everything was judged", 0),
    Status.ABSTAINED: Kind("abstained", "–", "-", "cyan", "the answer declines to answer", 0),
    Status.NO_CLAIMS: Kind("no claims", "–", "-", "cyan", "the answer states nothing that could be checked", 0),
    Status.NO_CONTEXT: Kind("no context", "–", "-", "cyan", "there is no context to check against", 0),
}

CORRECTION_KINDS = {
    CorrectionStatus.UNCHANGED: Kind("unchanged", "✓", "+", "green", "nothing needed repair", 0),
    CorrectionStatus.CORRECTED: Kind("corrected", "✓", "+", "green", "nothing is flagged any more", 0),
    CorrectionStatus.PARTIAL: Kind("partly corrected", "–", "-", "yellow", "some claims are still flagged", 0),
    CorrectionStatus.REVERTED: Kind(
        "reverted", "–", "-", "yellow", "the repair made it no better, so the answer stays as it was", 0
    ),
    CorrectionStatus.FAILED: Kind(
        "not corrected", "✗", "x", "red", "no repair could be made, so the answer stays as it was", 0
    ),
}

_REASONS = {
    Reason.ANSWER_DECLINES: "the answer says that it cannot answer",
    Reason.NOTHING_TO_CHECK: "there is no statement in it",
    Reason.EMPTY_CONTEXT: "the context is empty",
    Reason.UNSUPPORTED_LANGUAGE: "the model cannot judge this language",
    Reason.CLAIM_TOO_LONG: "the claim is too long for the model",
    Reason.CONTEXT_CUT: "part of the context was not read",
    Reason.LENGTH_STOP: "the model's reply was cut off",
    Reason.UNPARSEABLE: "the model's reply could not be read",
    Reason.NO_TRIPLES: "the model replied without triples",
    Reason.TIMEOUT: "a call took too long",
    Reason.MODEL_ERROR: "a model failed",
    Reason.BUDGET_EXCEEDED: "the limit on calls or tokens was reached",
    Reason.SOURCES_CONFLICT: "one source supports it, another contradicts it",
}


def why(reason: Reason | None) -> str | None:
    """A reason code in words; None for none."""
    return None if reason is None else _REASONS.get(reason, reason.value.replace("_", " "))


def headline(evaluation: Evaluation) -> str:
    """What the status means for this evaluation, in words."""
    flagged, total = len(evaluation.flagged), len(evaluation.verdicts)
    if evaluation.status is Status.INCONSISTENT and total == 1:
        return "the claim is not grounded in the context"
    if evaluation.status is Status.INCONSISTENT:
        return f"{flagged} of {count(total, 'claim')} {'is' if flagged == 1 else 'are'} not grounded in the context"
    if evaluation.status is Status.CONSISTENT:
        return (
            f"all {count(total, 'claim')} are grounded in the context"
            if total > 1
            else "the claim is grounded in the context"
        )
    if evaluation.reason is Reason.SOURCES_CONFLICT:
        return "nothing is flagged, but the sources disagree"
    meaning, reason = STATUS_KINDS[evaluation.status].meaning, why(evaluation.reason)
    return meaning if reason is None else f"{meaning}: {reason}"


def count(number: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
