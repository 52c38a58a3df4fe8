"""The engine behind `grapheval batch --engine ray`: lines in, records out, in order, on a pool of actors.

Lines are handed out in batches of about the same number of tokens, and only a bounded number of them is on its way.
When an actor dies, with its node or for lack of memory, its batch is given to another one. A batch that has brought
down several actors is cut in two, until the line that does it is alone and becomes a failure.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from grapheval.errors import ModelError
from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.ray.session import session
from grapheval.ray.worker import TOKENS_PER_BATCH, Worker, by_tokens
from grapheval.types import Failure

if TYPE_CHECKING:
    from grapheval.cli.working import Done
    from grapheval.pipeline import GraphEval

logger = logging.getLogger(__name__)

LOSSES: Final = 3
"""Actors that a batch may bring down before it is cut in two."""

_AHEAD: Final = 2
"""Batches that an actor is given at once, so that it never waits for the next one."""
_PATIENCE: Final = 60.0
"""Seconds without any news, after which the log says what is waited for."""
_WINDOW: Final = 4
"""Batches on their way, or done and waiting for an earlier one, for each actor."""


def process(
    lines: Iterator[BatchLine],
    pipeline: GraphEval,
    *,
    correct: bool = False,
    workers: int | None = None,
    tokens_per_batch: int = TOKENS_PER_BATCH,
    cpus_per_worker: float = 1.0,
    gpus_per_worker: float = 0.0,
) -> Generator[Done, None, None]:
    """Judge lines in the cluster.

    Args:
        lines: In order; taken on the caller's thread.
        pipeline: Sent to the actors as its configuration.
        correct: Whether to repair what is flagged.
        workers: Actors; None = as many as the cluster has room for now.
        tokens_per_batch: Estimated tokens of a batch.
        cpus_per_worker: Processors of each actor.
        gpus_per_worker: GPUs of each actor.

    Yields:
        One record per line, in order. A line that brings down its actor again and again is a failure (`worker_lost`).

    Raises:
        MissingExtraError: The extra `ray` is not installed.
        ModelError: There is no cluster, or its actors cannot start.
        Exception: Whatever `lines` raised, after the records of what came before it.
    """
    with session(cpus=None if workers is None else max(1, round(workers * cpus_per_worker))) as ray:
        if workers is None:
            workers = max(1, int(ray.cluster_resources().get("CPU", 1.0) / cpus_per_worker))
        remote = ray.remote(num_cpus=cpus_per_worker, num_gpus=gpus_per_worker, max_restarts=0)(Worker)
        shared = ray.put(pipeline)
        pool = _Pool(ray, lambda: remote.remote(shared, correct=correct), workers)
        try:
            yield from _Run(pool, by_tokens(lines, tokens_per_batch)).records()
        finally:
            pool.close()


@dataclass(slots=True, eq=False)
class _Batch:
    """Lines on their way."""

    lines: list[BatchLine]
    losses: int = 0
    done: list[Done] | None = None

    def halves(self) -> list[_Batch]:
        middle = len(self.lines) // 2
        return [_Batch(self.lines[:middle]), _Batch(self.lines[middle:])]

    def lost(self, why: str) -> None:
        """The only line of this batch brings down whoever takes it."""
        from grapheval.cli.working import Done

        line = self.lines[0]
        message = f"{LOSSES} workers died over this line, the last one with: {why}"
        failure = Failure(str(line.id), "evaluate", "worker_lost", message, retryable=True)
        self.done = [Done(BatchRecord(line.id, failure=failure), 0.0)]


@dataclass(slots=True, eq=False)
class _Actor:
    """An actor, and what it was given; `starting` until its models are loaded."""

    handle: Any
    starting: Any
    given: dict[Any, _Batch] = field(default_factory=dict)


class _Pool:
    """So many actors; those that die are replaced."""

    def __init__(self, ray: Any, make: Any, size: int) -> None:
        self.size = size
        self._ray = ray
        self._make = make
        self._failed = 0
        self._actors: list[_Actor] = []
        for _ in range(size):
            self._start()

    def close(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor.handle)
        self._actors = []

    def free(self) -> _Actor | None:
        """The actor with least to do, if it has room for another batch."""
        able = [actor for actor in self._actors if actor.starting is None and len(actor.given) < _AHEAD]
        return min(able, key=lambda actor: len(actor.given), default=None)

    def give(self, actor: _Actor, batch: _Batch) -> None:
        actor.given[actor.handle.judge.remote(batch.lines)] = batch

    def wait(self) -> list[tuple[_Batch, str]]:
        """Until something has happened; returns the batches that were lost, and why."""
        refs: dict[Any, _Actor] = {}
        for actor in self._actors:
            refs |= dict.fromkeys(actor.given if actor.starting is None else [actor.starting], actor)
        ready, _ = self._ray.wait(list(refs), num_returns=1, timeout=_PATIENCE)
        if not ready and all(actor.starting is not None for actor in self._actors):
            logger.warning("no Ray worker could start yet: the cluster has no room, or the models are still loading")
        lost: list[tuple[_Batch, str]] = []
        for ref in ready:
            lost += self._settle(refs[ref], ref)
        return lost

    def _settle(self, actor: _Actor, ref: Any) -> list[tuple[_Batch, str]]:
        try:
            result = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            # The worker reports what goes wrong with a line; this is a fault of the installation.
            raise ModelError(f"a Ray worker failed: {_reason(error)}") from error
        except self._ray.exceptions.RayError as error:
            return self._replace(actor, error)
        if ref == actor.starting:
            actor.starting, self._failed = None, 0
        else:
            actor.given.pop(ref).done = result
        return []

    def _replace(self, actor: _Actor, error: Exception) -> list[tuple[_Batch, str]]:
        why = _reason(error)
        logger.warning("a Ray worker was lost (%s); its work goes to another one", why)
        self._actors.remove(actor)
        self._ray.kill(actor.handle)  # where it could only not be reached
        if actor.starting is not None:
            self._failed += 1
            if self._failed > LOSSES:
                raise ModelError(f"Ray workers cannot start: {why}") from error
        self._start()
        return [(batch, why) for batch in actor.given.values()]

    def _start(self) -> None:
        handle = self._make()
        self._actors.append(_Actor(handle, handle.ready.remote()))


class _Run:
    """One batch after the other, in order."""

    def __init__(self, pool: _Pool, batches: Iterator[list[BatchLine]]) -> None:
        self._pool = pool
        self._batches = batches
        self._order: deque[_Batch] = deque()
        self._todo: deque[_Batch] = deque()
        self._error: Exception | None = None
        self._exhausted = False

    def records(self) -> Iterator[Done]:
        while True:
            self._fill()
            while self._order and (done := self._order[0].done) is not None:
                self._order.popleft()
                yield from done
                self._fill()
            if not self._order:
                break
            for batch, why in self._pool.wait():
                self._again(batch, why)
        if self._error is not None:
            raise self._error

    def _fill(self) -> None:
        """Give every actor that has room a batch."""
        while self._todo or self._take():
            actor = self._pool.free()
            if actor is None:
                return
            self._pool.give(actor, self._todo.popleft())

    def _take(self) -> bool:
        if self._exhausted or len(self._order) >= _WINDOW * self._pool.size:
            return False
        try:
            lines = next(self._batches, None)
        except Exception as error:  # noqa: BLE001 - raised when what came before it is done
            self._error, lines = error, None
        if lines is None:
            self._exhausted = True
            return False
        batch = _Batch(lines)
        self._order.append(batch)
        self._todo.append(batch)
        return True

    def _again(self, batch: _Batch, why: str) -> None:
        batch.losses += 1
        if batch.losses < LOSSES:
            self._todo.appendleft(batch)
            return
        if len(batch.lines) == 1:
            batch.lost(why)
            return
        place = self._order.index(batch)
        del self._order[place]
        for half in reversed(batch.halves()):
            self._order.insert(place, half)
            self._todo.appendleft(half)


def _reason(error: Exception) -> str:
    """One line of what Ray says, the cause first."""
    cause = getattr(error, "cause", None) or error
    text = str(cause).strip().splitlines()
    return f"{type(cause).__name__}: {(text[-1] if text else '')[:300]}"
