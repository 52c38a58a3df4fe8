"""`GraphEvalNode`: a guard as a node of a LangGraph graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from langgraph.types import Command, interrupt
from pydantic import ConfigDict, PrivateAttr

from grapheval import GraphEval, InputError, Sample
from grapheval.guard import Guard, GuardResult
from grapheval.guard.types import BLOCK_MESSAGE, MARK, OnUnjudged, OnUnrepaired
from langchain_grapheval.convert import answer_text, find_question, last_question, to_context, with_text
from langchain_grapheval.quiet import quiet
from langchain_grapheval.review import Review, reviewed


class GraphEvalNode(RunnableSerializable[dict[str, Any], Any]):
    """Guards the answer in a graph's state: `graph.add_node("guard", GraphEvalNode(...))`.

    The answer is `state["answer"]` (string or message) where the state has one, otherwise the last message if it is a
    model's and calls no tool. The context is `state["context"]` where there is one, together with the tool results
    among `state["messages"]`. The node writes the answer back to where it stood (a message with its id, so that
    the `add_messages` reducer replaces it), and the report to `state["grapheval"]`, a plain dictionary.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        on_flagged: `correct`, `block`, `flag`, `raise`: see `grapheval.guard.Policy`; `interrupt` asks a person
            (see `langchain_grapheval.review`), for which the graph needs a checkpointer.
        on_unrepaired: See `Policy`.
        on_unjudged: See `Policy`.
        block_message: See `Policy`.
        mark: See `Policy`.
        goto: Next node by decision (`passed`, `corrected`, `flagged`, `unjudged`, `blocked`), for example
            `{"blocked": "retrieve_more"}`; pass `destinations` to `add_node` then. For other decisions, and without it,
            the graph's edges decide.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    pipeline: GraphEval | None = None
    on_flagged: Literal["correct", "block", "flag", "raise", "interrupt"] = "correct"
    on_unrepaired: OnUnrepaired = "drop"
    on_unjudged: OnUnjudged | None = None
    block_message: str = BLOCK_MESSAGE
    mark: str = MARK
    goto: dict[str, str] | None = None
    _guard: Guard = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Build the guard."""
        super().model_post_init(context)
        self._guard = Guard(
            self.pipeline,
            on_flagged="block" if self.on_flagged == "interrupt" else self.on_flagged,
            on_unrepaired=self.on_unrepaired,
            on_unjudged=self.on_unjudged,
            block_message=self.block_message,
            mark=self.mark,
        )

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Guard the answer of a state.

        Raises:
            InputError: The state holds no answer, or a value cannot be used.
            GuardError: With `on_flagged="raise"`, the answer was refused.
        """

        def run(state: dict[str, Any]) -> Any:
            return self._done(state, self._guard.run(_sample(state)))

        return self._call_with_config(run, input, quiet(config), run_type="chain")

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """As `invoke`."""

        async def run(state: dict[str, Any]) -> Any:
            return self._done(state, await self._guard.arun(_sample(state)))

        return await self._acall_with_config(run, input, quiet(config), run_type="chain")

    def _done(self, state: Mapping[str, Any], result: GuardResult) -> Any:
        report, text, blocked = result.summary(), result.text, result.blocked
        if self.on_flagged == "interrupt" and blocked:
            decision = interrupt(Review(result.original, report).request())
            text = reviewed(decision, result.original, self.block_message)
            blocked = text == self.block_message
            report |= {"review": "blocked" if blocked else "released"}
        answer = state["answer"] if "answer" in state else state["messages"][-1]
        new = text if isinstance(answer, str) else with_text(answer, text, blocked=blocked, report=report)
        update: dict[str, Any] = {"grapheval": report}
        update |= {"answer": new} if "answer" in state else {"messages": [new]}
        target = (self.goto or {}).get(result.decision.value)
        return update if target is None else Command(update=update, goto=target)


def _sample(state: Mapping[str, Any]) -> Sample:
    if not isinstance(state, Mapping):
        msg = f"the state must be a dictionary (a TypedDict schema), not {type(state).__name__}"
        raise InputError(msg)
    messages = list(state.get("messages") or [])
    if "answer" in state:
        answer: Any = state["answer"]
    elif messages and isinstance(messages[-1], AIMessage) and not messages[-1].tool_calls:
        answer = messages[-1]
    else:
        msg = "the state has no 'answer', and its last message is no answer of a model"
        raise InputError(msg)
    context = [*to_context(state.get("context")), *to_context(messages)]
    return Sample(answer_text(answer), context, find_question(state, None) or last_question(messages))
