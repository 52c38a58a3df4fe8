"""GraphEval for LlamaIndex: evaluator, node postprocessor, guards for engines, agents and workflows, shadow mode.

Importing this package loads nothing; a name is loaded on first use, and says what to install if that is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llamaindex_grapheval.agents import run_guarded
    from llamaindex_grapheval.chat import GraphEvalChatEngine
    from llamaindex_grapheval.engine import GraphEvalQueryEngine
    from llamaindex_grapheval.evaluator import GraphEvalEvaluator
    from llamaindex_grapheval.events import GraphEvalEvaluationEvent, GraphEvalGuardEvent
    from llamaindex_grapheval.langchain_chat import LlamaIndexChatModel
    from llamaindex_grapheval.llms import LangChainLLM
    from llamaindex_grapheval.postprocessor import GraphEvalNodePostprocessor
    from llamaindex_grapheval.result import GraphEvalResult
    from llamaindex_grapheval.seen import SeenContexts
    from llamaindex_grapheval.shadow import GraphEvalShadow
    from llamaindex_grapheval.synthesizer import GraphEvalSynthesizer
    from llamaindex_grapheval.workflow import AnswerEvent, GuardedAnswerEvent, GuardedWorkflow

__all__ = [
    "AnswerEvent",
    "GraphEvalChatEngine",
    "GraphEvalEvaluationEvent",
    "GraphEvalEvaluator",
    "GraphEvalGuardEvent",
    "GraphEvalNodePostprocessor",
    "GraphEvalQueryEngine",
    "GraphEvalResult",
    "GraphEvalShadow",
    "GraphEvalSynthesizer",
    "GuardedAnswerEvent",
    "GuardedWorkflow",
    "LangChainLLM",
    "LlamaIndexChatModel",
    "SeenContexts",
    "run_guarded",
]

_HOME = {
    "AnswerEvent": "workflow",
    "GraphEvalChatEngine": "chat",
    "GraphEvalEvaluationEvent": "events",
    "GraphEvalEvaluator": "evaluator",
    "GraphEvalGuardEvent": "events",
    "GraphEvalNodePostprocessor": "postprocessor",
    "GraphEvalQueryEngine": "engine",
    "GraphEvalResult": "result",
    "GraphEvalShadow": "shadow",
    "GraphEvalSynthesizer": "synthesizer",
    "GuardedAnswerEvent": "workflow",
    "GuardedWorkflow": "workflow",
    "LangChainLLM": "llms",
    "LlamaIndexChatModel": "langchain_chat",
    "SeenContexts": "seen",
    "run_guarded": "agents",
}
"""Name -> module."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'llamaindex_grapheval' has no attribute {name!r}"
        raise AttributeError(msg)
    from grapheval.extras import require

    require("llama_index.core", extra="llamaindex")
    if name == "LlamaIndexChatModel":
        require("langchain_core", extra="langchain")
    return getattr(import_module(f"llamaindex_grapheval.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
