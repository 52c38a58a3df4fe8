"""GraphEval for LangChain and LangGraph: extractor, evaluator, guard, agent middleware, graph node, tool.

Importing this package loads nothing; a name is loaded on first use, and says what to install if that is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_grapheval.bedrock import bedrock_chat
    from langchain_grapheval.citations import with_citations
    from langchain_grapheval.evaluator import GraphEvaluator
    from langchain_grapheval.extractor import KGExtractor
    from langchain_grapheval.guard import GraphEvalGuard
    from langchain_grapheval.middleware import GraphEvalMiddleware
    from langchain_grapheval.node import GraphEvalNode
    from langchain_grapheval.parser import TripleOutputParser
    from langchain_grapheval.tool import GraphEvalTool

__all__ = [
    "GraphEvalGuard",
    "GraphEvalMiddleware",
    "GraphEvalNode",
    "GraphEvalTool",
    "GraphEvaluator",
    "KGExtractor",
    "TripleOutputParser",
    "bedrock_chat",
    "with_citations",
]

_HOME = {
    "GraphEvalGuard": ("guard", "langchain_core", "langchain"),
    "GraphEvalMiddleware": ("middleware", "langchain.agents", "agents"),
    "GraphEvalNode": ("node", "langgraph", "agents"),
    "GraphEvalTool": ("tool", "langchain_core", "langchain"),
    "GraphEvaluator": ("evaluator", "langchain_core", "langchain"),
    "KGExtractor": ("extractor", "langchain_core", "langchain"),
    "TripleOutputParser": ("parser", "langchain_core", "langchain"),
    "bedrock_chat": ("bedrock", "langchain_aws", "aws"),
    "with_citations": ("citations", "langchain_core", "langchain"),
}
"""Name -> (module, what it needs, the extra that brings that)."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'langchain_grapheval' has no attribute {name!r}"
        raise AttributeError(msg)
    from grapheval.extras import require

    module, needs, extra = _HOME[name]
    require(needs, extra=extra)
    return getattr(import_module(f"langchain_grapheval.{module}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
