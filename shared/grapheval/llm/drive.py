"""Runs plans that ask an LLM: generators that yield messages, are sent completions, and return a result.

A plan does no input or output, so one and the same plan serves synchronous and asynchronous callers. An error of the
LLM is thrown into the plan, which may go on without that call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from typing import TypeVar

from grapheval.errors import GraphEvalError, ModelError
from grapheval.llm.bounded import abounded, bounded, in_thread
from grapheval.llm.deadline import check_time, out_of_time, remaining
from grapheval.protocols import LLM, Completion, Message, SupportsAsyncComplete
from grapheval.types import Usage

R = TypeVar("R")
Asking = Generator[Sequence[Message], Completion, R]


def ask(llm: LLM, messages: Sequence[Message]) -> Completion:
    """One call, within the answer's time; whatever the model raises leaves as a `GraphEvalError`."""
    check_time("before a call")
    try:
        completion = bounded(lambda: llm.complete(messages), remaining())
    except Exception as error:
        raise _typed(error, llm.name) from error
    return checked(completion, llm.name)


async def aask(llm: LLM, messages: Sequence[Message]) -> Completion:
    """As `ask`; a model without an asynchronous form runs in a worker thread."""
    check_time("before a call")

    async def call() -> Completion:
        if isinstance(llm, SupportsAsyncComplete):
            return await llm.acomplete(messages)
        return await asyncio.wrap_future(in_thread(lambda: llm.complete(messages)))

    try:
        completion = await abounded(call, remaining())
    except Exception as error:
        raise _typed(error, llm.name) from error
    return checked(completion, llm.name)


def run(plan: Asking[R], llm: LLM) -> tuple[R, Usage]:
    """Run a plan to its end; returns its result and what it cost."""
    usage = Usage()
    step = _first(plan)
    while not isinstance(step, _End):
        try:
            completion = ask(llm, step)
        except GraphEvalError as error:
            usage += Usage(calls=1)
            step = _throw(plan, error)
            continue
        usage += completion.usage
        step = _send(plan, completion)
    return step.value, usage


async def arun(plan: Asking[R], llm: LLM) -> tuple[R, Usage]:
    """As `run`, without blocking the event loop."""
    usage = Usage()
    step = _first(plan)
    while not isinstance(step, _End):
        try:
            completion = await aask(llm, step)
        except GraphEvalError as error:
            usage += Usage(calls=1)
            step = _throw(plan, error)
            continue
        usage += completion.usage
        step = _send(plan, completion)
    return step.value, usage


class _End:
    """The plan has returned."""

    def __init__(self, stop: StopIteration) -> None:
        self.value = stop.value


def _first(plan: Asking[R]) -> Sequence[Message] | _End:
    try:
        return next(plan)
    except StopIteration as stop:
        return _End(stop)


def _send(plan: Asking[R], completion: Completion) -> Sequence[Message] | _End:
    try:
        return plan.send(completion)
    except StopIteration as stop:
        return _End(stop)


def _throw(plan: Asking[R], error: GraphEvalError) -> Sequence[Message] | _End:
    try:
        return plan.throw(error)
    except StopIteration as stop:
        return _End(stop)


def _typed(error: Exception, name: str) -> GraphEvalError:
    if isinstance(error, TimeoutError) and remaining() == 0.0:
        return out_of_time(f"while {name} was asked")
    return typed(error, name)


def typed(error: Exception, name: str) -> GraphEvalError:
    """The error as one of ours: timeouts and lost connections can be tried again."""
    if isinstance(error, GraphEvalError):
        return error
    text = f"{name} failed: {type(error).__name__}: {str(error)[:500]}"
    kind = type(error).__name__.lower()
    if isinstance(error, TimeoutError) or "timeout" in kind:
        return ModelError(text, retryable=True, code="timeout")
    return ModelError(text, retryable=isinstance(error, ConnectionError) or "connection" in kind or "ratelimit" in kind)


def checked(completion: object, name: str) -> Completion:
    """A completion whose text is text.

    Raises:
        ModelError: The model returned something else.
    """
    if not isinstance(completion, Completion) or not isinstance(completion.text, str):
        got = type(completion.text if isinstance(completion, Completion) else completion).__name__
        msg = f"{name} returned {got} where a reply should be"
        raise ModelError(msg)
    return completion
