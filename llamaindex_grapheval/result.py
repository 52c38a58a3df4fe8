"""`GraphEvalResult`: an evaluation in LlamaIndex's shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from llama_index.core.evaluation import EvaluationResult
from pydantic import BeforeValidator, ConfigDict, Field, InstanceOf, PlainSerializer

from grapheval import Evaluation, Evidence, GraphEvalError, Label, Sample, Stance, Status, Verdict

_UNJUDGED = {
    Status.PARTIAL: "not everything could be judged",
    Status.ABSTAINED: "the answer declines to answer",
    Status.NO_CLAIMS: "there is nothing to check in the answer",
    Status.NO_CONTEXT: "there is no context to check the answer against",
}
_WORDS = {
    Label.CONTRADICTED: "the sources say otherwise",
    Label.UNSUPPORTED: "the sources do not say so",
    Label.UNVERIFIED: "could not be judged",
    Label.CONFLICTING: "the sources disagree",
    Label.SUPPORTED: "supported",
}
_QUOTE = 160


def _read(value: Any) -> Any:
    return Evaluation.from_dict(value) if isinstance(value, Mapping) else value


class GraphEvalResult(EvaluationResult):
    """LlamaIndex's result with GraphEval's evaluation attached.

    `score` is groundedness (higher is better). `passing` is True for `consistent`, False for `inconsistent`. Everything
    else is an `invalid_result` with an `invalid_reason` and `passing` None: it must not count as a pass or a fail.

    Args:
        status: What the evaluation came to; None where the pipeline failed.
        triples: One dictionary per claim: `subject`, `relation`, `object` (None for a sentence that no triple
            covers), `claim`, `label`, `flagged`, `p_ungrounded`, and `evidence`: pieces with `node_id`, `start`, `end`
            (into the text that the LLM saw), `text`, `stance`.
        source_ids: Ids of the passages that it was judged against, in order.
        evaluation: The whole evaluation; None where the pipeline failed.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    status: str | None = None
    triples: list[dict[str, Any]] = Field(default_factory=list)
    source_ids: list[str] = Field(default_factory=list)
    evaluation: Annotated[
        InstanceOf[Evaluation] | None,
        BeforeValidator(_read),
        PlainSerializer(lambda value: None if value is None else value.to_dict(), return_type=dict | None),
    ] = None


def judged(sample: Sample, evaluation: Evaluation) -> GraphEvalResult:
    """The result of an evaluation."""
    passing = {Status.CONSISTENT: True, Status.INCONSISTENT: False}.get(evaluation.status)
    return GraphEvalResult(
        query=sample.question,
        response=sample.answer,
        contexts=[source.text for source in sample.sources],
        passing=passing,
        score=evaluation.groundedness,
        feedback=feedback(evaluation),
        invalid_result=passing is None,
        invalid_reason=None if passing is not None else unjudged_reason(evaluation),
        status=evaluation.status.value,
        triples=[_row(verdict) for verdict in evaluation.verdicts],
        source_ids=[source.id for source in sample.sources],
        evaluation=evaluation,
    )


def failed(
    error: GraphEvalError, query: str | None, response: str | None, contexts: Sequence[str] | None = None
) -> GraphEvalResult:
    """The result of an evaluation that could not be made."""
    where = f"{error.stage} failed: " if error.stage else ""
    reason = f"{error.code}: {where}{error}"
    return GraphEvalResult(
        query=query, response=response, contexts=contexts, invalid_result=True, invalid_reason=reason, feedback=reason
    )


def unjudged_reason(evaluation: Evaluation) -> str:
    """Status, what it means, and the cause."""
    cause = f" ({evaluation.reason.value})" if evaluation.reason else ""
    return f"{evaluation.status.value}: {_UNJUDGED.get(evaluation.status, '')}{cause}"


def feedback(evaluation: Evaluation) -> str:
    """An evaluation in words: a summary, then one line for each claim that is not simply supported."""
    verdicts = evaluation.verdicts
    notable = [verdict for verdict in verdicts if verdict.flagged or verdict.label is not Label.SUPPORTED]
    good = len(verdicts) - len(notable)
    counted = f"{good} of {len(verdicts)} statement{'s' if len(verdicts) != 1 else ''} supported by the sources"
    score = "" if evaluation.groundedness is None else f"; groundedness {evaluation.groundedness:.2f}"
    if evaluation.status in {Status.CONSISTENT, Status.INCONSISTENT}:
        head = f"{evaluation.status.value.capitalize()}: {counted}{score}."
    else:
        head = unjudged_reason(evaluation).capitalize() + (f"; {counted}{score}." if verdicts else ".")
    return "\n".join([head, *map(_line, notable)])


def _line(verdict: Verdict) -> str:
    line = f'- "{verdict.claim.text}": {_WORDS[verdict.label]}'
    if verdict.reason is not None:
        line += f" ({verdict.reason.value})"
    against = next((piece for piece in verdict.evidence if piece.stance is Stance.CONTRADICTS), None)
    return line if against is None else f'{line}: "{_quoted(against.text)}" [{against.source_id}]'


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTE else flat[: _QUOTE - 1] + "…"


def _row(verdict: Verdict) -> dict[str, Any]:
    triple = verdict.claim.triple
    return {
        "subject": triple.subject if triple else None,
        "relation": triple.relation if triple else None,
        "object": triple.object if triple else None,
        "claim": verdict.claim.text,
        "label": verdict.label.value,
        "flagged": verdict.flagged,
        "p_ungrounded": verdict.p_ungrounded,
        "evidence": [_piece(piece) for piece in verdict.evidence],
    }


def _piece(piece: Evidence) -> dict[str, Any]:
    return {
        "node_id": piece.source_id,
        "start": piece.start,
        "end": piece.end,
        "text": piece.text,
        "stance": piece.stance.value,
    }
