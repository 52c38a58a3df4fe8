"""A guard for agents: the last answer is judged against what the tools returned."""

from __future__ import annotations

from typing import Any

from llama_index.core.agent.workflow import AgentOutput, ToolCallResult
from llama_index.core.base.llms.types import TextBlock

from grapheval.guard import Decision, Guard
from grapheval.guard.fields import aguard_fields
from llamaindex_grapheval.guarding import KEY, report_of
from llamaindex_grapheval.nodes import ContextsLike, to_sources, tool_sources


async def run_guarded(
    agent: Any, user_msg: str, *, guard: Guard, contexts: ContextsLike = None, **kwargs: Any
) -> AgentOutput:
    """Run an agent, and guard its answer before anybody sees it.

    The sources are the results of its tools: the source nodes behind the answer of a query engine tool, otherwise the
    tool's text. What an LLM said on the way is no source. No token of the answer leaves before it passed.

    Args:
        agent: A `FunctionAgent`, `ReActAgent`, `CodeActAgent` or `AgentWorkflow`.
        user_msg: What the user says.
        guard: What the answer goes through.
        contexts: More sources: those of earlier turns.
        **kwargs: More arguments of `agent.run`: `ctx`, `memory`, `chat_history`, `max_iterations`, …

    Returns:
        The agent's output; its message holds what left, and the report in `additional_kwargs["grapheval"]`.

    Raises:
        GuardError: With `on_flagged="raise"`, the answer was refused.
    """
    handler = agent.run(user_msg=user_msg, **kwargs)
    outputs = [event.tool_output async for event in handler.stream_events() if isinstance(event, ToolCallResult)]
    output: AgentOutput = await handler
    sources = [*to_sources(contexts), *tool_sources(outputs)]
    result = await guard.arun(output.response.content or "", sources, user_msg)
    message = output.response.model_copy(deep=True)
    if result.text != (output.response.content or ""):
        message.blocks = [TextBlock(text=result.text)]
    message.additional_kwargs = {**message.additional_kwargs, KEY: report_of(result, user_msg)}
    guarded = output.model_copy(update={"response": message})
    if output.structured_response is not None:
        fields = await aguard_fields(guard, output.structured_response, sources, user_msg)
        guarded.structured_response = None if fields.decision is Decision.BLOCKED else fields.data
    return guarded
