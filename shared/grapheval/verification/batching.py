"""Batches by token count: sort by length, pad to the batch, cap tokens per batch, halve when memory runs out."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from grapheval.errors import InputError

logger = logging.getLogger(__name__)

T = TypeVar("T")


def batches(lengths: Sequence[int], max_tokens: int) -> list[list[int]]:
    """Group items into batches whose padded size stays within a token budget.

    Args:
        lengths: Length of each item in tokens, special tokens included.
        max_tokens: Most tokens per batch, padding included: (longest item) x (number of items). An item that is
            longer than that alone gets a batch of its own.

    Returns:
        Positions into `lengths`, each exactly once; longest items first, so that a budget that is too large shows
        itself in the first batch. Items of equal length keep their order: the same lengths give the same batches.

    Raises:
        InputError: The budget is below one token.
    """
    if max_tokens < 1:
        msg = f"a batch needs a budget of at least one token, not {max_tokens}"
        raise InputError(msg)
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    groups: list[list[int]] = []
    for position in order:
        current = groups[-1] if groups else None
        # Sorted: the first of a batch is its longest, to which all others are padded.
        if current is not None and max(lengths[current[0]], 1) * (len(current) + 1) <= max_tokens:
            current.append(position)
        else:
            groups.append([position])
    return groups


def run_batches(
    lengths: Sequence[int],
    max_tokens: int,
    run: Callable[[list[int]], Sequence[T]],
    *,
    is_out_of_memory: Callable[[Exception], bool] = lambda error: isinstance(error, MemoryError),
    release: Callable[[], None] = lambda: None,
) -> list[T]:
    """Run `run` over batches of positions and put its results back into the order of `lengths`.

    A batch that does not fit the memory is halved, and so is the budget of those that follow, until single items are
    left.

    Args:
        lengths: Length of each item in tokens.
        max_tokens: As for `batches`.
        run: Positions of a batch -> one result per position, in that order.
        is_out_of_memory: Tells errors of memory from all others.
        release: Called after such an error, once the error itself is gone, to free what the failed batch held.

    Returns:
        One result per item, in the order of `lengths`.

    Raises:
        Exception: Whatever `run` raised, if it was no lack of memory or the batch was a single item already.
    """
    results: dict[int, T] = {}
    queue = deque(batches(lengths, max_tokens))
    while queue:
        batch = queue.popleft()
        outputs: Sequence[T] | None = None
        try:
            outputs = run(batch)
        except Exception as error:
            if len(batch) == 1 or not is_out_of_memory(error):
                raise
        if outputs is not None:
            results.update(zip(batch, outputs, strict=True))
            continue
        # Outside of `except`: the traceback no longer keeps the failed batch's tensors alive.
        release()
        budget = max(1, max(lengths[position] for position in batch) * (len(batch) // 2))
        logger.warning("out of memory with %d pairs in a batch; going on with at most %d tokens", len(batch), budget)
        waiting = sorted([*batch, *(position for later in queue for position in later)])
        queue = deque([waiting[index] for index in group] for group in batches([lengths[i] for i in waiting], budget))
    return [results[position] for position in range(len(lengths))]
