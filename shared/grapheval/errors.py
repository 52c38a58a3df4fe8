"""Exceptions. Single calls raise them; batches return them as `Failure` values."""

from __future__ import annotations


class GraphEvalError(Exception):
    """Base of every error that GraphEval raises on purpose."""

    code: str = "error"
    """Short machine-readable cause, used as `Failure.code`."""

    retryable: bool = False
    """Whether the same call may succeed later (timeouts, rate limits, lost connections)."""

    stage: str | None = None
    """Where in the pipeline it happened: `extract`, `select`, `verify`, `correct`; None where that is not known."""


class InputError(GraphEvalError, ValueError):
    """The input cannot be used; the message says what to change."""

    code = "input_error"


class ExtractionError(GraphEvalError):
    """No claims could be read from the extractor's reply.

    Args:
        message: What went wrong.
        raw: The extractor's raw reply, kept so that nothing is lost.
    """

    code = "extraction_error"

    def __init__(self, message: str, *, raw: str | None = None) -> None:
        super().__init__(message)
        self.raw = raw


class ModelError(GraphEvalError):
    """A model or service failed.

    Args:
        message: What went wrong and what to do about it.
        retryable: Whether the same call may succeed later.
        code: Machine-readable cause; `model_error` unless something sharper is known (`timeout`, …).
    """

    code = "model_error"

    def __init__(self, message: str, *, retryable: bool = False, code: str | None = None) -> None:
        super().__init__(message)
        self.retryable = retryable
        if code is not None:
            self.code = code


class BudgetExceeded(GraphEvalError):  # noqa: N818 - the public name is fixed
    """A limit on calls or tokens that the user set has been reached."""

    code = "budget_exceeded"


class MissingExtraError(GraphEvalError, ImportError):
    """An optional dependency is not installed; the message holds the exact install command."""

    code = "missing_extra"
