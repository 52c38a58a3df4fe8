"""What a person looks at: the HTML report, the graph, the views of a notebook. Importing this loads nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.report.page import render as render

__all__ = ["render"]

_WHERE = {"render": "grapheval.report.page"}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
