"""Claims and edits as a pandas table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grapheval.extras import require
from grapheval.types import Correction, Evaluation, Span

if TYPE_CHECKING:
    import pandas as pd

CLAIMS = (
    "claim", "subject", "relation", "object", "label", "flagged", "p_ungrounded", "entailment", "neutral",
    "contradiction", "start", "end", "text", "source", "passage", "stance", "findings", "reason",
)  # fmt: skip
EDITS = ("start", "end", "old", "new", "action", "claim", "source", "passage", "repaired", "reason")


def to_dataframe(result: Evaluation | Correction) -> pd.DataFrame:
    """One row per claim of an evaluation, one row per edit (and per flagged claim left as it is) of a correction.

    Numbers are the claims' numbers; `text` is the claim's place in the answer; `source`, `passage` and `stance` are of
    the strongest deciding passage; `findings` are sentences, joined by semicolons. What there is not is None, or NaN in
    columns of numbers.

    Raises:
        MissingExtraError: pandas is not installed (extra "notebook").
    """
    pandas = require("pandas", extra="notebook")
    if isinstance(result, Correction):
        frame: pd.DataFrame = pandas.DataFrame(_edits(result), columns=list(EDITS))
        return frame.astype({"start": "Int64", "end": "Int64"})
    frame = pandas.DataFrame(_claims(result), columns=list(CLAIMS))
    frame = frame.astype({"start": "Int64", "end": "Int64", "p_ungrounded": float, "flagged": bool})
    return frame.set_index(pandas.RangeIndex(1, len(frame) + 1, name="number"))


def _claims(evaluation: Evaluation) -> list[dict[str, Any]]:
    rows = []
    for verdict in evaluation.verdicts:
        claim, triple = verdict.claim, verdict.claim.triple
        span: Span | None = claim.span
        probabilities = verdict.probabilities or (None, None, None)
        evidence = verdict.evidence[0] if verdict.evidence else None
        rows.append(
            {
                "claim": claim.text,
                "subject": triple and triple.subject,
                "relation": triple and triple.relation,
                "object": triple and triple.object,
                "label": verdict.label.value,
                "flagged": verdict.flagged,
                "p_ungrounded": verdict.p_ungrounded,
                **dict(zip(("entailment", "neutral", "contradiction"), probabilities, strict=True)),
                "start": span and span.start,
                "end": span and span.end,
                "text": span.of(evaluation.answer) if span and evaluation.answer is not None else None,
                "source": evidence and evidence.source_id,
                "passage": evidence and evidence.text,
                "stance": evidence and evidence.stance.value,
                "findings": "; ".join(finding.text for finding in verdict.findings) or None,
                "reason": verdict.reason and verdict.reason.value,
            }
        )
    return rows


def _edits(correction: Correction) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for edit in correction.edits:
        evidence = edit.evidence[0] if edit.evidence else None
        rows.append(
            {
                "start": edit.start,
                "end": edit.end,
                "old": edit.old,
                "new": edit.new,
                "action": edit.action.value,
                "claim": edit.claim.text,
                "source": evidence and evidence.source_id,
                "passage": evidence and evidence.text,
                "repaired": True,
            }
        )
    for left in correction.unrepaired:
        span = left.claim.span
        place = {"start": span and span.start, "end": span and span.end}
        rows.append(place | {"claim": left.claim.text, "repaired": False, "reason": left.reason})
    return rows
