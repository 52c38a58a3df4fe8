"""The offline extractor (extra `local`): `LocalExtractor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.extraction.local.extractor import LocalExtractor

__all__ = ["LocalExtractor"]


def __getattr__(name: str) -> Any:
    if name == "LocalExtractor":
        from grapheval.extraction.local.extractor import LocalExtractor

        return LocalExtractor
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
