"""What the engine and the synthesizer share: a guard whose prompts LlamaIndex can see and change."""

from __future__ import annotations

from typing import Unpack

from grapheval import GraphEval
from grapheval.guard import Guard
from llamaindex_grapheval.guarding import PolicyOptions, make_guard, with_pipeline
from llamaindex_grapheval.prompts import PipelinePrompts


class Guarded:
    """Holds the guard that answers go through."""

    _made_guard: Guard
    _prompts: PipelinePrompts

    def _guard_by(self, pipeline: GraphEval | None, guard: Guard | None, **policy: Unpack[PolicyOptions]) -> None:
        """Take the guard, or make one; see `make_guard`."""
        self._made_guard = make_guard(pipeline, guard, **policy)
        self._prompts = PipelinePrompts(self._made_guard.pipeline)

    @property
    def guard(self) -> Guard:
        """What the answers go through."""
        return with_pipeline(self._made_guard, self._prompts.pipeline)
