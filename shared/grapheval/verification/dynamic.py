"""The dynamic batcher: callers that ask at the same time share the verifier's batches.

There is no waiting for a batch to fill: while the verifier works, requests gather, and it takes all of them (up to a
limit) next. Alone, a request starts at once; under load, batches grow by themselves.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from grapheval.errors import InputError, ModelError
from grapheval.forks import renew_after_fork
from grapheval.protocols import Judgement, Pair, Verifier, VerifierInfo

MAX_PAIRS = 64
"""Pairs that the verifier is given at once; it cuts its own batches by tokens."""


@dataclass(slots=True)
class _Request:
    """What one caller asked, and how far it has come."""

    pairs: Sequence[Pair]
    future: Future[list[Judgement]] = field(default_factory=Future)
    done: list[Judgement] = field(default_factory=list)

    @property
    def left(self) -> int:
        return len(self.pairs) - len(self.done)

    def finish(self) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(self.done)

    def fail(self, error: BaseException) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Share:
    """A request's next pairs in a batch."""

    request: _Request
    pairs: Sequence[Pair]


class DynamicBatcher:
    """A verifier behind a queue, for many threads and tasks at once.

    It is a `Verifier` itself. One thread runs the verifier inside; it exists only while there is work. Requests take
    turns: a long one does not hold up the short ones behind it. One that is cancelled leaves the queue, and the rest
    of its pairs is not judged. An error reaches only the request whose pairs caused it. Pickles as the verifier inside.

    Args:
        verifier: Judges the pairs; it computes in this process (verifiers that call servers run side by side better).
        max_pairs: Most pairs that it is given at once.

    Raises:
        InputError: `max_pairs` is below 1.
    """

    compute_bound = True

    def __init__(self, verifier: Verifier, *, max_pairs: int = MAX_PAIRS) -> None:
        if max_pairs < 1:
            msg = f"max_pairs must be at least 1, not {max_pairs}"
            raise InputError(msg)
        self.verifier = verifier
        self.max_pairs = max_pairs
        self._renew()
        renew_after_fork(self._renew)

    def __getstate__(self) -> dict[str, Any]:
        return {"verifier": self.verifier, "max_pairs": self.max_pairs}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"DynamicBatcher({self.verifier!r}, max_pairs={self.max_pairs})"

    @property
    def info(self) -> VerifierInfo:
        """The verifier's own."""
        return self.verifier.info

    @property
    def waiting(self) -> int:
        """Requests in the queue, for monitoring; those that were cancelled leave it at their turn."""
        return len(self._queue)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The verifier's own counting."""
        return self.verifier.count_tokens(texts)

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order.

        Raises:
            ModelError: The verifier failed.
        """
        future = self._submit(pairs)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # interrupted while waiting: leave the queue
            raise

    async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As `verify`, without blocking the event loop; cancellation frees the place in the queue."""
        return await asyncio.wrap_future(self._submit(pairs))

    def _renew(self) -> None:
        self._lock = threading.Lock()
        self._queue: deque[_Request] = deque()
        self._working = False

    def _submit(self, pairs: Sequence[Pair]) -> Future[list[Judgement]]:
        request = _Request(tuple(pairs))
        if not request.pairs:
            request.finish()
            return request.future
        with self._lock:
            self._queue.append(request)
            start, self._working = not self._working, True
        if start:
            threading.Thread(target=self._work, name="grapheval-verify", daemon=True).start()
        return request.future

    def _work(self) -> None:
        while batch := self._next_batch():
            self._run(batch)

    def _next_batch(self) -> list[_Share]:
        """The next pairs of the requests that wait, first come, first served; none = the thread ends."""
        batch: list[_Share] = []
        room = self.max_pairs
        with self._lock:
            for _ in range(len(self._queue)):
                if not room:
                    break
                request = self._queue.popleft()
                if request.future.cancelled():
                    continue
                begin = len(request.done)
                share = _Share(request, request.pairs[begin : begin + room])
                room -= len(share.pairs)
                batch.append(share)
            self._working = bool(batch)
        return batch

    def _run(self, batch: list[_Share]) -> None:
        try:
            judgements = self._judge([pair for share in batch for pair in share.pairs])
        except BaseException as error:  # noqa: BLE001 - handed to whoever asked
            if len(batch) == 1:
                batch[0].request.fail(error)
                return
            for share in batch:  # one by one, so that only the guilty request fails
                self._run([share])
            return
        place = 0
        for share in batch:
            request = share.request
            request.done += judgements[place : place + len(share.pairs)]
            place += len(share.pairs)
            if not request.left:
                request.finish()
            elif not request.future.cancelled():
                with self._lock:
                    self._queue.append(request)

    def _judge(self, pairs: list[Pair]) -> list[Judgement]:
        judgements = self.verifier.verify(pairs)
        if len(judgements) != len(pairs):
            msg = f"verifier {self.info.name} returned {len(judgements)} judgements for {len(pairs)} pairs"
            raise ModelError(msg)
        return judgements
