"""Calls that are given up after a time, even those that offer no way to stop them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


def bounded(call: Callable[[], T], seconds: float | None) -> T:
    """Make a call, and stop waiting for it when its time is over.

    A call that is given up goes on in its thread until it ends by itself; its result is dropped, and it keeps neither
    the caller nor the program from ending.

    Args:
        call: Runs in a copy of the caller's context.
        seconds: None = it takes as long as it takes, on the caller's thread.

    Raises:
        TimeoutError: The time is over.
    """
    if seconds is None:
        return call()
    return in_thread(call).result(seconds)


async def abounded(call: Callable[[], Awaitable[T]], seconds: float | None) -> T:
    """As `bounded`, for asynchronous calls, which are cancelled."""
    async with asyncio.timeout(seconds):
        return await call()


def in_thread(call: Callable[[], T]) -> Future[T]:
    """Start a call in a thread of its own, which ends with it."""
    future: Future[T] = Future()
    context = copy_context()

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            result = context.run(call)
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name="grapheval-call", daemon=True).start()
    return future
