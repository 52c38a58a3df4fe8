"""Language models: adapters for what people have, and a client for OpenAI-compatible servers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.llm.adapt import as_llm
    from grapheval.llm.limits import LimitedLLM, Limits
    from grapheval.llm.openai import OpenAICompatible
    from grapheval.llm.spec import from_spec

__all__ = ["LimitedLLM", "Limits", "OpenAICompatible", "as_llm", "from_spec"]

_HOME = {
    "LimitedLLM": "grapheval.llm.limits",
    "Limits": "grapheval.llm.limits",
    "OpenAICompatible": "grapheval.llm.openai",
    "as_llm": "grapheval.llm.adapt",
    "from_spec": "grapheval.llm.spec",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'grapheval.llm' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOME[name]), name)
