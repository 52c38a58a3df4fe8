"""Many machines: evaluations on Ray. Needs the extra `ray`.

`evaluate_dataset` runs on Ray Data, for data sets that live in the cluster's storage; `process` is the engine behind
`grapheval batch --engine ray`, for one file of lines.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.ray.dataset import evaluate_dataset
    from grapheval.ray.engine import process
    from grapheval.ray.session import session

__all__ = ["evaluate_dataset", "process", "session"]

_HOME = {
    "evaluate_dataset": "grapheval.ray.dataset",
    "process": "grapheval.ray.engine",
    "session": "grapheval.ray.session",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'grapheval.ray' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOME[name]), name)
