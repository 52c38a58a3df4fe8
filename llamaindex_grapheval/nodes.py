"""LlamaIndex's nodes as the core's sources: with the text that the answering LLM was shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore

from grapheval import InputError, Source

ContextsLike = Any
"""None, a string, a node (with or without score), a `Source`, or an iterable of these."""

_GENERATED = re.compile(r"\s*(?:Sub question|Question): .*?\n(?:Response|Answer): ", re.DOTALL)


def to_sources(contexts: ContextsLike, mode: MetadataMode = MetadataMode.LLM) -> list[Source]:
    """Passages as sources.

    Args:
        contexts: None, a string, a node (with or without score), a `Source`, or an iterable of these.
        mode: Which metadata belongs to a node's text. `LLM` is what LlamaIndex puts into its prompts.

    Returns:
        One source per passage, its id the node's; a node without text is an empty source.

    Raises:
        InputError: Something in it is none of these.
    """
    if contexts is None:
        return []
    if isinstance(contexts, str | Source | BaseNode | NodeWithScore):
        return [_source(contexts, mode)]
    if not isinstance(contexts, Iterable):
        msg = f"contexts must be strings or nodes, not {type(contexts).__name__}"
        raise InputError(msg)
    return [_source(item, mode) for item in contexts]


def _source(item: Any, mode: MetadataMode) -> Source:
    if isinstance(item, Source):
        return item
    if item is None or isinstance(item, str):
        return Source(item or "")
    node = item.node if isinstance(item, NodeWithScore) else item
    if not isinstance(node, BaseNode):
        msg = f"a context must be a string or a node, not {type(node).__name__}"
        raise InputError(msg)
    return Source(node.get_content(metadata_mode=mode) or "", node.node_id, dict(node.metadata))


def is_generated(item: NodeWithScore) -> bool:
    """Whether a node holds an answer that an LLM gave on the way.

    Sub-question and multi-step engines pass such nodes on to the last prompt; they are no source: an invented partial
    answer must not support the final one.
    """
    node = item.node
    bare = not node.metadata and not node.relationships and item.score is None
    return bare and _GENERATED.match(node.get_content()) is not None


def given_nodes(nodes: Iterable[NodeWithScore]) -> list[NodeWithScore]:
    """The nodes that were retrieved, each id once, without generated ones."""
    found: dict[str, NodeWithScore] = {}
    for item in nodes:
        if not is_generated(item):
            found.setdefault(item.node.node_id, item)
    return list(found.values())


def tool_sources(outputs: Sequence[Any]) -> list[Source]:
    """What tools returned, as sources: the nodes behind a query engine's answer, otherwise the text.

    Args:
        outputs: `ToolOutput`s; those of tools that failed are left out.
    """
    sources: list[Source] = []
    for number, output in enumerate(outputs, start=1):
        if getattr(output, "is_error", False):
            continue
        raw = getattr(output, "raw_output", None)
        nodes = getattr(raw, "source_nodes", None)
        if nodes is None and isinstance(raw, list) and raw and all(isinstance(item, NodeWithScore) for item in raw):
            nodes = raw
        if nodes is not None:
            sources += to_sources(given_nodes(nodes))
        elif text := (output.content or "").strip():
            sources.append(Source(text, f"{output.tool_name}-{number}", {"tool": output.tool_name}))
    return sources
