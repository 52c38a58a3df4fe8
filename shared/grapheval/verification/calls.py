"""Verifiers that make one call per pair: several at a time, and what becomes of the calls that fail."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from grapheval.errors import BudgetExceeded, GraphEvalError
from grapheval.protocols import Judgement
from grapheval.types import Reason

S = TypeVar("S")
T = TypeVar("T")


def map_calls(call: Callable[[S], T], items: Sequence[S], workers: int) -> list[T | GraphEvalError]:
    """`call` for each item, in order, `workers` at a time.

    Each call runs in a copy of the caller's context, so that traces keep their parents.

    Returns:
        A result or the `GraphEvalError` that was raised, in the order of the items.

    Raises:
        Exception: Any other error, at once.
    """

    def guarded(item: S) -> T | GraphEvalError:
        try:
            return call(item)
        except GraphEvalError as error:
            return error

    if workers <= 1 or len(items) <= 1:
        return [guarded(item) for item in items]
    with ThreadPoolExecutor(min(workers, len(items)), thread_name_prefix="grapheval-verify") as pool:
        contexts = [contextvars.copy_context() for _ in items]
        futures = [pool.submit(context.run, guarded, item) for context, item in zip(contexts, items, strict=True)]
        return [future.result() for future in futures]


def settle(results: Sequence[Judgement | GraphEvalError]) -> list[Judgement]:
    """Turn failed calls into judgements without probability.

    Raises:
        GraphEvalError: Every call failed: the model or service fails as a whole, and the first error says how.
    """
    errors = [result for result in results if isinstance(result, GraphEvalError)]
    if errors and len(errors) == len(results):
        raise errors[0]
    return [Judgement(None, reason=_reason(r)) if isinstance(r, GraphEvalError) else r for r in results]


def _reason(error: GraphEvalError) -> Reason:
    if isinstance(error, BudgetExceeded):
        return Reason.BUDGET_EXCEEDED
    return Reason.TIMEOUT if error.code == "timeout" else Reason.MODEL_ERROR
