"""Published NLI models through torch and transformers (extra `hf`), loaded natively: never with remote code."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.verification.hf.verifier import HFVerifier

__all__ = ["HFVerifier"]


def __getattr__(name: str) -> Any:
    if name == "HFVerifier":
        return import_module("grapheval.verification.hf.verifier").HFVerifier
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
