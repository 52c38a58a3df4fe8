"""The evaluation of one answer as a plan: it yields what it needs done and is sent the results.

The plan does no input or output and knows no event loop, so the synchronous, the asynchronous and the batch driver in
`grapheval.pipeline` run the very same one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grapheval.calibration.maps import ProbabilityMap, mapped_verdict
from grapheval.coverage import coverage
from grapheval.errors import InputError
from grapheval.protocols import Aggregator, EvidenceSelector, Extractor, Folder, Judgement, Pair, Selected, Verifier
from grapheval.types import (
    Claim,
    Coverage,
    Evaluation,
    Extraction,
    Label,
    Outcome,
    Provenance,
    Reason,
    Sample,
    Status,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Extract:
    """Ask for the claims of an answer; the result is `(Extraction, Usage)`."""

    sample: Sample


@dataclass(frozen=True, slots=True)
class Select:
    """Ask for the windows that can decide each claim; the result is `Selected`."""

    sample: Sample
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Verify:
    """Ask for judgements; the result is `(list[Judgement], Usage)`, in the order of the pairs."""

    pairs: tuple[Pair, ...]


Step = Extract | Select | Verify
Plan = Generator[Step, Any, Evaluation]


@dataclass(frozen=True, slots=True)
class Stages:
    """The plug-ins and settings of one pipeline."""

    extractor: Extractor
    verifier: Verifier
    selector: EvidenceSelector
    folder: Folder
    aggregator: Aggregator
    threshold: float
    max_answer_chars: int
    provenance: Provenance
    calibration: ProbabilityMap | None = None


def evaluation_plan(sample: Sample, stages: Stages) -> Plan:
    """Plan the evaluation of one answer.

    Raises:
        InputError: The answer is longer than the pipeline accepts.
    """
    if len(sample.answer) > stages.max_answer_chars:
        msg = (
            f"the answer has {len(sample.answer):,} characters, more than "
            f"max_answer_chars={stages.max_answer_chars:,}: split it, or raise the limit in GraphEval(...)"
        )
        raise InputError(msg)
    evaluation = yield from _judging(sample, stages)
    return replace(evaluation, answer=sample.answer)


def _judging(sample: Sample, stages: Stages) -> Plan:
    if not sample.answer.strip():
        return _unjudged(Status.NO_CLAIMS, Reason.NOTHING_TO_CHECK, stages)

    extraction, usage = yield Extract(sample)
    early = _outcome(extraction, sample, stages, usage)
    if early is not None:
        return early

    claims = extraction.claims
    selected: Selected = yield Select(sample, claims)
    pairs = tuple(
        Pair(window.text, claim.text)
        for claim, windows in zip(claims, selected.windows, strict=True)
        for window in windows
    )
    judgements, more = (yield Verify(pairs)) if pairs else ([], Usage())
    verdicts = _fold(sample, claims, selected, judgements, stages)
    return _conclude(sample, extraction, verdicts, selected, usage + more, stages)


def _outcome(extraction: Extraction, sample: Sample, stages: Stages, usage: Usage) -> Evaluation | None:
    """The evaluation of an answer of which nothing can be verified, None for any other."""
    if extraction.outcome is Outcome.ABSTAINED:
        return _unjudged(Status.ABSTAINED, extraction.reason or Reason.ANSWER_DECLINES, stages, usage=usage)
    if not extraction.claims:
        if extraction.outcome in {Outcome.INCOMPLETE, Outcome.UNSUPPORTED_LANGUAGE}:
            return _unjudged(Status.PARTIAL, extraction.reason, stages, usage=usage)
        return _unjudged(Status.NO_CLAIMS, extraction.reason or Reason.NOTHING_TO_CHECK, stages, usage=usage)
    if not any(source.text.strip() for source in sample.sources):
        verdicts = tuple(Verdict(c, Label.UNVERIFIED, reason=Reason.EMPTY_CONTEXT) for c in extraction.claims)
        covered = coverage(sample.answer, extraction.claims)
        return _unjudged(Status.NO_CONTEXT, Reason.EMPTY_CONTEXT, stages, verdicts, covered, usage)
    return None


def _fold(
    sample: Sample, claims: Sequence[Claim], selected: Selected, judgements: Sequence[Judgement], stages: Stages
) -> tuple[Verdict, ...]:
    by, verdicts, place = stages.calibration, [], 0
    cut = stages.threshold if by is None else by.cut(stages.threshold, len(claims))
    for claim, windows in zip(claims, selected.windows, strict=True):
        own = judgements[place : place + len(windows)]
        place += len(windows)
        verdict = stages.folder.fold(claim, windows, own, sample.sources, cut)
        verdicts.append(verdict if by is None else mapped_verdict(verdict, by, len(claims), stages.threshold))
    return tuple(verdicts)


def _conclude(
    sample: Sample,
    extraction: Extraction,
    verdicts: tuple[Verdict, ...],
    selected: Selected,
    usage: Usage,
    stages: Stages,
) -> Evaluation:
    p_inconsistent = stages.aggregator.aggregate(verdicts)
    unjudged = next((v for v in verdicts if v.label is Label.UNVERIFIED), None)
    conflict = any(v.label is Label.CONFLICTING for v in verdicts)
    status, reason = Status.CONSISTENT, None
    if p_inconsistent is not None and p_inconsistent > stages.threshold:
        status = Status.INCONSISTENT
    elif unjudged is not None:
        status, reason = Status.PARTIAL, unjudged.reason
    elif extraction.outcome in {Outcome.INCOMPLETE, Outcome.UNSUPPORTED_LANGUAGE}:
        status, reason = Status.PARTIAL, extraction.reason
    elif conflict or p_inconsistent is None:
        status, reason = Status.PARTIAL, Reason.SOURCES_CONFLICT if conflict else None
    if reason is None and (
        selected.counts.get("unread_chars") or any(v.reason is Reason.CONTEXT_CUT for v in verdicts)
    ):
        reason = Reason.CONTEXT_CUT  # whatever the status: nothing is cut unreported
    covered = coverage(sample.answer, extraction.claims)
    return Evaluation(
        status=status,
        reason=reason,
        p_inconsistent=p_inconsistent,
        verdicts=verdicts,
        coverage=covered,
        threshold=stages.threshold,
        provenance=_provenance(stages, usage, selected.counts | {"pairs": sum(map(len, selected.windows))}),
    )


def _unjudged(
    status: Status,
    reason: Reason | None,
    stages: Stages,
    verdicts: tuple[Verdict, ...] = (),
    covered: Coverage = Coverage(),
    usage: Usage = Usage(calls=0),
) -> Evaluation:
    return Evaluation(
        status=status,
        reason=reason,
        verdicts=verdicts,
        coverage=covered,
        threshold=stages.threshold,
        provenance=_provenance(stages, usage, {}),
    )


def _provenance(stages: Stages, usage: Usage, selection: dict[str, int]) -> Provenance:
    counted = {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }
    base = stages.provenance
    return Provenance(
        version=base.version,
        extractor=base.extractor,
        verifier=base.verifier,
        selector=base.selector,
        aggregator=base.aggregator,
        threshold=base.threshold,
        prompts=base.prompts,
        selection=selection,
        usage={name: value for name, value in counted.items() if value} if usage.calls else {},
    )
