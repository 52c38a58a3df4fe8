"""Batches: lines in, records out, in order, in bounded memory; whatever a line does, the others are processed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grapheval.drive import failure_of
from grapheval.errors import GraphEvalError
from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.llm.deadline import answer_deadline
from grapheval.many import Timed, internal_failure
from grapheval.types import Evaluation, Failure, Sample

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


@dataclass(frozen=True, slots=True)
class Done:
    """A record, and the time that it took in seconds."""

    record: BatchRecord
    seconds: float


def process(
    lines: Iterator[BatchLine], pipeline: GraphEval, *, correct: bool = False, workers: int = 1
) -> Generator[Done, None, None]:
    """Judge lines.

    Args:
        lines: In order; taken on the caller's thread.
        pipeline: Shared by all threads.
        correct: Whether to repair what is flagged.
        workers: Threads that extract, and threads that repair.

    Yields:
        One record per line, in order, as soon as it and those before it are done.

    Raises:
        Exception: Whatever `lines` raised, after the records of what came before it.
    """
    taken: deque[BatchLine] = deque()

    def contents() -> Iterator[Sample | Failure]:
        for line in lines:
            taken.append(line)
            yield line.content

    with closing(pipeline.evaluate_timed(contents(), workers=workers)) as results:
        judged = ((taken.popleft(), timed) for timed in results)
        if correct:
            yield from _repaired(judged, pipeline, workers)
        else:
            for line, timed in judged:
                yield Done(_record(line, timed), timed.seconds)


def _record(line: BatchLine, timed: Timed) -> BatchRecord:
    result = timed.result
    return BatchRecord(line.id, failure=result) if isinstance(result, Failure) else BatchRecord(line.id, result)


def _repaired(judged: Iterator[tuple[BatchLine, Timed]], pipeline: GraphEval, workers: int) -> Iterator[Done]:
    pool = ThreadPoolExecutor(workers, thread_name_prefix="grapheval-repair")
    under_way: deque[Future[Done]] = deque()
    try:
        for line, timed in judged:
            under_way.append(pool.submit(_repair, line, timed, pipeline))
            while len(under_way) > 2 * workers or (under_way and under_way[0].done()):
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _repair(line: BatchLine, timed: Timed, pipeline: GraphEval) -> Done:
    """The evaluation stays in the record when its repair fails."""
    before, sample = timed.result, line.content
    if not isinstance(before, Evaluation) or not isinstance(sample, Sample):
        return Done(_record(line, timed), timed.seconds)
    if pipeline.corrector is None:
        msg = "this pipeline has no corrector"
        raise ValueError(msg)
    began = time.perf_counter()
    try:
        with answer_deadline(pipeline.answer_timeout):
            correction = pipeline.corrector.correct(sample, before, pipeline.evaluate)
        record = BatchRecord(line.id, before, correction)
    except GraphEvalError as error:
        record = BatchRecord(line.id, before, failure=failure_of(error, sample, line.number, stage="correct"))
    except Exception as error:  # noqa: BLE001 - a bug in a plug-in: this answer fails, the others go on
        record = BatchRecord(line.id, before, failure=internal_failure(sample, line.number, "correct", error))
    return Done(record, timed.seconds + time.perf_counter() - began)
