"""Repair of flagged claims: from the evidence, by GraphCorrect or the direct prompt; the loop that all share."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.correction.direct import DirectPrompt
    from grapheval.correction.evidence import EvidenceCorrector
    from grapheval.correction.graphcorrect import GraphCorrect

__all__ = ["DirectPrompt", "EvidenceCorrector", "GraphCorrect"]

_HOME = {
    "DirectPrompt": "grapheval.correction.direct",
    "EvidenceCorrector": "grapheval.correction.evidence",
    "GraphCorrect": "grapheval.correction.graphcorrect",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'grapheval.correction' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOME[name]), name)
