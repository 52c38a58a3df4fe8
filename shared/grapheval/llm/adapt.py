"""Turns what people have into an `LLM`: functions, LangChain and LlamaIndex models, `PROVIDER:MODEL` strings."""

from __future__ import annotations

import inspect
from typing import Any

from grapheval.errors import InputError
from grapheval.protocols import LLM


def as_llm(llm: LLM | Any) -> LLM:
    """Adapt a language model.

    Args:
        llm: An `LLM`; a LangChain chat model, LLM or runnable that takes messages; a LlamaIndex LLM; a function, plain
            or asynchronous, from a prompt to a reply; or a string for `from_spec`.

    Raises:
        InputError: It is none of these.
    """
    from grapheval.llm import adapters

    if isinstance(llm, str):
        from grapheval.llm.spec import from_spec

        return from_spec(llm)
    if isinstance(llm, type):
        msg = f"pass a model, not the class {llm.__name__}"
        raise InputError(msg)
    if hasattr(llm, "achat") and hasattr(llm, "chat") and hasattr(llm, "metadata"):
        return adapters.LlamaIndexLLM(llm)
    if hasattr(llm, "ainvoke") and hasattr(llm, "invoke"):
        return adapters.LangChainLLM(llm)
    if isinstance(llm, LLM):
        return llm
    if inspect.iscoroutinefunction(llm) or inspect.iscoroutinefunction(getattr(llm, "__call__", None)):  # noqa: B004
        return adapters.AsyncCallableLLM(llm)
    if callable(llm):
        return adapters.CallableLLM(llm)
    msg = (
        f"cannot use {type(llm).__name__} as a language model: pass a function from prompt to reply, a LangChain or "
        'LlamaIndex model, or a string such as "openai:gpt-4o-mini"'
    )
    raise InputError(msg)
