"""A small HTTP service over one pipeline: `/check`, `/correct`, `/health`, and a page to try it. Extra `serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.serve.app import create_app as create_app
    from grapheval.serve.calls import Limits as Limits

__all__ = ["Limits", "create_app"]

_HOME = {"create_app": "grapheval.serve.app", "Limits": "grapheval.serve.calls"}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    from grapheval.extras import require

    if name == "create_app":
        require("fastapi", extra="serve")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
