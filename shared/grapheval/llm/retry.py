"""Trying again: only what may pass, with pauses that double and vary, never beyond the answer's time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from grapheval.errors import GraphEvalError, ModelError
from grapheval.llm.deadline import remaining, sooner

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, RetryCallState, Retrying

MAX_WAIT: Final = 30.0
"""Longest pause between two tries, in seconds, whatever the server asks for."""


def retrying(tries: int, backoff: float) -> Retrying:
    """A loop of tries for synchronous calls.

    Args:
        tries: How often a call is made at most.
        backoff: Seconds that the pauses begin with; they double, with full jitter, or last as long as the server asks.
    """
    from tenacity import Retrying

    return Retrying(**_settings(tries, backoff))


def aretrying(tries: int, backoff: float) -> AsyncRetrying:
    """As `retrying`, for asynchronous calls."""
    from tenacity import AsyncRetrying

    return AsyncRetrying(**_settings(tries, backoff))


def with_wait(error: ModelError, seconds: float) -> ModelError:
    """The error, which now says how long the server asks to wait."""
    error.__dict__["wait"] = seconds
    return error


def _settings(tries: int, backoff: float) -> dict[str, Any]:
    from tenacity import retry_if_exception, wait_random_exponential

    jittered = wait_random_exponential(multiplier=backoff, max=MAX_WAIT)

    def pause(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "wait", None) or 0.0
        return sooner(min(max(asked, jittered(state)), MAX_WAIT)) or 0.0

    def stop(state: RetryCallState) -> bool:
        return state.attempt_number >= tries or remaining() == 0.0

    return {
        "retry": retry_if_exception(_may_pass),
        "stop": stop,
        "wait": pause,
        "reraise": True,
    }


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, GraphEvalError) and error.retryable
