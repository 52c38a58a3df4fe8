"""Repair from the evidence alone, without an LLM: `EvidenceCorrector`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.correction.evidence.corrector import EvidenceCorrector

__all__ = ["EvidenceCorrector"]


def __getattr__(name: str) -> Any:
    if name == "EvidenceCorrector":
        from grapheval.correction.evidence.corrector import EvidenceCorrector

        return EvidenceCorrector
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
