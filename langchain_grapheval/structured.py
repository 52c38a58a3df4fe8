"""A guard for an agent's structured response: its string fields are judged, and the messages that repeat it follow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain.agents.middleware import ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from pydantic import TypeAdapter

from grapheval.guard import Decision, Guard
from grapheval.guard.fields import FieldsResult, aguard_fields, guard_fields
from langchain_grapheval.convert import with_text

Guarded = tuple[ModelResponse[Any], Mapping[str, Any]]


def guard_structured(guard: Guard, response: ModelResponse[Any], context: Any, question: str | None) -> Guarded:
    """Guard the fields of a structured response.

    Returns:
        The response, and a report: the decision, and the report of each field that did not pass as it was. A blocked
        response is gone: the answer is the block message, without a structured response.
    """
    return _applied(guard, response, guard_fields(guard, response.structured_response, context, question))


async def aguard_structured(guard: Guard, response: ModelResponse[Any], context: Any, question: str | None) -> Guarded:
    """As `guard_structured`."""
    return _applied(guard, response, await aguard_fields(guard, response.structured_response, context, question))


def _applied(guard: Guard, response: ModelResponse[Any], found: FieldsResult) -> Guarded:
    report: dict[str, Any] = {
        "decision": found.decision.value,
        "fields": {
            ".".join(map(str, path)): result.summary()
            for path, result in found.results.items()
            if result.decision is not Decision.PASSED
        },
    }
    if found.decision is Decision.BLOCKED:
        answer = next((message for message in response.result if isinstance(message, AIMessage)), AIMessage(""))
        blocked = with_text(answer, guard.policy.block_message, blocked=True, report=report)
        return ModelResponse([blocked], None), report
    if found.data is response.structured_response:
        return response, report
    plain = TypeAdapter(Any).dump_python(found.data, mode="json")
    messages = [_repeated(message, plain) for message in response.result]
    return ModelResponse(messages, found.data), report


def _repeated(message: Any, plain: Any) -> Any:
    """The message with the repaired data in the place of the model's."""
    if isinstance(message, ToolMessage):
        return message.model_copy(update={"content": f"Returning structured response: {json.dumps(plain)}"})
    if isinstance(message, AIMessage) and message.tool_calls:
        calls = [{**call, "args": plain} for call in message.tool_calls]
        # The provider's own form of the calls would repeat what was repaired.
        return message.model_copy(update={"tool_calls": calls, "additional_kwargs": {}, "content": ""})
    if isinstance(message, AIMessage):
        return with_text(message, json.dumps(plain, ensure_ascii=False))
    return message
