"""Many answers on an event loop: a window of calls that moves over the samples."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from grapheval.drive import failure_of
from grapheval.errors import GraphEvalError, InputError
from grapheval.many import internal_failure, not_a_sample
from grapheval.types import Evaluation, Failure, Sample

_HELD = 4
"""Results, as a multiple of the calls under way, that may wait for a slower one before them."""


async def astream(
    items: Iterable[object], judge: Callable[[Sample], Awaitable[Evaluation]], *, concurrency: int
) -> AsyncGenerator[Evaluation | Failure, None]:
    """Judge many answers.

    Args:
        items: Samples; a `Failure` among them is its own result, anything else becomes one. They are taken as they are
            needed.
        judge: Judges one.
        concurrency: Calls under way at once, at least 1.

    Yields:
        One result per item, in order; what raised is a `Failure`. When the caller stops early, the calls under way are
        cancelled.

    Raises:
        InputError: `concurrency` is below 1.
        Exception: Whatever `items` raised, after the results of what came before it.
    """
    if concurrency < 1:
        msg = f"concurrency must be at least 1, not {concurrency}"
        raise InputError(msg)
    gate = asyncio.Semaphore(concurrency)
    under_way: deque[asyncio.Task[Evaluation | Failure]] = deque()

    async def one(number: int, item: object) -> Evaluation | Failure:
        try:
            if isinstance(item, Failure):
                return item
            if not isinstance(item, Sample):
                return not_a_sample(item, number)
            try:
                return await judge(item)
            except GraphEvalError as error:
                return failure_of(error, item, number)
            except Exception as error:  # noqa: BLE001 - a bug in a plug-in: this answer fails, the others go on
                return internal_failure(item, number, "evaluate", error)
        finally:
            gate.release()

    source = enumerate(items)
    broken: Exception | None = None
    try:
        while True:
            await gate.acquire()
            try:
                number, item = next(source)
            except StopIteration:
                break
            except Exception as error:  # noqa: BLE001 - raised below, when the others are done
                broken = error
                break
            under_way.append(asyncio.create_task(one(number, item)))
            while under_way and (under_way[0].done() or len(under_way) > _HELD * concurrency):
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
    if broken is not None:
        raise broken
