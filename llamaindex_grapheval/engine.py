"""`GraphEvalQueryEngine`: any query engine with a guard behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from grapheval import GraphEval
from grapheval.guard import Guard
from llamaindex_grapheval.guarded import Guarded
from llamaindex_grapheval.guarding import PolicyOptions, aguard_response, guard_response


class GraphEvalQueryEngine(Guarded, BaseQueryEngine):
    """Lets a query engine's answers leave only as far as a policy allows; see `grapheval.guard.Guard`.

    Works around every query engine: retriever, router, sub-question, multi-step, structured. The response keeps its
    type, source nodes and metadata; `response.metadata["grapheval"]` holds decision, flagged claims, edits and the
    whole evaluation. A streamed answer leaves sentence by sentence, and that report is there when it ended.

    An answer is judged against its source nodes as LlamaIndex shows them to the LLM. Answers that an LLM gave to
    sub-questions on the way are no source.

    Args:
        query_engine: The engine inside.
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        guard: A ready guard instead of a pipeline and a policy.
        **policy: See `grapheval.guard.Policy`.

    Raises:
        InputError: The policy has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    def __init__(
        self,
        query_engine: BaseQueryEngine,
        pipeline: GraphEval | None = None,
        *,
        guard: Guard | None = None,
        **policy: Unpack[PolicyOptions],
    ) -> None:
        self._engine = query_engine
        self._guard_by(pipeline, guard, **policy)
        super().__init__(query_engine.callback_manager)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"query_engine": self._engine, "grapheval": self._prompts}

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """What the engine inside retrieves."""
        return self._engine.retrieve(query_bundle)

    def synthesize(
        self,
        query_bundle: QueryBundle,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
    ) -> RESPONSE_TYPE:
        """The answer of the engine inside to these nodes, guarded."""
        response = self._engine.synthesize(query_bundle, nodes, additional_source_nodes)
        return guard_response(self.guard, response, query_bundle.query_str)

    async def asynthesize(
        self,
        query_bundle: QueryBundle,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
    ) -> RESPONSE_TYPE:
        """As `synthesize`."""
        response = await self._engine.asynthesize(query_bundle, nodes, additional_source_nodes)
        return await aguard_response(self.guard, response, query_bundle.query_str)

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return guard_response(self.guard, self._engine.query(query_bundle), query_bundle.query_str)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response = await self._engine.aquery(query_bundle)
        return await aguard_response(self.guard, response, query_bundle.query_str)
