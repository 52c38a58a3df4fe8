"""Counting LLM calls and tokens per thread and task."""

from __future__ import annotations

import uuid
from contextvars import ContextVar

from grapheval.types import Usage

_BOOKS: ContextVar[dict[str, Usage] | None] = ContextVar("grapheval_usage", default=None)
"""Usage by meter; replaced, never changed in place, so that tasks and threads do not see each other's."""


class UsageMeter:
    """Adds up the usage of one stage; each thread and each task has a sum of its own."""

    def __init__(self) -> None:
        self._key = uuid.uuid4().hex

    def __getstate__(self) -> dict[str, str]:
        return {}

    def __setstate__(self, state: dict[str, str]) -> None:
        self._key = uuid.uuid4().hex  # a copy counts for itself

    def add(self, usage: Usage) -> None:
        """Add to this task's sum."""
        books = _BOOKS.get() or {}
        _BOOKS.set(books | {self._key: books.get(self._key, Usage()) + usage})

    def take(self) -> Usage:
        """This task's sum, which becomes zero."""
        books = dict(_BOOKS.get() or {})
        usage = books.pop(self._key, Usage())
        _BOOKS.set(books)
        return usage
