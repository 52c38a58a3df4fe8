"""The passages that an answering LLM was shown, kept until its answer is evaluated."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from llama_index.core.schema import NodeWithScore

from grapheval import Source
from llamaindex_grapheval.nodes import to_sources


class SeenContexts:
    """Passages by question: written by `GraphEvalNodePostprocessor`, read by `GraphEvalEvaluator`.

    Where the same question is asked again, the later passages count. Can be shared by threads.

    Args:
        limit: How many questions are kept; the oldest go first.
    """

    def __init__(self, limit: int = 1000) -> None:
        self._limit = limit
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[Source, ...]] = OrderedDict()

    def record(self, query: str, nodes: Iterable[NodeWithScore]) -> None:
        """Keep the nodes' text as it is now, with the metadata that the LLM sees."""
        sources = tuple(to_sources(list(nodes)))
        with self._lock:
            self._kept[query] = sources
            self._kept.move_to_end(query)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)

    def of(self, query: str | None) -> tuple[Source, ...] | None:
        """What was kept for a question; None if nothing was."""
        with self._lock:
            return None if query is None else self._kept.get(query)

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)
