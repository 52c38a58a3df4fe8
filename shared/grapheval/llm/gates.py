"""What limited calls pass through: a number of places, a pace, a budget. Each is shared by threads and event loops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from grapheval.errors import BudgetExceeded
from grapheval.forks import renew_after_fork
from grapheval.types import Usage


class Gate:
    """So many places, first come, first served. A caller that is cancelled or gives up frees its place.

    Args:
        places: Callers inside at once; None = any number.
    """

    def __init__(self, places: int | None) -> None:
        self._places = places
        self._renew()
        renew_after_fork(self._renew)

    def _renew(self) -> None:
        self._lock = threading.Lock()
        self._free = self._places or 0
        self._waiting: deque[Future[None]] = deque()

    @property
    def free(self) -> int | None:
        """Places that nobody holds; None = there is no limit."""
        return None if self._places is None else self._free

    @contextmanager
    def hold(self, seconds: float | None = None) -> Iterator[None]:
        """Hold a place.

        Args:
            seconds: How long to wait for one at most.

        Raises:
            TimeoutError: None was free in time.
        """
        ticket = self._enter()
        if ticket is not None:
            try:
                ticket.result(seconds)
            except BaseException:
                self._give_up(ticket)
                raise
        try:
            yield
        finally:
            self._leave()

    @asynccontextmanager
    async def ahold(self, seconds: float | None = None) -> AsyncIterator[None]:
        """As `hold`, without blocking the event loop."""
        ticket = self._enter()
        if ticket is not None:
            try:
                async with asyncio.timeout(seconds):
                    await asyncio.wrap_future(ticket)
            except BaseException:
                self._give_up(ticket)
                raise
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> Future[None] | None:
        """None = inside; otherwise what becomes done when a place is handed over."""
        if self._places is None:
            return None
        with self._lock:
            if self._free:
                self._free -= 1
                return None
            ticket: Future[None] = Future()
            self._waiting.append(ticket)
            return ticket

    def _leave(self) -> None:
        if self._places is None:
            return
        with self._lock:
            while self._waiting:
                ticket = self._waiting.popleft()
                if ticket.set_running_or_notify_cancel():
                    ticket.set_result(None)
                    return
            self._free += 1

    def _give_up(self, ticket: Future[None]) -> None:
        if not ticket.cancel():  # a place was handed over at the last moment
            self._leave()
            return
        with self._lock:
            if ticket in self._waiting:
                self._waiting.remove(ticket)


class Pace:
    """So much a minute, evenly spaced.

    Args:
        per_minute: Calls, or tokens; None = any number.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._seconds = 0.0 if per_minute is None else 60.0 / per_minute
        self._next = 0.0
        self._renew_lock()
        renew_after_fork(self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def take(self, amount: float = 1.0, within: float | None = None) -> float:
        """Take the next free slot.

        Args:
            amount: Calls or tokens that it is taken for.
            within: How long the caller can wait at most.

        Returns:
            Seconds until the slot.

        Raises:
            TimeoutError: It lies too far ahead; it was not taken.
        """
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            if within is not None and start - now > within:
                raise TimeoutError
            self._next = start + amount * self._seconds
            return start - now

    def add(self, amount: float) -> None:
        """Book what only turned out afterwards: whoever comes next waits for it too."""
        with self._lock:
            self._next = max(time.monotonic(), self._next + amount * self._seconds)


class Budget:
    """What may be spent in all.

    Calls are counted when they are made, failed ones and second tries too. Tokens are known afterwards: a call is
    refused when what was spent and its own prompt (estimated) would be more than the budget, so that the replies of
    the last calls can exceed it.

    Args:
        calls: None = any number.
        tokens: Input and output together; None = any number.
    """

    def __init__(self, calls: int | None, tokens: int | None) -> None:
        self.max_calls, self.max_tokens = calls, tokens
        self._calls = self._input = self._output = self._open = 0
        self._renew_lock()
        renew_after_fork(self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"} | {"_open": 0}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._renew_lock()
        renew_after_fork(self._renew_lock)

    @property
    def spent(self) -> Usage:
        """Calls and tokens so far; calls under way count as calls only."""
        return Usage(self._calls, self._input, self._output)

    def take(self, prompt: int) -> None:
        """Take what a call needs.

        Args:
            prompt: Tokens of its prompt.

        Raises:
            BudgetExceeded: That is more than is left; nothing was taken.
        """
        with self._lock:
            tokens = self._input + self._output + self._open
            if self.max_calls is not None and self._calls >= self.max_calls:
                self._refuse(f"{self.max_calls:,} calls", "max_calls")
            if self.max_tokens is not None and tokens + prompt > self.max_tokens:
                self._refuse(f"{self.max_tokens:,} tokens", "max_tokens")
            self._calls += 1
            self._open += prompt

    def settle(self, prompt: int, usage: Usage) -> None:
        """Book what a call really cost, instead of what was taken for its prompt."""
        with self._lock:
            self._open -= prompt
            self._input += usage.input_tokens or 0
            self._output += usage.output_tokens or 0

    def give_back(self, prompt: int) -> None:
        """Undo `take`: the call was not made."""
        with self._lock:
            self._calls -= 1
            self._open -= prompt

    def _refuse(self, limit: str, name: str) -> None:
        spent = f"{self._calls:,} calls and {self._input + self._output:,} tokens are spent"
        msg = f"the budget of {limit} is used up ({spent}): raise {name}=, or go on another time"
        raise BudgetExceeded(msg)
