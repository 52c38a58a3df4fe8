"""Models inside a guard must not stream into a graph's `stream_mode="messages"`: their replies are no answers."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs

NOSTREAM = "nostream"
"""LangGraph's tag for models whose tokens are not streamed; runs inside inherit it."""


def quiet(config: RunnableConfig | None) -> RunnableConfig:
    """The config with that tag."""
    return merge_configs(config, {"tags": [NOSTREAM]})
