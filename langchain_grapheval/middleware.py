"""`GraphEvalMiddleware`: an agent's answer leaves only as far as the policy allows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, NotRequired

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ExtendedModelResponse, PrivateStateAttr
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from grapheval import GraphEval
from grapheval.guard import Cause, Guard, GuardResult
from grapheval.guard.types import BLOCK_MESSAGE, MARK, OnUnjudged, OnUnrepaired
from langchain_grapheval.convert import last_question, to_context, with_text
from langchain_grapheval.quiet import NOSTREAM, quiet
from langchain_grapheval.review import Review, reviewed
from langchain_grapheval.structured import Guarded, aguard_structured, guard_structured

OnFlaggedAgent = Literal["correct", "block", "flag", "raise", "retry", "interrupt"]


def merge(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """Reducer: reports of several instances stand side by side."""
    return {**(old or {}), **(new or {})}


class GraphEvalState(AgentState[Any]):
    """What the middleware adds to an agent's state: plain dictionaries, which every checkpointer can store."""

    grapheval: NotRequired[Annotated[dict[str, Any], merge]]
    grapheval_held: NotRequired[Annotated[dict[str, Any], merge, PrivateStateAttr]]


class GraphEvalMiddleware(AgentMiddleware[GraphEvalState, Any, Any]):
    """Guards the final answer of an agent made with `langchain.agents.create_agent`.

    The context is every tool result of the conversation, earlier turns included: the documents of a tool's artifact
    first, otherwise its text. What people, the system prompt or the model say is no source. Messages with tool calls
    are no answers and pass. A structured response is judged field by field.

    The model's tokens are withheld from `stream_mode="messages"` (but not from callbacks such as
    `astream_events`), so that the guarded message is the only one that is streamed; `flag` lets them stream.
    The report stands in `state["grapheval"][name]` and in the message's `response_metadata["grapheval"]`.

    Args:
        pipeline: Judges and repairs; None = `GraphEval.local()`.
        on_flagged: `correct`, `block`, `flag`, `raise`: see `grapheval.guard.Policy`. `retry` tells the model what is
            not supported and lets it answer again, at most `max_retries` times, then blocks. `interrupt` asks a person
            (see `langchain_grapheval.review`); the agent needs a checkpointer.
        on_unrepaired: See `Policy`.
        on_unjudged: See `Policy`; an answer that makes claims when no tool was called has no context, so it is not
            judged.
        max_retries: How often `retry` asks again.
        block_message: Stands in for what was held back.
        mark: See `Policy`.
        name: Name of this instance; two in one agent need different ones.

    Raises:
        InputError: A policy has no meaning, or `correct` is asked of a pipeline without a corrector.
    """

    state_schema = GraphEvalState

    def __init__(
        self,
        pipeline: GraphEval | None = None,
        *,
        on_flagged: OnFlaggedAgent = "correct",
        on_unrepaired: OnUnrepaired = "drop",
        on_unjudged: OnUnjudged | None = None,
        max_retries: int = 2,
        block_message: str = BLOCK_MESSAGE,
        mark: str = MARK,
        name: str = "GraphEvalMiddleware",
    ) -> None:
        super().__init__()
        self.mode = on_flagged
        self.max_retries = max_retries
        self.block_message = block_message
        self._name = name
        self.guard = Guard(
            pipeline,
            on_flagged="block" if on_flagged in {"retry", "interrupt"} else on_flagged,  # type: ignore[arg-type]
            on_unrepaired=on_unrepaired,
            on_unjudged=on_unjudged,
            block_message=block_message,
            mark=mark,
        )

        # As runs of their own they show in the trace, and what they call inherits their tags.
        self._judge = RunnableLambda(self._run, self._arun, name="GraphEvalGuard")
        self._judge_fields = RunnableLambda(self._run_fields, self._arun_fields, name="GraphEvalGuard")

    @property
    def name(self) -> str:
        """Name of this instance."""
        return self._name

    # ----------------------------------------------------------------------------------------------------- hooks

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ExtendedModelResponse[Any]:
        """Call the model, guard what it answers."""
        request = self._silenced(request)
        context, question = _conversation(request)
        attempt = 0
        while True:
            response = handler(request)
            if response.structured_response is not None:
                found = self._judge_fields.invoke((response, context, question), quiet(None))
                return self._structured(found)
            answer = final_answer(response)
            if answer is None:
                return ExtendedModelResponse(response)
            result = self._judge.invoke((str(answer.text), context, question), quiet(None))
            if not self._retries(result, attempt):
                return self._done(response, answer, result)
            request, attempt = _asked_again(request, answer, result), attempt + 1

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ExtendedModelResponse[Any]:
        """As `wrap_model_call`."""
        request = self._silenced(request)
        context, question = _conversation(request)
        attempt = 0
        while True:
            response = await handler(request)
            if response.structured_response is not None:
                found = await self._judge_fields.ainvoke((response, context, question), quiet(None))
                return self._structured(found)
            answer = final_answer(response)
            if answer is None:
                return ExtendedModelResponse(response)
            result = await self._judge.ainvoke((str(answer.text), context, question), quiet(None))
            if not self._retries(result, attempt):
                return self._done(response, answer, result)
            request, attempt = _asked_again(request, answer, result), attempt + 1

    def after_model(self, state: GraphEvalState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """With `interrupt`, ask a person about an answer that was held back."""
        held = (state.get("grapheval_held") or {}).get(self.name)
        if self.mode != "interrupt" or not held:
            return None
        last = state["messages"][-1]
        text = reviewed(interrupt(Review(**held).request()), held["answer"], self.block_message)
        report = {**held["report"], "review": "blocked" if text == self.block_message else "released"}
        return {
            "messages": [with_text(last, text, report=report)] if isinstance(last, AIMessage) else [],
            "grapheval": {self.name: report},
            "grapheval_held": {self.name: None},
        }

    # ------------------------------------------------------------------------------------------------- internals

    def _silenced(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        if self.guard.policy.passes_through:
            return request
        tags = [*(request.model.tags or []), NOSTREAM]
        return request.override(model=request.model.model_copy(update={"tags": tags}))

    def _run(self, data: tuple[str, Any, str | None]) -> GuardResult:
        return self.guard.run(*data)

    async def _arun(self, data: tuple[str, Any, str | None]) -> GuardResult:
        return await self.guard.arun(*data)

    def _run_fields(self, data: tuple[ModelResponse[Any], Any, str | None]) -> Guarded:
        return guard_structured(self.guard, *data)

    async def _arun_fields(self, data: tuple[ModelResponse[Any], Any, str | None]) -> Guarded:
        return await aguard_structured(self.guard, *data)

    def _retries(self, result: GuardResult, attempt: int) -> bool:
        return self.mode == "retry" and result.cause is Cause.FLAGGED and attempt < self.max_retries

    def _done(self, response: ModelResponse[Any], answer: AIMessage, result: GuardResult) -> ExtendedModelResponse[Any]:
        report = result.summary()
        update: dict[str, Any] = {"grapheval": {self.name: report}}
        if self.mode == "interrupt" and result.blocked:
            update["grapheval_held"] = {self.name: Review(result.original, report).plain()}
        guarded = with_text(answer, result.text, blocked=result.blocked, report=report)
        messages = [guarded if message is answer else message for message in response.result]
        return ExtendedModelResponse(ModelResponse(messages, response.structured_response), Command(update=update))

    def _structured(self, guarded: Guarded) -> ExtendedModelResponse[Any]:
        response, report = guarded
        return ExtendedModelResponse(response, Command(update={"grapheval": {self.name: dict(report)}}))


def _conversation(request: ModelRequest[Any]) -> tuple[Any, str | None]:
    """Every source of the conversation, also those that were trimmed from the request, and the last question."""
    messages = request.state.get("messages") or request.messages
    return to_context(messages), last_question(messages)


def final_answer(response: ModelResponse[Any]) -> AIMessage | None:
    """The model's message if it is an answer: without tool calls."""
    last = response.result[-1] if response.result else None
    return last if isinstance(last, AIMessage) and not last.tool_calls else None


def _asked_again(request: ModelRequest[Any], answer: AIMessage, result: GuardResult) -> ModelRequest[Any]:
    messages: list[AnyMessage] = [*request.messages, answer, HumanMessage(feedback(result))]
    return request.override(messages=messages)


def feedback(result: GuardResult) -> str:
    """What the model is told about an answer that is not supported."""
    lines = [f"- {verdict.claim.text}" for verdict in result.evaluation.flagged]
    return "\n".join(
        [
            "The tool results do not support these statements of your answer:",
            *lines,
            "Answer the question again, using only what the tool results say. If they do not say it, say so.",
        ]
    )
