"""The service's calls for agents that speak the Model Context Protocol. Extra `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.mcp.server import create_server as create_server

__all__ = ["create_server"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    from grapheval.extras import require

    if name == "create_server":
        require("mcp.server", extra="mcp")
        return import_module("grapheval.mcp.server").create_server
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
