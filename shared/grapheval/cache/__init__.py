"""Results that are kept on disk, so that the same claim is not judged twice and no LLM is paid twice."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.cache.stages import cached
    from grapheval.cache.store import ResultCache, default_cache_file

__all__ = ["ResultCache", "cached", "default_cache_file"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        msg = f"module 'grapheval.cache' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"grapheval.cache.{'stages' if name == 'cached' else 'store'}"), name)
