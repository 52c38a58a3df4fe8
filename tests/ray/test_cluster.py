"""Evaluations on a real cluster of two nodes, one of which is killed in the middle."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grapheval import Evaluation, GraphEval, Sample
from grapheval.cli.run import run
from grapheval.io.batch import BatchLine, read_record
from grapheval.protocols import Judgement, Pair
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Failure

if TYPE_CHECKING:
    from tests.ray.conftest import TwoNodes

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]  # warnings of Ray's own resources


class SlowVerifier(FakeVerifier):
    """Long enough that a node dies in the middle of it; notes where it ran. Kills its process over one claim."""

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        import os
        import time

        time.sleep(0.05)
        if any(pair.hypothesis.startswith("Poison") for pair in pairs):
            os._exit(137)  # as the kernel does with a process that takes too much memory
        return super().verify(pairs)


def fakes() -> GraphEval:
    return GraphEval(FakeExtractor(), SlowVerifier(lambda premise, claim: 0.9 if claim[-2] in "02468" else 0.1))


def row(number: int) -> dict[str, Any]:
    text = f"Answer number {number}."
    return {"id": f"r{number}", "response": text, "contexts": [text, "Another context."]}


def expected(number: int) -> str:
    return "consistent" if number % 2 == 0 else "inconsistent"


def lines(numbers: Sequence[int], killer: threading.Thread | None = None, at: int = -1) -> Iterator[BatchLine]:
    for number in numbers:
        if killer is not None and number == at:
            killer.start()
        yield read_record(number + 1, row(number))


def test_a_data_set_with_a_node_killed_in_the_middle(two_nodes: TwoNodes) -> None:
    import ray.data

    from grapheval.ray import evaluate_dataset

    two_nodes.with_worker()
    broken = {"id": "broken", "contexts": ["no answer"]}
    data = ray.data.from_items([*(row(n) for n in range(60)), broken])
    judged = evaluate_dataset(data, fakes, tokens_per_batch=60, workers=2, cpus_per_worker=0.5)
    found: dict[str, dict[str, Any]] = {}
    count = 0
    for result in judged.iter_rows():
        count += 1
        found[str(result["id"])] = result
        if count == 5:
            two_nodes.kill_worker()
    assert count == 61
    assert {name: result["status"] for name, result in found.items()} == {
        **{f"r{n}": expected(n) for n in range(60)},
        "broken": None,
    }
    assert json.loads(found["broken"]["failure"])["code"] == "input_error"
    evaluation = Evaluation.from_dict(json.loads(found["r1"]["evaluation"]))
    assert evaluation == fakes().evaluate(Sample("Answer number 1.", ["Answer number 1.", "Another context."]))


def test_lines_with_a_node_killed_in_the_middle(two_nodes: TwoNodes) -> None:
    from grapheval.ray import process

    two_nodes.with_worker()
    numbers = list(range(60))
    killer = threading.Thread(target=two_nodes.kill_worker)
    done = list(process(lines(numbers, killer, at=40), fakes(), workers=2, tokens_per_batch=60))
    killer.join()
    assert [item.record.id for item in done] == [f"r{n}" for n in numbers]
    statuses = [item.record.evaluation and item.record.evaluation.status.value for item in done]
    assert statuses == [expected(n) for n in numbers]


def test_a_line_that_kills_its_worker_is_a_failure_and_the_others_are_judged(two_nodes: TwoNodes) -> None:
    from grapheval.ray import process

    rows = [row(0), {"id": "poison", "answer": "Poison.", "contexts": "A context."}, row(2)]
    numbered = (read_record(number, each) for number, each in enumerate(rows, start=1))
    first, poison, last = (item.record for item in process(numbered, fakes(), workers=1))
    assert (first.evaluation is not None, last.evaluation is not None) == (True, True)
    assert isinstance(poison.failure, Failure)
    assert (poison.failure.code, poison.failure.retryable) == ("worker_lost", True)


def test_the_command_with_the_real_pipeline(
    two_nodes: TwoNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = "Marie Curie was born in Warsaw in 1867."
    answers = ["Marie Curie was born in Warsaw.", "Marie Curie was born in Vienna.", ""]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        "".join(json.dumps({"id": n, "answer": a, "contexts": context}) + "\n" for n, a in enumerate(answers)),
        encoding="utf-8",
    )
    assert run(["batch", str(source), str(target), "--engine", "ray", "--workers", "1", "--quiet"]) == 0
    records = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    local = [GraphEval.local().evaluate(Sample(answer, context, id=str(n))) for n, answer in enumerate(answers)]
    assert [record["id"] for record in records] == [0, 1, 2]
    assert [Evaluation.from_dict(record["evaluation"]) for record in records] == local


def test_an_installation_that_cannot_work_says_so(two_nodes: TwoNodes) -> None:
    from grapheval.errors import ModelError
    from grapheval.ray.engine import process

    class Broken(FakeVerifier):
        def count_tokens(self, texts: Sequence[str]) -> list[int]:
            msg = "the model's file is damaged"
            raise ModelError(msg)

    pipeline = GraphEval(FakeExtractor(), Broken())
    with pytest.raises(ModelError, match=r"cannot start: .*the model's file is damaged"):
        list(process(lines([0]), pipeline, workers=1))
