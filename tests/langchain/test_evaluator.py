"""The evaluator in chains, as a LangSmith and openevals function, with events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import ConfigurableField, RunnableLambda, RunnablePassthrough

from grapheval import Evaluation, InputError, ModelError, Status
from grapheval.testing import FakeVerifier
from langchain_grapheval import GraphEvaluator
from tests.guard.helpers import CONTEXT, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."


def evaluator(**settings: Any) -> GraphEvaluator:
    return GraphEvaluator(pipeline=pipeline(), **settings)


def test_strings_documents_and_messages() -> None:
    for context in (CONTEXT, [Document(CONTEXT)], [[Document(CONTEXT)]]):
        got = evaluator().invoke({"answer": AIMessage(GOOD), "context": context})
        assert isinstance(got, Evaluation)
        assert got.status is Status.CONSISTENT


def test_in_a_chain() -> None:
    chain = RunnableLambda(lambda question: {"question": question, "context": [Document(CONTEXT)]}) | (
        RunnablePassthrough.assign(answer=lambda data: WRONG) | RunnablePassthrough.assign(grapheval=evaluator())
    )
    got = chain.invoke("Where is Bergen?")
    assert got["answer"] == WRONG
    assert got["grapheval"].status is Status.INCONSISTENT


def test_plain_dictionaries_on_request() -> None:
    got = evaluator(output="dict").invoke({"answer": WRONG, "context": CONTEXT})
    assert json.loads(json.dumps(got))["status"] == "inconsistent"
    assert Evaluation.from_dict(got).groundedness == pytest.approx(0.02)


def test_other_keys() -> None:
    one = evaluator(answer_key="result", context_key="source_documents", question_key="ask")
    assert one.invoke({"result": GOOD, "source_documents": CONTEXT, "ask": "?"}).status is Status.CONSISTENT


def test_an_empty_retrieval_and_a_missing_key_are_different() -> None:
    assert evaluator().invoke({"answer": GOOD, "context": []}).status is Status.NO_CONTEXT
    with pytest.raises(InputError, match="no 'context'"):
        evaluator().invoke({"answer": GOOD})


async def test_async_and_batches() -> None:
    data = [{"answer": answer, "context": CONTEXT} for answer in (GOOD, WRONG, GOOD)]
    assert await evaluator().ainvoke(data[1]) == evaluator().invoke(data[1])
    got = await evaluator().abatch(data, {"max_concurrency": 2})
    assert [item.status.value for item in got] == ["consistent", "inconsistent", "consistent"]
    results = evaluator().batch([data[0], {"answer": "x"}], return_exceptions=True)
    assert isinstance(results[0], Evaluation)
    assert isinstance(results[1], InputError)


async def test_each_verdict_is_an_event() -> None:
    events = [
        event
        async for event in evaluator().astream_events({"answer": f"{GOOD} {WRONG}", "context": CONTEXT}, version="v2")
        if event["event"] == "on_custom_event"
    ]
    assert [event["name"] for event in events] == ["grapheval_verdict"] * 2
    assert [(e["data"]["claim"]["text"], e["data"]["flagged"]) for e in events] == [(GOOD, False), (WRONG, True)]


def test_a_configurable_threshold() -> None:
    one = GraphEvaluator(pipeline=pipeline(verifier=FakeVerifier(default=0.6))).configurable_fields(
        threshold=ConfigurableField(id="threshold")
    )
    data = {"answer": GOOD, "context": CONTEXT}
    assert one.invoke(data).status is Status.CONSISTENT
    assert one.invoke(data, {"configurable": {"threshold": 0.3}}).status is Status.INCONSISTENT
    with pytest.raises(ValueError, match="threshold must lie between"):  # pydantic's, around ours
        GraphEvaluator(pipeline=pipeline(), threshold=1.5)


def test_a_failing_verifier_raises_a_typed_error() -> None:
    one = GraphEvaluator(pipeline=pipeline(verifier=FakeVerifier(fail=RuntimeError("boom"))))
    with pytest.raises(ModelError, match="boom"):
        one.invoke({"answer": GOOD, "context": CONTEXT})


class TestAsFunction:
    def test_the_shape(self) -> None:
        got = evaluator().evaluator()(outputs={"answer": WRONG, "context": CONTEXT}, inputs={"question": "?"})
        assert set(got) == {"key", "score", "comment", "metadata"}
        assert got["key"] == "grapheval"
        assert got["score"] == pytest.approx(0.02)
        assert got["comment"] == f"inconsistent: {WRONG} (unsupported)"

    @pytest.mark.parametrize(
        "arguments",
        [
            {"outputs": GOOD, "context": CONTEXT},
            {"outputs": {"answer": GOOD}, "inputs": {"context": CONTEXT}},
            {"outputs": {"answer": GOOD, "context": [Document(CONTEXT)]}},
            {"outputs": {"output": GOOD}, "inputs": "Which?", "context": [CONTEXT], "reference_outputs": None},
        ],
    )
    def test_where_the_context_is_found(self, arguments: dict[str, Any]) -> None:
        assert evaluator().evaluator()(**arguments)["score"] == pytest.approx(0.97)

    def test_nothing_judged_is_no_score(self) -> None:
        got = evaluator().evaluator()(outputs="Sorry, nothing.", context=CONTEXT)
        assert (got["score"], got["comment"]) == (None, "abstained: answer_declines")

    def test_what_is_missing_is_said(self) -> None:
        with pytest.raises(InputError, match="context"):
            evaluator().evaluator()(outputs=GOOD)
        with pytest.raises(InputError, match="'answer'"):
            evaluator().evaluator()(outputs={"a": 1, "b": 2}, context=CONTEXT)

    def test_the_older_shape(self) -> None:
        got = evaluator().evaluate_strings(prediction=GOOD, reference=CONTEXT, input="?")
        assert got["value"] == "consistent"
        with pytest.raises(InputError, match="reference"):
            evaluator().evaluate_strings(prediction=GOOD)

    async def test_async(self) -> None:
        got = await evaluator().aevaluator("mine")(outputs=GOOD, context=CONTEXT)
        assert (got["key"], got["score"]) == ("mine", pytest.approx(0.97))


def _examples() -> list[Any]:
    from datetime import UTC, datetime
    from uuid import uuid4

    from langsmith.schemas import Example

    inputs = [{"question": "Which town?", "context": CONTEXT}, {"question": "Where?", "context": CONTEXT}]
    return [Example(id=uuid4(), inputs=item, dataset_id=uuid4(), created_at=datetime.now(UTC)) for item in inputs]


def test_langsmith_evaluate_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    from langsmith import Client, evaluate

    monkeypatch.setenv("LANGSMITH_TRACING", "false")

    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"answer": GOOD if "Which" in inputs["question"] else WRONG}

    results = evaluate(
        target,
        data=_examples(),
        evaluators=[evaluator().evaluator()],
        upload_results=False,
        client=Client(api_key="none", auto_batch_tracing=False),
    )
    scores = [row["evaluation_results"]["results"][0] for row in results]
    assert {result.key for result in scores} == {"grapheval"}
    assert sorted(result.score for result in scores) == [pytest.approx(0.02), pytest.approx(0.97)]


async def test_langsmith_aevaluate_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    from langsmith import Client, aevaluate

    monkeypatch.setenv("LANGSMITH_TRACING", "false")

    async def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"answer": GOOD}

    results = await aevaluate(
        target,
        data=_examples()[:1],
        evaluators=[evaluator().aevaluator()],
        upload_results=False,
        client=Client(api_key="none", auto_batch_tracing=False),
    )
    rows = [row async for row in results]
    assert [row["evaluation_results"]["results"][0].score for row in rows] == [pytest.approx(0.97)]
