"""The central data types: frozen, slotted, typed. Offsets are Python code points, half-open."""

from grapheval.types.claims import Claim, Extraction, Outcome, Rejected, Span, Triple, TripleParts
from grapheval.types.correction import Action, Correction, CorrectionStatus, Edit, Unrepaired, Usage
from grapheval.types.evaluation import Coverage, Evaluation, Failure, Provenance, Status
from grapheval.types.reasons import Reason
from grapheval.types.sample import Sample, Source, to_sources
from grapheval.types.verdict import Evidence, Finding, FindingKind, Label, Stance, Verdict

__all__ = [
    "Action",
    "Claim",
    "Correction",
    "CorrectionStatus",
    "Coverage",
    "Edit",
    "Evaluation",
    "Evidence",
    "Extraction",
    "Failure",
    "Finding",
    "FindingKind",
    "Label",
    "Outcome",
    "Provenance",
    "Reason",
    "Rejected",
    "Sample",
    "Source",
    "Span",
    "Stance",
    "Status",
    "Triple",
    "TripleParts",
    "Unrepaired",
    "Usage",
    "Verdict",
    "to_sources",
]
