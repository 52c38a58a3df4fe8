"""GraphEval: find hallucinations in RAG answers triple by triple, see the evidence, repair only what is wrong.

Method: Sansford et al., arXiv 2407.10793. Importing this package loads no framework and no model.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.errors import (
        BudgetExceeded,
        ExtractionError,
        GraphEvalError,
        InputError,
        MissingExtraError,
        ModelError,
    )
    from grapheval.extraction.parser import parse_triples
    from grapheval.pipeline import GraphEval
    from grapheval.types import (
        Action,
        Claim,
        Correction,
        CorrectionStatus,
        Coverage,
        Edit,
        Evaluation,
        Evidence,
        Extraction,
        Failure,
        Label,
        Outcome,
        Provenance,
        Reason,
        Sample,
        Source,
        Span,
        Stance,
        Status,
        Triple,
        Verdict,
    )

__version__ = "0.1.0"

__all__ = [
    "Action",
    "BudgetExceeded",
    "Claim",
    "Correction",
    "CorrectionStatus",
    "Coverage",
    "Edit",
    "Evaluation",
    "Evidence",
    "Extraction",
    "ExtractionError",
    "Failure",
    "GraphEval",
    "GraphEvalError",
    "InputError",
    "Label",
    "MissingExtraError",
    "ModelError",
    "Outcome",
    "Provenance",
    "Reason",
    "Sample",
    "Source",
    "Span",
    "Stance",
    "Status",
    "Triple",
    "Verdict",
    "__version__",
    "parse_triples",
]

_HOME = {"GraphEval": "grapheval.pipeline", "parse_triples": "grapheval.extraction.parser"}
"""Where a name lives, if not among the types or the errors."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        msg = f"module 'grapheval' has no attribute {name!r}"
        raise AttributeError(msg)
    home = _HOME.get(name) or ("grapheval.errors" if name.endswith(("Error", "Exceeded")) else "grapheval.types")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
