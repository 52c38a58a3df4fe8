"""`assert_grounded`: a check for people's own tests, whose failure shows what is not supported, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grapheval.types import Evaluation, Label, Status, Verdict

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval
    from grapheval.types.sample import ContextLike

_FINE = frozenset({Status.CONSISTENT})
_NOTHING_CLAIMED = frozenset({Status.ABSTAINED, Status.NO_CLAIMS})

_local: list[GraphEval] = []


def assert_grounded(
    answer: str,
    context: ContextLike,
    question: str | None = None,
    *,
    pipeline: GraphEval | None = None,
    allow_abstention: bool = False,
) -> Evaluation:
    """Assert that a context supports every claim of an answer.

    Args:
        answer: The text to judge.
        context: As for `GraphEval.evaluate`.
        question: What was asked.
        pipeline: Judges; None = `GraphEval.local()`, made once per process.
        allow_abstention: Whether an answer that claims nothing passes; otherwise it fails, since nothing was shown.

    Returns:
        The evaluation, for further assertions.

    Raises:
        AssertionError: A claim is not supported, or something was not judged; the message lists each such claim with
            its probability and the passage that contradicts it.
    """
    __tracebackhide__ = True  # pytest then points at the caller's line
    if pipeline is None:
        if not _local:
            from grapheval.pipeline import GraphEval

            _local.append(GraphEval.local())
        pipeline = _local[0]
    evaluation = pipeline.evaluate(answer, context, question)
    allowed = _FINE | _NOTHING_CLAIMED if allow_abstention else _FINE
    if evaluation.status not in allowed:
        raise AssertionError(explain(evaluation))
    return evaluation


def explain(evaluation: Evaluation) -> str:
    """What is wrong with an answer, one claim a line."""
    reason = f" ({evaluation.reason.value})" if evaluation.reason else ""
    if evaluation.status in _NOTHING_CLAIMED:
        reason += ": nothing was claimed, so nothing was shown; allow_abstention=True lets that pass"
    troubled = [v for v in evaluation.verdicts if v.flagged or v.label in (Label.UNVERIFIED, Label.CONFLICTING)]
    head = f"the answer is not shown to be grounded: {evaluation.status.value}{reason}"
    return "\n".join([head, *(_line(verdict) for verdict in troubled)])


def _line(verdict: Verdict) -> str:
    number = "" if verdict.p_ungrounded is None else f", p_ungrounded {verdict.p_ungrounded:.2f}"
    reason = f", {verdict.reason.value}" if verdict.reason else ""
    passages = "".join(f"\n    {e.stance.value} [{e.source_id}]: {e.text}" for e in verdict.evidence)
    return f"  {verdict.label.value}{number}{reason}: {verdict.claim.text}{passages}"
