"""One pipeline for threads, forked and spawned workers; pickled as its configuration, without the models."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.context import BaseContext

import pytest

from grapheval import GraphEval, Sample, Status
from grapheval.forks import renew_after_fork
from grapheval.llm import LimitedLLM, Limits, OpenAICompatible
from grapheval.llm.gates import Gate
from grapheval.testing import FakeLLM, FakeVerifier
from grapheval.verification.dynamic import DynamicBatcher
from tests.tools.openai_stub import OpenAIStub

CONTEXT = "Marie Curie was born in Warsaw in 1867. She moved to Paris in 1891."
ANSWERS = {
    "Marie Curie was born in Warsaw.": Status.CONSISTENT,
    "Marie Curie was born in Vienna in 1900.": Status.INCONSISTENT,
}


@pytest.fixture(scope="module")
def local() -> GraphEval:
    return GraphEval.local()


def _status(pipeline: GraphEval, answer: str) -> tuple[str, float | None, int]:
    evaluation = pipeline.evaluate(answer, CONTEXT)
    return evaluation.status.value, evaluation.p_inconsistent, os.getpid()


def test_threads_share_one_pipeline(local: GraphEval) -> None:
    alone = {answer: local.evaluate(answer, CONTEXT) for answer in ANSWERS}
    assert {answer: evaluation.status for answer, evaluation in alone.items()} == ANSWERS
    with ThreadPoolExecutor(6) as pool:
        jobs = [(answer, pool.submit(local.evaluate, answer, CONTEXT)) for answer in list(ANSWERS) * 6]
        assert all(job.result() == alone[answer] for answer, job in jobs)


def test_several_event_loops_share_one_pipeline(local: GraphEval) -> None:
    async def both() -> list[Status]:
        found = await asyncio.gather(*(local.aevaluate(answer, CONTEXT) for answer in ANSWERS))
        return [evaluation.status for evaluation in found]

    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: asyncio.run(both()), range(3)))
    assert results == [list(ANSWERS.values())] * 3


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_both_kinds(local: GraphEval, method: str) -> None:
    context: BaseContext = multiprocessing.get_context(method)
    here = {answer: _status(local, answer) for answer in ANSWERS}  # the models are loaded before the fork
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        there = {answer: pool.submit(_status, local, answer).result(900) for answer in ANSWERS}
    for answer in ANSWERS:
        assert there[answer][:2] == here[answer][:2]
        assert there[answer][2] != os.getpid()


def _in_child(work: object) -> None:
    """Run in a forked child; fail if it does not end by itself."""
    pid = os.fork()
    if pid == 0:
        try:
            work()  # type: ignore[operator]
            os._exit(0)
        except BaseException:  # noqa: BLE001 - reported by the exit status
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_child_that_is_forked_while_others_work_is_not_locked_out() -> None:
    """Another thread holds the locks at the moment of the fork, and does not exist in the child."""
    batcher = DynamicBatcher(FakeVerifier(default=0.25))
    gate = Gate(1)
    asked: list[object] = []
    with batcher._lock, gate._lock:
        batcher._working = True  # a thread that the child will not have

        def child() -> None:
            from grapheval.protocols import Pair

            asked.append(batcher.verify([Pair("premise", "claim")]))
            with gate.hold(5):
                pass

        done = threading.Event()

        def fork() -> None:
            _in_child(child)
            done.set()

        thread = threading.Thread(target=fork)
        thread.start()
        assert done.wait(60)
        thread.join()
    assert asked == []  # that was the child's


def test_a_child_does_not_write_into_its_parents_connections() -> None:
    from grapheval.protocols import Message

    chat = [Message("user", "Hello")]
    with OpenAIStub("hello") as stub:
        llm = OpenAICompatible("tiny", stub.url, "key")
        llm.complete(chat)
        parents = llm._client

        def child() -> None:
            assert llm._client is None
            assert llm.complete(chat).text == "hello"

        _in_child(child)
        assert llm._client is parents
        assert llm.complete(chat).text == "hello"
        llm.close()


def test_what_is_registered_does_not_live_longer_for_it() -> None:
    import gc
    import weakref

    class Owner:
        def renew(self) -> None:
            """Nothing to renew."""

    owner = Owner()
    renew_after_fork(owner.renew)
    seen = weakref.ref(owner)
    del owner
    gc.collect()
    assert seen() is None


def test_a_pickled_pipeline_is_its_configuration(local: GraphEval) -> None:
    local.evaluate(next(iter(ANSWERS)), CONTEXT)
    asyncio.run(local.aevaluate(next(iter(ANSWERS)), CONTEXT))
    data = pickle.dumps(local)
    assert len(data) < 5_000  # the model alone has 23 MB
    copy: GraphEval = pickle.loads(data)
    assert copy.provenance() == local.provenance()
    sample = Sample(next(iter(ANSWERS)), CONTEXT)
    assert copy.evaluate(sample) == local.evaluate(sample)
    assert asyncio.run(copy.aevaluate(sample)) == local.evaluate(sample)


def test_so_is_one_with_a_language_model() -> None:
    llm = LimitedLLM(FakeLLM(['[["Oslo", "is", "big"]]']), Limits(max_calls=5))
    pipeline = GraphEval.from_llm(llm, verifier=FakeVerifier(default=0.9), answer_timeout=30)
    pipeline.evaluate("Oslo is big.", "Oslo is big.")
    copy: GraphEval = pickle.loads(pickle.dumps(pipeline))
    assert copy.evaluate("Oslo is big.", "Oslo is big.").status is Status.CONSISTENT
    assert copy.answer_timeout == 30


def test_a_copy_of_a_pipeline_shares_its_batcher(local: GraphEval) -> None:
    import copy

    assert copy.copy(local)._shared_batcher() is local._shared_batcher()
