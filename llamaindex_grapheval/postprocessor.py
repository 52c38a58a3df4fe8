"""`GraphEvalNodePostprocessor`: work on retrieved nodes, before an answer is made from them and after."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from pydantic import Field, PrivateAttr

from grapheval import Evaluation, GraphEval, InputError
from llamaindex_grapheval.annotate import KEY, Note, annotated, node_notes
from llamaindex_grapheval.nodes import given_nodes, to_sources
from llamaindex_grapheval.passages import Trust, conflicts, duplicate_of, trust_of
from llamaindex_grapheval.reading import aread, read
from llamaindex_grapheval.seen import SeenContexts

logger = logging.getLogger(__name__)


class GraphEvalNodePostprocessor(BaseNodePostprocessor):
    """Marks nodes, and drops or re-ranks them if asked to.

    **Before the answer** (`node_postprocessors=[...]`): no answer is known, so nothing can be said about its
    grounding. What is known is what the passages say about each other: near-duplicates, and passages that contradict
    each other. `seen` keeps the exact nodes that go on to the LLM, for the evaluator.

    **After the answer** (`annotate(nodes, answer)`, `annotate_response(response)`, or `answer=` set): which claims of
    the answer each node supports or contradicts, and how much of the answer rests on it.

    What is found stands in `node.metadata["grapheval"]` of copies, hidden from LLMs and embeddings. Nodes that could
    not be judged are never dropped.

    Args:
        pipeline: Judges; None = `GraphEval.local()`.
        duplicates: `keep` does not look for near-duplicates, `mark` notes `duplicate_of`, `drop` leaves them out.
        similarity: From which share of common words on, in order, passages count as duplicates; two that differ in a
            number, a name or a negation never do.
        conflicts: `keep` does not look for contradictions, `mark` notes `conflicts` on both sides, `drop` leaves out
            passages that contradict a trusted one (which then must be described with `trusted`).
        least_contradiction: From which probability of contradiction on two sentences conflict.
        least_overlap: Which share of a sentence's words, by weight, a passage must hold to contradict it.
        trusted: Which nodes are trusted: a function of a node, or values by metadata key, `{"source": "handbook"}`.
        answer: Makes `postprocess_nodes` do what `annotate` does.
        action: After an answer: `keep` the nodes as they are, `rerank` them (most supporting first), or `drop` those
            below `min_groundedness`.
        min_groundedness: See `action`; a node's groundedness is the mean probability, over the answer's claims, that
            it alone supports them.
        seen: Where the nodes that go on are kept.

    Raises:
        InputError: `conflicts="drop"` without `trusted`.
    """

    pipeline: Any = Field(default=None, exclude=True)
    duplicates: Literal["keep", "mark", "drop"] = "mark"
    similarity: float = Field(default=0.9, ge=0, le=1)
    conflicts: Literal["keep", "mark", "drop"] = "mark"
    least_contradiction: float = Field(default=0.7, ge=0, le=1)
    least_overlap: float = Field(default=0.55, ge=0, le=1)
    trusted: Any = Field(default=None, exclude=True)
    answer: str | None = None
    action: Literal["keep", "rerank", "drop"] = "keep"
    min_groundedness: float = Field(default=0.1, ge=0, le=1)
    seen: Any = Field(default=None, exclude=True)
    _pipeline: GraphEval = PrivateAttr()
    _trust: Trust | None = PrivateAttr()

    def __init__(
        self,
        pipeline: GraphEval | None = None,
        *,
        trusted: Trust | Mapping[str, Any] | None = None,
        seen: SeenContexts | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**{"pipeline": pipeline, "trusted": trusted, "seen": seen, **settings})
        if self.conflicts == "drop" and trusted is None:
            msg = 'conflicts="drop" needs trusted=...: of two passages that contradict each other, which one stays?'
            raise InputError(msg)
        self._pipeline = pipeline if pipeline is not None else GraphEval.local()
        self._trust = trust_of(trusted)

    @classmethod
    def class_name(cls) -> str:
        """Name in serialized pipelines."""
        return "GraphEvalNodePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        query = query_bundle.query_str if query_bundle is not None else None
        if self.answer is not None:
            return self.annotate(nodes, self.answer, query)
        kept = self._before(nodes)
        if self.seen is not None and query is not None:
            self.seen.record(query, kept)
        return kept

    # ---------------------------------------------------------------------------------------------------- after answer

    def annotate(
        self,
        nodes: Sequence[NodeWithScore],
        answer: str,
        query: str | None = None,
        evaluation: Evaluation | None = None,
    ) -> list[NodeWithScore]:
        """Say of each node what it means for an answer.

        Args:
            nodes: The answer's source nodes.
            answer: Its text.
            query: What was asked.
            evaluation: The answer's evaluation against these nodes, if it is there already.

        Returns:
            Copies, with `supports`, `contradicts` and `groundedness` in `metadata["grapheval"]`, as `action` says.

        Raises:
            GraphEvalError: The answer could not be judged.
        """
        if not nodes:
            return []
        if evaluation is None:
            evaluation = self._pipeline.evaluate(answer, to_sources(list(nodes)), query)
        notes = node_notes(self._pipeline, nodes, answer, query, evaluation)
        return self._acted([annotated(item, note) for item, note in zip(nodes, notes, strict=True)])

    async def aannotate(
        self,
        nodes: Sequence[NodeWithScore],
        answer: str,
        query: str | None = None,
        evaluation: Evaluation | None = None,
    ) -> list[NodeWithScore]:
        """As `annotate`, without blocking the event loop."""
        import asyncio

        return await asyncio.to_thread(self.annotate, nodes, answer, query, evaluation)

    def annotate_response(self, response: Any, query: str | None = None) -> list[NodeWithScore]:
        """As `annotate`, for a response of a query or chat engine; a stream can be read again afterwards."""
        answered = read(response)
        return self.annotate(given_nodes(answered.nodes), answered.text or "", query)

    async def aannotate_response(self, response: Any, query: str | None = None) -> list[NodeWithScore]:
        """As `annotate_response`, without blocking the event loop."""
        answered = await aread(response)
        return await self.aannotate(given_nodes(answered.nodes), answered.text or "", query)

    def _acted(self, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        def grounded(item: NodeWithScore) -> float | None:
            score: float | None = item.node.metadata[KEY]["groundedness"]
            return score

        if self.action == "rerank":
            return sorted(nodes, key=lambda item: -(grounded(item) or 0.0))
        if self.action == "drop":
            return [
                item
                for item in nodes
                if (score := grounded(item)) is None
                or score >= self.min_groundedness
                or item.node.metadata[KEY]["supports"]
            ]
        return nodes

    # --------------------------------------------------------------------------------------------------- before answer

    def _before(self, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        texts = [item for item in nodes if item.node.get_content().strip()]
        notes: dict[int, Note] = {id(item): {} for item in texts}
        gone: set[int] = set()
        if self.duplicates != "keep":
            for one, other in duplicate_of(texts, self._trust, self.similarity).items():
                notes[id(texts[one])]["duplicate_of"] = texts[other].node.node_id
                if self.duplicates == "drop":
                    gone.add(id(texts[one]))
        left = [item for item in texts if id(item) not in gone]
        if self.conflicts != "keep" and len(left) > 1:
            gone |= self._conflicting(left, notes)
        return [
            annotated(item, note) if (note := notes.get(id(item))) else item for item in nodes if id(item) not in gone
        ]

    def _conflicting(self, nodes: list[NodeWithScore], notes: dict[int, Note]) -> set[int]:
        """Note conflicts; returns the nodes to leave out."""
        found, failed = conflicts(self._pipeline, nodes, self.least_contradiction, self.least_overlap)
        trusted = {item.node.node_id for item in nodes if self._trust is not None and self._trust(item.node)}
        gone = set()
        for item, own, failure in zip(nodes, found, failed, strict=True):
            if failure is not None:
                logger.warning("a passage was not compared with the others: %s", failure.message)
                notes[id(item)]["reason"] = f"{failure.code}: {failure.message}"
            if own:
                notes[id(item)]["conflicts"] = own
            against_trusted = item.node.node_id not in trusted and any(note["node_id"] in trusted for note in own)
            if self.conflicts == "drop" and against_trusted:
                gone.add(id(item))
        return gone
