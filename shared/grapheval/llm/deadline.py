"""How long an answer may take: one clock for all calls that are made for it, whichever stage makes them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from grapheval.errors import ModelError

T = TypeVar("T")

GRACE: Final = 0.25
"""Seconds that a stage has, after its calls were given up, to make something of what it has."""

_END: ContextVar[float | None] = ContextVar("grapheval_deadline", default=None)
"""When the answer's time is over, on the monotonic clock. Threads that copy the caller's context keep it."""


@contextmanager
def answer_deadline(seconds: float | None) -> Iterator[None]:
    """Start an answer's clock; inside of another one, whichever ends first counts.

    Args:
        seconds: How long the answer may take; None = no limit of its own.
    """
    if seconds is None:
        yield
        return
    own, outer = time.monotonic() + seconds, _END.get()
    token = _END.set(own if outer is None else min(own, outer))
    try:
        yield
    finally:
        _END.reset(token)


async def within(seconds: float | None, work: Awaitable[T], *, grace: float = 2 * GRACE) -> T:
    """Wait for work on an answer as long as the answer may take, then cancel it.

    Args:
        seconds: As for `answer_deadline`.
        work: What is awaited.
        grace: Seconds that it may take longer, to fold what it has.

    Raises:
        ModelError: The time was over; `code` is `timeout`.
    """
    with answer_deadline(seconds):
        left = remaining()
        clock = asyncio.timeout(None if left is None else left + grace)
        try:
            async with clock:
                return await work
        except TimeoutError as error:
            if not clock.expired():  # the work's own
                raise
            raise out_of_time("before it was done") from error


def remaining() -> float | None:
    """Seconds that the answer has left, never below 0; None = as long as it takes."""
    end = _END.get()
    return None if end is None else max(0.0, end - time.monotonic())


def sooner(seconds: float | None) -> float | None:
    """`seconds`, or what the answer has left where that is less."""
    left = remaining()
    if left is None or seconds is None:
        return left if seconds is None else seconds
    return min(left, seconds)


def out_of_time(what: str) -> ModelError:
    """The error for an answer that took longer than it may."""
    return ModelError(f"the answer's time was over {what}; raise answer_timeout=", retryable=True, code="timeout")


def check_time(what: str) -> None:
    """Stop an answer whose time is over.

    Args:
        what: Where it was, for the message: `"before its claims were extracted"`.

    Raises:
        ModelError: It is; `code` is `timeout`.
    """
    if remaining() == 0.0:
        raise out_of_time(what)
