"""What needs no cluster: batches by tokens, settings that mean nothing, Ray that is not installed."""

from __future__ import annotations

import sys

import pytest

from grapheval.errors import InputError, MissingExtraError
from grapheval.io.batch import BatchLine
from grapheval.ray.dataset import _bundled, _pool
from grapheval.ray.session import load_ray
from grapheval.ray.worker import Worker, by_tokens, tokens_of
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Failure, Sample


def line(number: int, characters: int) -> BatchLine:
    return BatchLine(number, str(number), Sample("a" * characters, "b" * 40))


def test_batches_are_sized_by_tokens() -> None:
    assert tokens_of(line(1, 60)) == 26
    assert tokens_of(BatchLine(1, "1", Failure("1", "input", "input_error", "no"))) == 1
    lines = [line(n, size) for n, size in enumerate([60, 60, 60, 4000, 60, 60])]
    sizes = [[int(str(each.id)) for each in batch] for batch in by_tokens(lines, 60)]
    assert sizes == [[0, 1], [2], [3], [4, 5]]
    assert list(by_tokens([], 60)) == []


def test_rows_become_bundles_in_order() -> None:
    import json

    import pyarrow as pa

    table = pa.Table.from_pylist([{"id": n, "answer": "a" * 60, "contexts": ["b" * 40]} for n in range(5)])
    bundles = [json.loads(text) for text in _bundled(table, 60)["lines"].to_pylist()]
    assert [[row["id"] for row in bundle] for bundle in bundles] == [[0, 1], [2, 3], [4]]


@pytest.mark.parametrize("workers", [0, (0, 2), (3, 2), -1])
def test_a_pool_needs_a_worker(workers: int | tuple[int, int]) -> None:
    with pytest.raises(InputError, match="workers"):
        _pool(workers, 1.0, 0.0)
    assert _pool((1, 4), 1.0, 0.0) == (1, 4)
    assert _pool(3, 1.0, 0.0) == (3, 3)


def test_a_worker_loads_its_pipeline_once() -> None:
    from grapheval import GraphEval

    made: list[GraphEval] = []

    def make() -> GraphEval:
        made.append(GraphEval(FakeExtractor(), FakeVerifier(default=0.9)))
        return made[-1]

    worker = Worker(make)
    for _ in range(3):
        assert [done.record.id for done in worker.judge([line(7, 8)])] == ["7"]
    assert len(made) == 1
    assert worker.ready()


def test_without_ray_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"grapheval\[ray\]"):
        load_ray()
