"""The cost claim: one LLM call per answer, whose tokens do not grow with the context."""

from __future__ import annotations

import pytest

from tests.benchmarks.cost_account import ours
from tests.benchmarks.cost_account.account import Cost, crossing, problems, render
from tests.benchmarks.cost_account.samples import SAMPLES
from tests.benchmarks.cost_account.stub import Call, contexts, reply_to, serving


def _words(text: str) -> int:
    return len(text.split())


def test_one_call_whose_tokens_do_not_grow_with_the_context() -> None:
    with serving() as stub:
        evaluator = ours.pipeline(stub)
        for sample in SAMPLES[:3]:
            for words in (0, 2000):
                ours.run(evaluator, stub, sample, words)
    assert len(stub.calls) == 6
    assert problems(stub.calls, _words) == []
    for call, sample in zip(stub.calls[::2], SAMPLES, strict=False):
        assert sample.answer in call.messages[-1]
        assert not any(sentence in text for text in call.messages for sentence in sample.passage.split(". "))


def test_the_account_sees_a_second_call_and_growing_tokens() -> None:
    one = Call("grapheval", "ferry", 0, ("a b",), "", "c")
    assert problems([one, one], _words) == ["ferry at 0 words took 2 calls"]
    longer = Call("grapheval", "ferry", 9, ("a b c",), "", "c")
    assert problems([one, longer], _words) == ["ferry took [3, 4] tokens"]


def test_the_crossing_is_where_the_lines_meet() -> None:
    flat = [Cost("grapheval", context, 1, 900, 0, 100) for context in (100, 1100)]
    growing = [Cost("ragas", context, 2, 400 + context, 50, 100) for context in (100, 1100)]
    assert crossing(flat, growing) == pytest.approx(500)
    dear = [Cost("deepeval", context, 4, 2000 + context, 50, 100) for context in (100, 1100)]
    assert crossing(flat, dear) == 0
    assert "| 600 (500 + 100) | 50 |  |" in render([flat[0], growing[0]])  # one length draws no line
    table = render(flat + growing)
    assert "| RAGAS faithfulness | 2 | 600 (500 + 100) | 1,600 (1,500 + 100) | 50 | 500 |" in table
    assert "| GraphEval | 1 | 1,000 (900 + 100) | 1,000 (900 + 100) | 0 |  |" in table


def test_every_tool_is_told_the_same() -> None:
    sample = SAMPLES[0]
    assert len(contexts(sample, 0)) == 1
    assert sum(_words(passage) for passage in contexts(sample, 3000)) >= 3000
    assert all(triple[2] in reply_to("grapheval", sample, 0, "") for triple in sample.triples)
    assert reply_to("llamaindex", sample, 0, "") == "NO"
    assert all(s in reply_to("deepeval", sample, 0, '... "claims" ...') for s in sample.statements)
    with pytest.raises(ValueError, match="does not know"):
        reply_to("ragas", sample, 0, "something new")
