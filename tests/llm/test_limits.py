"""Limits on a model's traffic, in both forms: timeouts, retries, rate, places, budget; against a real local server."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from grapheval import GraphEval, Sample, Status
from grapheval.errors import BudgetExceeded, GraphEvalError, InputError, ModelError
from grapheval.llm import LimitedLLM, Limits, OpenAICompatible
from grapheval.llm.deadline import answer_deadline, remaining
from grapheval.llm.gates import Budget, Gate, Pace
from grapheval.protocols import Completion, Message
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier
from grapheval.types import Failure, Reason, Usage
from grapheval.verification.llm_judge import LLMJudge
from tests.tools.openai_stub import OpenAIStub, Reply

CHAT = [Message("user", "Capital of Norway?")]
QUICK = {"backoff": 0.0}

Ask = Callable[[LimitedLLM], Completion]


def _sync(llm: LimitedLLM) -> Completion:
    return llm.complete(CHAT)


def _async(llm: LimitedLLM) -> Completion:
    return asyncio.run(llm.acomplete(CHAT))


both = pytest.mark.parametrize("ask", [_sync, _async], ids=["sync", "async"])


def passing(message: str = "busy") -> ModelError:
    return ModelError(message, retryable=True, code="rate_limit")


class Counting:
    """A synchronous model that counts who is inside at once, and lets them out when told."""

    name = "counting"

    def __init__(self, release: threading.Event | None = None) -> None:
        self.release = release
        self.inside = self.most = self.calls = 0
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message]) -> Completion:
        with self._lock:
            self.calls += 1
            self.inside += 1
            self.most = max(self.most, self.inside)
        if self.release is not None:
            self.release.wait(20)
        with self._lock:
            self.inside -= 1
        return Completion("Oslo", "stop", Usage(1, 10, 5))


class Hanging:
    """An asynchronous model that never replies."""

    name = "hanging"

    def __init__(self) -> None:
        self.cancelled = 0

    def complete(self, messages: Sequence[Message]) -> Completion:
        raise NotImplementedError

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return Completion("never")


# ------------------------------------------------------------------------------------------------------------ retries


@both
def test_only_errors_that_may_pass_are_tried_again(ask: Ask) -> None:
    inner = FakeLLM([passing(), ConnectionError("lost"), "Oslo"])
    llm = LimitedLLM(inner, Limits(tries=3, **QUICK))
    assert ask(llm).text == "Oslo"
    assert (len(inner.prompts), llm.spent.calls) == (3, 3)

    inner = FakeLLM([ModelError("no such model", code="unknown_model"), "Oslo"])
    with pytest.raises(ModelError, match="no such model"):
        ask(LimitedLLM(inner, Limits(**QUICK)))
    assert len(inner.prompts) == 1


@both
def test_the_last_error_is_raised_as_it_is(ask: Ask) -> None:
    with pytest.raises(ModelError, match="busy 2") as caught:
        ask(LimitedLLM(FakeLLM([passing("busy 1"), passing("busy 2")]), Limits(tries=2, **QUICK)))
    assert (caught.value.code, caught.value.retryable) == ("rate_limit", True)


@both
def test_a_client_of_our_own_leaves_the_retries_to_the_limits(ask: Ask) -> None:
    with OpenAIStub([Reply(status=503), Reply(status=429, headers={"Retry-After": "0"}), "Oslo"]) as stub:
        inner = OpenAICompatible("tiny", stub.url, "key", tries=5)
        assert ask(LimitedLLM(inner, Limits(tries=3, **QUICK))).text == "Oslo"
    assert (len(stub.requests), inner.tries) == (3, 5)


# ----------------------------------------------------------------------------------------------------------- timeouts


@both
def test_a_call_that_takes_too_long_is_given_up(ask: Ask) -> None:
    release = threading.Event()
    with pytest.raises(ModelError, match=r"counting did not answer within 0\.05 s") as caught:
        ask(LimitedLLM(Counting(release), Limits(timeout=0.05, tries=1)))
    release.set()
    assert (caught.value.code, caught.value.retryable) == ("timeout", True)


async def test_an_asynchronous_call_is_cancelled() -> None:
    inner = Hanging()
    with pytest.raises(ModelError, match="did not answer"):
        await LimitedLLM(inner, Limits(timeout=0.05, tries=2, **QUICK)).acomplete(CHAT)
    assert inner.cancelled == 2


@pytest.mark.parametrize("form", ["sync", "async"])
def test_a_server_that_sends_byte_after_byte_runs_into_the_timeout(form: str) -> None:
    import socket

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                for _ in range(400):
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        return
                    time.sleep(0.02)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        llm = OpenAICompatible("tiny", f"http://127.0.0.1:{server.getsockname()[1]}/v1", "key", timeout=0.3, tries=1)
        with pytest.raises(ModelError, match=r"within 0\.3 s") as caught:
            llm.complete(CHAT) if form == "sync" else asyncio.run(llm.acomplete(CHAT))
        llm.close()
        thread.join(20)
    assert caught.value.code == "timeout"


def pipeline(llm: object, **options: object) -> GraphEval:
    return GraphEval.from_llm(llm, verifier=FakeVerifier(default=0.9), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["sync", "async", "many", "async many"])
def test_the_answer_has_one_clock_for_all_its_calls(form: str) -> None:
    release = threading.Event()
    graph = pipeline(Counting(release), answer_timeout=1.0)
    sample = Sample("Oslo is the capital of Norway.", "Oslo is the capital.", id="a")
    if form in {"sync", "async"}:
        with pytest.raises(ModelError, match=r"answer_timeout") as caught:
            graph.evaluate(sample) if form == "sync" else asyncio.run(graph.aevaluate(sample))
        code, stage = caught.value.code, caught.value.stage
    else:
        (failure,) = graph.evaluate_many([sample]) if form == "many" else asyncio.run(graph.aevaluate_many([sample]))
        assert isinstance(failure, Failure)
        code, stage = failure.code, failure.stage
    release.set()
    assert (code, stage) == ("timeout", "extract")


def test_the_judge_keeps_what_it_has_when_the_answers_time_is_over() -> None:
    release = threading.Event()

    def judge(prompt: str) -> str:
        if "B is large" in prompt:
            release.wait(20)
        return '<verdict>{"supported": 99, "contradicted": 0}</verdict>'

    graph = GraphEval(
        extractor=FakeExtractor({"A is small. B is large.": [("A", "is", "small"), ("B", "is", "large")]}),
        verifier=LLMJudge(judge),
        answer_timeout=3.0,
    )
    evaluation = graph.evaluate("A is small. B is large.", "A is small, and so is B.")
    release.set()
    assert evaluation.status is Status.PARTIAL
    assert [verdict.reason for verdict in evaluation.verdicts] == [None, Reason.TIMEOUT]


def test_of_two_clocks_the_one_that_ends_first_counts() -> None:
    assert remaining() is None
    with answer_deadline(100), answer_deadline(1000):
        left = remaining()
        assert left is not None
        assert 90 < left <= 100
    with answer_deadline(None):
        assert remaining() is None


@pytest.mark.parametrize("value", [0, -1.0, float("nan")])
def test_an_answer_timeout_must_be_positive(value: float) -> None:
    with pytest.raises(InputError, match="answer_timeout"):
        GraphEval(FakeExtractor(), FakeVerifier(), answer_timeout=value)


# ------------------------------------------------------------------------------------------------------------- budget


@both
def test_a_budget_of_calls_counts_every_try_and_then_stops(ask: Ask) -> None:
    inner = FakeLLM([passing(), "Oslo", "Bergen"])
    llm = LimitedLLM(inner, Limits(max_calls=2, **QUICK))
    assert ask(llm).text == "Oslo"
    with pytest.raises(BudgetExceeded, match=r"budget of 2 calls is used up .* raise max_calls="):
        ask(llm)
    assert len(inner.prompts) == 2


@both
def test_a_budget_of_tokens_stops_before_a_prompt_that_does_not_fit(ask: Ask) -> None:
    llm = LimitedLLM(Counting(), Limits(max_tokens=32, **QUICK))  # 15 tokens a call; the prompt is estimated at 5
    ask(llm)
    ask(llm)
    with pytest.raises(BudgetExceeded, match="32 tokens"):
        ask(llm)
    assert llm.spent == Usage(2, 20, 10)


def test_tokens_that_a_model_does_not_report_are_estimated() -> None:
    llm = LimitedLLM(lambda prompt: "four" * 10, Limits(max_tokens=1000))
    llm.complete([Message("user", "abcd" * 25)])
    assert llm.spent == Usage(1, 25, 10)


def test_a_call_that_was_refused_costs_no_tokens_and_one_that_hung_its_prompt() -> None:
    llm = LimitedLLM(FakeLLM([ModelError("no")]), Limits(max_tokens=1000))
    with pytest.raises(ModelError):
        llm.complete(CHAT)
    assert llm.spent == Usage(1, 0, 0)
    release = threading.Event()
    slow = LimitedLLM(Counting(release), Limits(timeout=0.05, tries=1))
    with pytest.raises(ModelError):
        slow.complete(CHAT)
    release.set()
    assert slow.spent == Usage(1, 5, 0)


def test_a_batch_stops_cleanly_when_the_budget_is_used_up() -> None:
    llm = FakeLLM(lambda _: '[["Oslo", "is", "the capital of Norway"]]')
    graph = pipeline(llm, limits=Limits(max_calls=2))
    samples = [Sample("Oslo is the capital of Norway.", "Oslo is the capital.", id=str(n)) for n in range(5)]
    results = graph.evaluate_many(samples)
    codes = [result.code if isinstance(result, Failure) else result.status.value for result in results]
    assert codes == ["consistent", "consistent", "budget_exceeded", "budget_exceeded", "budget_exceeded"]
    assert len(llm.prompts) == 2


def test_many_threads_never_spend_more_calls_than_there_are() -> None:
    inner = Counting()
    llm = LimitedLLM(inner, Limits(max_calls=50, tries=1))
    refused: list[GraphEvalError] = []

    def work() -> None:
        for _ in range(20):
            try:
                llm.complete(CHAT)
            except BudgetExceeded as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inner.calls, len(refused), llm.spent.calls) == (50, 110, 50)


def test_the_budget_goes_with_a_copy() -> None:
    llm = LimitedLLM(FakeLLM(["Oslo"]), Limits(max_calls=1))
    llm.complete(CHAT)
    copy: LimitedLLM = pickle.loads(pickle.dumps(llm))
    with pytest.raises(BudgetExceeded):
        copy.complete(CHAT)


# --------------------------------------------------------------------------------------------------- places and pace


async def test_so_many_calls_at_once_and_no_more() -> None:
    release = threading.Event()
    inner = Counting(release)
    llm = LimitedLLM(inner, Limits(concurrency=3))
    tasks = [asyncio.create_task(llm.acomplete(CHAT)) for _ in range(12)]
    while inner.inside < 3:  # noqa: ASYNC110 - set by a thread
        await asyncio.sleep(0.01)
    assert llm.under_way == 3
    release.set()
    assert len(await asyncio.gather(*tasks)) == 12
    assert (inner.most, inner.calls, llm.under_way) == (3, 12, 0)


async def test_threads_and_event_loops_share_the_places_and_cancellation_frees_them() -> None:
    hanging = Hanging()
    llm = LimitedLLM(hanging, Limits(concurrency=2, timeout=None))
    inside = [asyncio.create_task(llm.acomplete(CHAT)) for _ in range(2)]
    waiting = [asyncio.create_task(llm.acomplete(CHAT)) for _ in range(3)]
    await asyncio.sleep(0.05)
    for task in [*waiting, *inside]:
        task.cancel()
    await asyncio.gather(*waiting, *inside, return_exceptions=True)
    assert (hanging.cancelled, llm.under_way) == (2, 0)


def test_a_gate_hands_its_places_over_in_order() -> None:
    gate = Gate(1)
    order: list[int] = []
    with gate.hold():
        first = gate._enter()
        given_up = gate._enter()
        second = gate._enter()
        assert first is not None
        assert second is not None
        assert given_up is not None
        first.add_done_callback(lambda _: order.append(1))
        second.add_done_callback(lambda _: order.append(2))
        gate._give_up(given_up)
        with pytest.raises(TimeoutError), gate.hold(0.01):
            pass
        assert order == []
    assert order == [1]
    gate._leave()
    assert (order, gate.free) == ([1, 2], 0)
    gate._leave()
    assert gate.free == 1


def test_a_pace_is_evenly_spaced_and_refuses_what_lies_too_far_ahead() -> None:
    pace = Pace(per_minute=60)
    assert pace.take() == 0.0
    assert 0.9 < pace.take() <= 1.0
    with pytest.raises(TimeoutError):
        pace.take(within=0.5)
    assert 1.8 < pace.take() <= 2.0  # the refused slot was not taken
    pace.add(10)
    assert 12.5 < pace.take() <= 13.0
    assert Pace(None).take(1e9) == 0.0


@both
def test_calls_wait_for_the_rate_limit(ask: Ask) -> None:
    llm = LimitedLLM(FakeLLM(["Oslo"]), Limits(calls_per_minute=600))
    began = time.monotonic()
    for _ in range(3):
        ask(llm)
    assert time.monotonic() - began >= 0.199  # 600 a minute: 0.1 s apart


@both
def test_an_answer_does_not_wait_for_a_slot_that_comes_too_late(ask: Ask) -> None:
    llm = LimitedLLM(FakeLLM(["Oslo"]), Limits(calls_per_minute=1))
    ask(llm)
    with answer_deadline(5), pytest.raises(ModelError, match="rate limit") as caught:
        ask(llm)
    assert (caught.value.code, llm.spent.calls) == ("timeout", 1)


@pytest.mark.parametrize(
    "wrong",
    [{"timeout": 0}, {"tries": 1.5}, {"concurrency": True}, {"max_calls": -1}, {"calls_per_minute": float("inf")}],
)
def test_limits_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]


def test_a_budget_of_nothing_sends_nothing() -> None:
    with pytest.raises(BudgetExceeded):
        Budget(0, None).take(1)
    with pytest.raises(BudgetExceeded):
        Budget(None, 0).take(1)
