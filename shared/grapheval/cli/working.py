"""Batches: lines in, records out, in order, in bounded memory; whatever a line does, the others are processed."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

from grapheval.drive import batch_size_of, failure_of
from grapheval.errors import GraphEvalError
from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.types import Evaluation, Failure, Sample

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval

logger = logging.getLogger(__name__)


def process(
    lines: Iterator[BatchLine], pipeline: GraphEval, *, correct: bool = False, workers: int = 1
) -> Iterator[BatchRecord]:
    """Judge lines.

    Args:
        lines: In order.
        pipeline: Shared by all threads.
        correct: Whether to repair what is flagged.
        workers: Chunks under way at once; with one, everything runs on the caller's thread.

    Yields:
        One record per line, in order, as soon as its chunk is done.
    """
    size = batch_size_of(pipeline.extractor)
    chunks = iter(lambda: list(islice(lines, size)), [])
    if workers == 1:
        for chunk in chunks:
            yield from _chunk(chunk, pipeline, correct=correct)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="grapheval-batch")
    under_way: deque[Future[list[BatchRecord]]] = deque()
    try:
        for chunk in chunks:
            under_way.append(pool.submit(_chunk, chunk, pipeline, correct=correct))
            while len(under_way) > workers or (under_way and under_way[0].done()):
                yield from under_way.popleft().result()
        while under_way:
            yield from under_way.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _chunk(lines: Sequence[BatchLine], pipeline: GraphEval, *, correct: bool) -> list[BatchRecord]:
    samples = [line.content for line in lines if isinstance(line.content, Sample)]
    results = iter(_evaluate(samples, pipeline))
    records = []
    for line in lines:
        if isinstance(line.content, Failure):
            records.append(BatchRecord(line.id, failure=line.content))
            continue
        result = next(results)
        if isinstance(result, Failure):
            records.append(BatchRecord(line.id, failure=result))
        elif correct:
            records.append(_repair(line, line.content, result, pipeline))
        else:
            records.append(BatchRecord(line.id, result))
    return records


def _evaluate(samples: Sequence[Sample], pipeline: GraphEval) -> list[Evaluation | Failure]:
    """All at once; if something breaks that no stage foresaw, one by one, so that only the guilty one fails."""
    try:
        return pipeline.evaluate_many(samples) if samples else []
    except Exception as error:
        logger.debug("a chunk of %d failed as a whole", len(samples), exc_info=error)
    return [_evaluate_one(sample, number, pipeline) for number, sample in enumerate(samples)]


def _evaluate_one(sample: Sample, number: int, pipeline: GraphEval) -> Evaluation | Failure:
    try:
        return pipeline.evaluate(sample)
    except GraphEvalError as error:
        return failure_of(error, sample, number)
    except Exception as error:  # noqa: BLE001 - as above
        return _internal(sample, number, "evaluate", error)


def _repair(line: BatchLine, sample: Sample, before: Evaluation, pipeline: GraphEval) -> BatchRecord:
    """The evaluation stays in the record when its repair fails."""
    if pipeline.corrector is None:
        msg = "this pipeline has no corrector"
        raise ValueError(msg)
    try:
        correction = pipeline.corrector.correct(sample, before, pipeline.evaluate)
    except GraphEvalError as error:
        return BatchRecord(line.id, before, failure=failure_of(error, sample, line.number, stage="correct"))
    except Exception as error:  # noqa: BLE001 - as above
        return BatchRecord(line.id, before, failure=_internal(sample, line.number, "correct", error))
    return BatchRecord(line.id, before, correction)


def _internal(sample: Sample, number: int, stage: str, error: Exception) -> Failure:
    logger.debug("sample %s failed", sample.id, exc_info=error)
    name = sample.id if sample.id is not None else str(number)
    return Failure(name, stage, "internal_error", f"{type(error).__name__}: {error}")
