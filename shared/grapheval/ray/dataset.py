"""Evaluations as a step of a Ray Data pipeline."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from grapheval.errors import InputError
from grapheval.io.batch import BatchRecord, dump, read_record
from grapheval.ray.session import load_ray
from grapheval.ray.worker import TOKENS_PER_BATCH, Maker, Worker, by_tokens
from grapheval.serialize import to_plain

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

    from grapheval.pipeline import GraphEval

_BUNDLE = "lines"


def evaluate_dataset(
    dataset: Dataset,
    pipeline: GraphEval | Maker | None = None,
    *,
    correct: bool = False,
    tokens_per_batch: int = TOKENS_PER_BATCH,
    workers: int | tuple[int, int] | None = None,
    cpus_per_worker: float = 1.0,
    gpus_per_worker: float = 0.0,
) -> Dataset:
    """Judge the rows of a data set on a pool of actors.

    Rows have the columns of a batch's lines: `answer`, `contexts`, `question`, `id`, or the names that other tools
    use. Nothing runs before the result is read. Each actor loads the models once. When a worker or a node is lost, Ray
    repeats what it had begun on another one, so that every row has exactly one result.

    Args:
        dataset: Any `ray.data.Dataset`.
        pipeline: Sent to the actors as its configuration, without its models; or a function that makes one there.
            None = `GraphEval.local()`.
        correct: Whether to repair what is flagged.
        tokens_per_batch: Estimated tokens of answers and contexts in one batch, the unit that is handed out and, after
            a loss, repeated. For data sets of many millions of rows take a million.
        workers: Actors, or the fewest and the most: the pool grows and shrinks with the work. None = from one to as
            many as the cluster has room for. Reading needs a processor that no actor holds: leave one free, also
            after the loss of a node.
        cpus_per_worker: Processors of each actor; the bundled verifier uses as many threads.
        gpus_per_worker: GPUs of each actor, or a share of one.

    Returns:
        A data set with the columns `id` (as text), `status`, `p_inconsistent`, `reason`, and as JSON text `evaluation`
        (`Evaluation.from_dict` reads it), `correction`, `failure`; null where there is none. The order is Ray's: set
        `ray.data.DataContext.get_current().execution_options.preserve_order` for that of the input.

    Raises:
        InputError: A size is not positive.
        MissingExtraError: The extra `ray` is not installed.
    """
    load_ray()
    import ray.data as ray_data

    if tokens_per_batch < 1 or cpus_per_worker <= 0 or gpus_per_worker < 0:
        msg = "tokens_per_batch and cpus_per_worker must be positive, gpus_per_worker not negative"
        raise InputError(msg)
    fewest, most = _pool(workers, cpus_per_worker, gpus_per_worker)
    bundles = dataset.map_batches(
        _bundled,  # type: ignore[arg-type]  # Ray's annotation knows no `fn_args`
        fn_args=(tokens_per_batch,),
        batch_size=None,
        batch_format="pyarrow",
    )
    # A block per bundle: blocks are what Ray hands out, and what it repeats.
    return bundles.repartition(target_num_rows_per_block=1).map_batches(
        _Judge,
        fn_constructor_args=(pipeline, correct),
        batch_size=1,
        batch_format="pyarrow",
        compute=ray_data.ActorPoolStrategy(min_size=fewest, max_size=most),
        num_cpus=cpus_per_worker,
        num_gpus=gpus_per_worker or None,
    )


def _pool(workers: int | tuple[int, int] | None, cpus: float, gpus: float) -> tuple[int, int]:
    """The fewest and the most actors."""
    if workers is None:
        import ray

        there: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        # One processor stays free: actors on all of them would wait for input that nobody could read.
        room = [(there.get("CPU", 1.0) - 1.0) / cpus] + ([there.get("GPU", 0.0) / gpus] if gpus else [])
        return 1, max(1, int(min(room)))
    fewest, most = (workers, workers) if isinstance(workers, int) else workers
    if not 1 <= fewest <= most:
        msg = f"workers must be a positive number, or the fewest and the most, not {workers!r}"
        raise InputError(msg)
    return fewest, most


def _bundled(table: pa.Table, tokens: int) -> pa.Table:
    """Rows become bundles of about so many tokens: one row each, of JSON text."""
    import pyarrow as pa

    rows = table.to_pylist()
    lines = [read_record(number, row) for number, row in enumerate(rows)]
    texts = [json.dumps([rows[line.number] for line in batch], default=str) for batch in by_tokens(lines, tokens)]
    return pa.table({_BUNDLE: pa.array(texts, pa.large_string())})


class _Judge:
    """The actor: bundles in, results out."""

    def __init__(self, pipeline: GraphEval | Maker | None, correct: bool) -> None:
        self._worker = Worker(pipeline, correct=correct)

    def __call__(self, table: pa.Table) -> pa.Table:
        rows = [row for text in table[_BUNDLE].to_pylist() for row in json.loads(text)]
        lines = [read_record(number, row) for number, row in enumerate(rows)]
        return _table([done.record for done in self._worker.judge(lines)], [_named(row) for row in rows])


def _named(row: Any) -> bool:
    """Whether a row has an id of its own: numbers of rows mean nothing where rows are spread."""
    return isinstance(row, Mapping) and row.get("id") not in {None, ""}


def _table(records: list[BatchRecord], named: list[bool]) -> pa.Table:
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [] for name, _ in _columns(pa)}
    for record, has_id in zip(records, named, strict=True):
        evaluation = record.evaluation
        columns["id"].append(str(record.id) if has_id else None)
        columns["status"].append(evaluation and evaluation.status.value)
        columns["p_inconsistent"].append(evaluation and evaluation.p_inconsistent)
        columns["reason"].append(evaluation and evaluation.reason and evaluation.reason.value)
        columns["evaluation"].append(evaluation and dump(evaluation.to_dict()))
        columns["correction"].append(record.correction and dump(record.correction.to_dict()))
        columns["failure"].append(record.failure and dump(to_plain(record.failure)))
    return pa.table({name: pa.array(columns[name], kind) for name, kind in _columns(pa)})


def _columns(pa: Any) -> Iterator[tuple[str, Any]]:
    """One schema for all blocks, also for those in which a column is empty."""
    yield from (("id", pa.string()), ("status", pa.string()), ("p_inconsistent", pa.float64()), ("reason", pa.string()))
    yield from ((name, pa.large_string()) for name in ("evaluation", "correction", "failure"))
