"""A guard as a step of LlamaIndex's workflows."""

from __future__ import annotations

from typing import Any

from llama_index.core.schema import NodeWithScore
from llama_index.core.workflow import Event, Workflow, step
from pydantic import Field

from grapheval import GraphEval
from grapheval.guard import Guard
from llamaindex_grapheval.guarding import make_guard, report_of
from llamaindex_grapheval.nodes import given_nodes, to_sources


class AnswerEvent(Event):
    """An answer that is to be guarded.

    Args:
        answer: Its text.
        nodes: The nodes that it must be grounded in.
        passages: Passages without a node, beside or instead of them.
        question: What was asked.
    """

    answer: str
    nodes: list[NodeWithScore] = Field(default_factory=list)
    passages: list[str] = Field(default_factory=list)
    question: str | None = None


class GuardedAnswerEvent(Event):
    """What left of an answer.

    Args:
        text: What left.
        decision: What became of the answer: `passed`, `corrected`, `flagged`, `unjudged`, `blocked`.
        report: What was found; the whole evaluation under `evaluation`.
        answer: The event that came in.
    """

    text: str
    decision: str
    report: dict[str, Any]
    answer: AnswerEvent


class GuardedWorkflow(Workflow):
    """A workflow with a step that takes an `AnswerEvent` and gives a `GuardedAnswerEvent`.

    Inherit from it, return an `AnswerEvent` where the answer is made, and go on from the `GuardedAnswerEvent`.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        guard: A ready guard instead of a pipeline.
        policy: Settings of `grapheval.guard.Policy` by name.
        **settings: Those of `Workflow`: `timeout`, `verbose`, …

    Raises:
        InputError: The policy has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    def __init__(
        self,
        pipeline: GraphEval | None = None,
        *,
        guard: Guard | None = None,
        policy: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.guard = make_guard(pipeline, guard, **(policy or {}))

    @step
    async def grapheval_guard(self, ev: AnswerEvent) -> GuardedAnswerEvent:
        """Guard an answer; with `on_flagged="raise"`, the workflow fails with a `GuardError`."""
        sources = [*to_sources(given_nodes(ev.nodes)), *to_sources(ev.passages)]
        result = await self.guard.arun(ev.answer, sources, ev.question)
        report = report_of(result, ev.question)
        return GuardedAnswerEvent(text=result.text, decision=result.decision.value, report=report, answer=ev)
