"""`PROVIDER:MODEL` strings, as the command line takes them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from grapheval.errors import InputError, MissingExtraError, ModelError
from grapheval.protocols import LLM

_LOCAL: Final[Mapping[str, tuple[str, str]]] = {
    "ollama": ("OLLAMA_HOST", "http://localhost:11434"),
    "vllm": ("VLLM_BASE_URL", "http://localhost:8000"),
    "llamacpp": ("LLAMACPP_BASE_URL", "http://localhost:8080"),
    "lmstudio": ("LMSTUDIO_BASE_URL", "http://localhost:1234"),
}
"""Servers that people run themselves: environment variable of the address, address otherwise."""


def from_spec(spec: str, **options: Any) -> LLM:
    """The model that a string names.

    Args:
        spec: `openai:gpt-4o-mini` (any OpenAI-compatible server with `OPENAI_BASE_URL`), `ollama:llama3`,
            `vllm:NAME`, `llamacpp:NAME`, `lmstudio:NAME`; any other string goes to LangChain's `init_chat_model`
            where LangChain is installed (`anthropic:…`, `bedrock_converse:…`).
        **options: Settings of `OpenAICompatible`, or of `init_chat_model`.

    Raises:
        InputError: The string does not name a provider and a model, or the key is missing.
        MissingExtraError: What the provider needs is not installed.
        ModelError: LangChain could not build the model.
    """
    provider, colon, model = spec.partition(":")
    if not (colon and provider.strip() and model.strip()):
        msg = f'name a language model as PROVIDER:MODEL, such as "openai:gpt-4o-mini" or "ollama:llama3", not {spec!r}'
        raise InputError(msg)
    if provider == "openai":
        from grapheval.llm.openai import OpenAICompatible

        return OpenAICompatible(model, **options)
    if provider in _LOCAL:
        from grapheval.llm.openai import OpenAICompatible

        variable, address = _LOCAL[provider]
        options.setdefault("base_url", _address(os.environ.get(variable) or address))
        options.setdefault("api_key", os.environ.get("OPENAI_API_KEY", provider))
        return OpenAICompatible(model, **options)
    return _from_langchain(spec, provider, options)


def _address(value: str) -> str:
    url = value if "://" in value else f"http://{value}"
    url = url.rstrip("/")
    return url if url.endswith("/v1") else f"{url}/v1"


def _from_langchain(spec: str, provider: str, options: Mapping[str, Any]) -> LLM:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        known = ", ".join(["openai", *_LOCAL])
        msg = (
            f"unknown provider {provider!r}: built in are {known}; for LangChain's providers run: "
            'pip install "grapheval[agents]" and the provider\'s own package'
        )
        raise MissingExtraError(msg) from error
    from grapheval.llm.adapters import LangChainLLM

    try:
        return LangChainLLM(init_chat_model(spec, **options))
    except ImportError as error:  # the message names the package to install
        msg = f"{spec}: {error}"
        raise MissingExtraError(msg) from error
    except ValueError as error:
        msg = f"LangChain does not know {spec!r}: {str(error).splitlines()[0][:300]}"
        raise InputError(msg) from error
    except Exception as error:
        msg = f"LangChain could not build {spec!r}: {type(error).__name__}: {str(error)[:300]}"
        raise ModelError(msg) from error
