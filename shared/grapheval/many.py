"""Many answers as a pipeline: while the pairs of some are verified, the claims of the next are extracted.

Answers go through the stages in *cohorts*. One thread (or several, for extractors that wait for a server) extracts the
claims of the next cohorts and selects their windows; another verifies the pairs of the cohorts that are ready, in one
call, so that the verifier sees batches across answers; the caller's thread takes the samples, folds the judgements and
hands out the results in order. Only a bounded number of answers is under way at any time.

Where answers have a time (`answer_timeout`), it counts what the stages spend on each, not its waiting for the others. A
stage that waits for a server is then called for one answer after the other, so that one that hangs takes its own time
only; one that computes is still called for many, and each is charged its share.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grapheval.drive import BATCH, Driver, batch_size_of, failure_of
from grapheval.errors import GraphEvalError, InputError
from grapheval.llm.deadline import answer_deadline
from grapheval.offload import compute_bound
from grapheval.plan import Extract, Plan, Stages, Step, Verify, evaluation_plan
from grapheval.types import Evaluation, Failure, Sample, Usage

logger = logging.getLogger(__name__)

S = TypeVar("S")
T = TypeVar("T")

Result = Evaluation | Failure

_FIRST = 4
"""Answers of the first cohort; the sizes double from there, so that the verifier need not wait long for its start."""
_CHARACTERS = 2_000_000
"""Characters of answers and contexts at which a cohort is closed, and the larger part of what may be under way."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A result and what it cost.

    Args:
        result: The evaluation, or why there is none.
        seconds: Time that the stages spent on this answer. Of a call that served several answers each has a share by
            the length of its texts.
    """

    result: Result
    seconds: float


def stream(
    items: Iterable[object], stages: Stages, driver: Driver, *, workers: int = 1
) -> Generator[Timed, None, None]:
    """Judge many answers.

    Args:
        items: Samples; a `Failure` among them is its own result, anything else becomes one. They are taken on the
            caller's thread, a bounded number ahead of the results.
        stages: The pipeline's stages.
        driver: Calls them.
        workers: Cohorts that are extracted at once.

    Yields:
        One result per item, in order; what raised is a `Failure`.

    Raises:
        Exception: Whatever `items` raised, after the results of what came before it.
    """
    cohorts = _Cohorts(items, stages, driver)
    first, second = cohorts.take(), cohorts.take()
    if first is not None and second is None:  # too few for a pipeline: no threads
        first.prepare()
        verify([first])
        yield from first.conclude()
    elif first is not None and second is not None:
        yield from _Pipeline(cohorts, workers).run([first, second])
    if cohorts.error is not None:
        raise cohorts.error


class _Pipeline:
    """The threads, and the cohorts on their way."""

    def __init__(self, cohorts: _Cohorts, workers: int) -> None:
        self._cohorts = cohorts
        self._most = workers + 3
        """Cohorts under way: being extracted, ready, being verified."""
        self._size = cohorts.size
        self._front = ThreadPoolExecutor(workers, thread_name_prefix="grapheval-extract")
        self._back = ThreadPoolExecutor(1, thread_name_prefix="grapheval-judge")
        self._prepared: deque[tuple[Cohort, Future[None]]] = deque()
        self._verified: deque[tuple[list[Cohort], Future[None]]] = deque()

    def run(self, begun: Sequence[Cohort]) -> Iterator[Timed]:
        """The results of all cohorts, in order."""
        try:
            for cohort in begun:
                self._prepare(cohort)
            while True:
                self._fill()
                self._hand_over()
                if not self._verified and not self._prepared:
                    return
                self._wait()
                while self._verified and self._verified[0][1].done():
                    group, future = self._verified.popleft()
                    future.result()
                    self._hand_over()  # the verifier goes on while these are folded
                    for cohort in group:
                        yield from cohort.conclude()
        finally:
            for pool in (self._front, self._back):
                pool.shutdown(wait=False, cancel_futures=True)

    def _prepare(self, cohort: Cohort) -> None:
        self._prepared.append((cohort, self._front.submit(copy_context().run, cohort.prepare)))

    def _fill(self) -> None:
        """Take as many cohorts as may be under way, but let no result wait for samples that come slowly."""
        while self._room() and not (self._verified and self._verified[0][1].done()):
            cohort = self._cohorts.take()
            if cohort is None:
                return
            self._prepare(cohort)
            self._hand_over()

    def _room(self) -> bool:
        under_way = [cohort for cohort, _ in self._prepared] + [c for group, _ in self._verified for c in group]
        answers = sum(len(cohort.plans) for cohort in under_way)
        characters = sum(cohort.characters for cohort in under_way)
        return answers < max(self._most * self._size, BATCH) and characters < 2 * _CHARACTERS

    def _hand_over(self) -> None:
        """Give the verifier what is ready, without letting it wait nor giving it crumbs while it works."""
        while len(self._verified) < 2:
            ready = 0
            answers = 0
            for cohort, future in self._prepared:
                if not future.done() or answers >= BATCH:
                    break
                ready += 1
                answers += len(cohort.plans)
            if not ready or (self._verified and answers < BATCH and not self._cohorts.exhausted):
                return
            group = []
            for _ in range(ready):
                cohort, future = self._prepared.popleft()
                future.result()
                group.append(cohort)
            self._verified.append((group, self._back.submit(copy_context().run, verify, group)))

    def _wait(self) -> None:
        """Until there is something to do: the verifier is done, or may be given the next cohort."""
        waiting = [future for _, future in list(self._verified)[:1]]
        if len(self._verified) < 2:
            waiting += [future for _, future in self._prepared if not future.done()][:1]
        wait(waiting, return_when=FIRST_COMPLETED)


class _Cohorts:
    """Cuts the items into cohorts as they are asked for."""

    def __init__(self, items: Iterable[object], stages: Stages, driver: Driver) -> None:
        self.size = max(1, batch_size_of(driver.extractor))
        self.error: Exception | None = None
        """What the items raised."""
        self.exhausted = False
        self._items = iter(items)
        self._stages = stages
        self._driver = driver
        self._number = 0
        self._next = min(_FIRST, self.size)

    def take(self) -> Cohort | None:
        """The next cohort, None at the end."""
        cohort = Cohort(self._driver)
        while not self.exhausted and len(cohort.plans) < self._next and cohort.characters < _CHARACTERS:
            try:
                item = next(self._items)
            except StopIteration:
                self.exhausted = True
            except Exception as error:  # noqa: BLE001 - raised by `stream` when the others are done
                self.exhausted, self.error = True, error
            else:
                cohort.add(item, self._number, self._stages)
                self._number += 1
        self._next = min(2 * self._next, self.size)
        return cohort if cohort.plans else None


@dataclass(slots=True)
class Cohort:
    """Answers that go through the stages together, each with its plan."""

    driver: Driver
    plans: list[_Running] = field(default_factory=list)
    characters: int = 0

    def add(self, item: object, number: int, stages: Stages) -> None:
        """Take an item in; `number` is its position among all."""
        if isinstance(item, Sample):
            self.plans.append(_Running(number, item, evaluation_plan(item, stages)))
            self.characters += len(item.answer) + sum(len(source.text) for source in item.sources)
            return
        if not isinstance(item, Failure):
            item = not_a_sample(item, number)
        self.plans.append(_Running(number, None, None, result=item))

    def prepare(self) -> None:
        """Take every plan to the pairs that it wants verified, or to its end."""
        for running in self.plans:
            running.send(None)
        while waiting := [r for r in self.plans if r.step is not None and not isinstance(r.step, Verify)]:
            self._extract([r for r in waiting if isinstance(r.step, Extract)])
            for running in waiting:
                if running.step is not None and not isinstance(running.step, Extract | Verify):
                    running.send(running.timed(self.driver, running.step))

    def _extract(self, waiting: Sequence[_Running]) -> None:
        def extract(some: Sequence[_Running]) -> list[Any]:
            extractions, usage = self.driver.extract([r.sample for r in some if r.sample is not None])
            # A call's usage cannot be told apart by sample: it is booked on the first.
            return [(extraction, usage if n == 0 else Usage(calls=0)) for n, extraction in enumerate(extractions)]

        def weight(running: _Running) -> int:
            return 1 + (len(running.sample.answer) if running.sample is not None else 0)

        for running, result in shared(extract, waiting, weight, self.driver, self.driver.extractor):
            running.send(result)

    def conclude(self) -> Iterator[Timed]:
        """The results, in order."""
        for running in self.plans:
            running.fold()
            while running.step is not None:  # no plan of today asks for more after its judgements
                running.send(running.timed(self.driver, running.step))
            if running.result is None:
                msg = f"the plan of item {running.number} ended without a result"
                raise RuntimeError(msg)
            yield Timed(running.result, running.seconds)


def verify(cohorts: Sequence[Cohort]) -> None:
    """Verify what the plans of some cohorts wait for, in one call; their answers are then ready to be folded."""
    waiting = [(c.driver, r, r.step) for c in cohorts for r in c.plans if isinstance(r.step, Verify)]
    if not waiting:
        return
    driver = waiting[0][0]

    def judge(some: Sequence[_Running]) -> list[Any]:
        steps = [r.step for r in some if isinstance(r.step, Verify)]
        judgements, usage = driver.verify([pair for step in steps for pair in step.pairs])
        results: list[Any] = []
        place = 0
        for step in steps:
            own = judgements[place : place + len(step.pairs)]
            place += len(step.pairs)
            results.append((own, Usage(calls=0) if results else usage))
        return results

    def weight(running: _Running) -> int:
        pairs = running.step.pairs if isinstance(running.step, Verify) else ()
        return 1 + sum(len(pair.premise) + len(pair.hypothesis) for pair in pairs)

    for running, result in shared(judge, [running for _, running, _ in waiting], weight, driver, driver.verifier):
        running.postpone(result)


def shared(
    call: Callable[[Sequence[_Running]], list[Any]],
    waiting: Sequence[_Running],
    weight: Callable[[_Running], int],
    driver: Driver,
    stage: object,
) -> Iterator[tuple[_Running, Any]]:
    """Call a stage for several plans at once, and charge each for its share of the time.

    Args:
        call: Calls the stage for some of them: a result for each.
        waiting: The plans.
        weight: A plan's share.
        driver: Knows how long an answer may take.
        stage: What is called; where answers have a time, one that waits for a server gets one plan after the other.

    Yields:
        Each plan with its result, or with the error that it raised.
    """
    limit = driver.answer_timeout

    def charged(some: Sequence[_Running]) -> list[Any]:
        began = time.perf_counter()
        try:
            with answer_deadline(None if limit is None else sum(limit - running.seconds for running in some)):
                return call(some)
        finally:
            cost = time.perf_counter() - began
            whole = sum(map(weight, some))
            for running in some:
                running.seconds += cost * weight(running) / whole

    together, alone = list(waiting), []
    if limit is not None:
        late = [running for running in waiting if running.seconds >= limit]
        alone = late if compute_bound(stage) else list(waiting)
        together = [running for running in waiting if running not in alone]
    for group in [*([running] for running in alone), together]:
        if group:
            yield from zip(group, each(charged, group), strict=True)


def each(call: Callable[[Sequence[S]], list[T]], items: Sequence[S]) -> list[T | GraphEvalError]:
    """`call` for all items at once; where that raises, for the halves, so that only the guilty ones fail."""
    try:
        return list(call(items))
    except GraphEvalError as error:
        if len(items) == 1:
            return [error]
    middle = len(items) // 2
    return [*each(call, items[:middle]), *each(call, items[middle:])]


_NOTHING = object()


@dataclass(slots=True, eq=False)
class _Running:
    """One item, its plan, and how far that has come."""

    number: int
    sample: Sample | None
    plan: Plan | None
    step: Step | None = None
    result: Result | None = None
    seconds: float = 0.0
    held: Any = _NOTHING

    def send(self, value: Any) -> None:
        """Send the plan what it waits for; an exception is the answer's failure."""
        if self.plan is None or self.sample is None or self.result is not None:
            return
        self.step = None
        began = time.perf_counter()
        try:
            if isinstance(value, Exception):
                raise value
            self.step = self.plan.send(value)
        except StopIteration as end:
            self.result = end.value
        except GraphEvalError as error:
            self.result = failure_of(error, self.sample, self.number)
        except Exception as error:  # noqa: BLE001 - a bug in a plug-in: this answer fails, the others go on
            self.result = internal_failure(self.sample, self.number, "evaluate", error)
        self.seconds += time.perf_counter() - began

    def timed(self, driver: Driver, step: Step) -> Any:
        """The result of a step that is this answer's alone, or the exception that it raised."""
        began, limit = time.perf_counter(), driver.answer_timeout
        try:
            with answer_deadline(None if limit is None else limit - self.seconds):
                return driver.do(step)
        except GraphEvalError as error:
            return error
        finally:
            self.seconds += time.perf_counter() - began

    def postpone(self, value: Any) -> None:
        """Keep what the plan is to be sent, for `fold`."""
        self.held, self.step = value, None

    def fold(self) -> None:
        """Send what was kept, to the end of the plan."""
        value, self.held = self.held, _NOTHING
        if value is not _NOTHING:
            self.send(value)


def internal_failure(sample: Sample, number: int, stage: str, error: Exception) -> Failure:
    """What no stage foresaw, as a value; `number` names a sample without an id."""
    logger.debug("sample %s failed", sample.id, exc_info=error)
    name = sample.id if sample.id is not None else str(number)
    return Failure(name, stage, "internal_error", f"{type(error).__name__}: {error}")


def not_a_sample(item: object, number: int) -> Failure:
    """The failure of something that is not to be judged; `number` is its position."""
    message = f"item {number} is no Sample but of type {type(item).__name__}"
    return Failure(str(number), "input", InputError.code, message)
