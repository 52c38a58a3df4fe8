"""Runs the peers' faithfulness checks on the twenty answers, against the stub; for the peers' own environment.

Usage, from the project's root: python -m tests.benchmarks.cost_account.peers OUT.jsonl WORDS [WORDS ...]
"""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable

from tests.benchmarks.cost_account.samples import SAMPLES, CostSample
from tests.benchmarks.cost_account.stub import Stub, contexts, save, serving

MODEL = "gpt-4o-mini"
Check = Callable[[CostSample, list[str]], Awaitable[object]]

os.environ.update(
    OPENAI_API_KEY="stub",
    RAGAS_DO_NOT_TRACK="true",
    DEEPEVAL_TELEMETRY_OPT_OUT="YES",
    DEEPEVAL_UPDATE_WARNING_OPT_IN="NO",
)


def ragas(url: str) -> Check:
    """Faithfulness as its documentation shows it: `ragas.metrics.collections.Faithfulness`."""
    from openai import AsyncOpenAI
    from ragas.llms import llm_factory
    from ragas.metrics.collections import Faithfulness

    metric = Faithfulness(llm=llm_factory(MODEL, client=AsyncOpenAI(base_url=url)))

    async def check(sample: CostSample, passages: list[str]) -> object:
        found = await metric.ascore(user_input=sample.question, response=sample.answer, retrieved_contexts=passages)
        return found.value

    return check


def deepeval(url: str) -> Check:
    """`FaithfulnessMetric` with its defaults."""
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import OpenAIModel
    from deepeval.test_case import LLMTestCase

    metric = FaithfulnessMetric(model=OpenAIModel(model=MODEL, base_url=url))

    async def check(sample: CostSample, passages: list[str]) -> object:
        case = LLMTestCase(input=sample.question, actual_output=sample.answer, retrieval_context=passages)
        await metric.a_measure(case, _show_indicator=False)
        return metric.score

    return check


def llamaindex(url: str) -> Check:
    """`FaithfulnessEvaluator` with its defaults."""
    from llama_index.core.evaluation import FaithfulnessEvaluator
    from llama_index.llms.openai import OpenAI

    evaluator = FaithfulnessEvaluator(llm=OpenAI(model=MODEL, api_base=url, api_key="stub"))

    async def check(sample: CostSample, passages: list[str]) -> object:
        found = await evaluator.aevaluate(query=sample.question, response=sample.answer, contexts=passages)
        return found.score

    return check


async def run(tool: str, check: Check, stub: Stub, words: int) -> None:
    """Run every answer at one length; what a peer scores must be what the stub told it."""
    for sample in SAMPLES:
        stub.now(tool, sample, words)
        score = await check(sample, contexts(sample, words))
        share = sum(sample.grounded) / len(sample.grounded)
        expected = share if tool != "llamaindex" else float(share == 1)
        if abs(float(str(score)) - expected) > 1e-6:
            sys.exit(f"{tool} scored {score} instead of {expected} on {sample.id}: it did not read the stub's replies")


async def main(out: str, lengths: list[int]) -> None:
    """Run the peers; the calls are on disk after each length of each peer."""
    with serving() as stub:
        for tool, build in (("llamaindex", llamaindex), ("ragas", ragas), ("deepeval", deepeval)):
            check = build(stub.url)
            for words in lengths:
                await run(tool, check, stub, words)
                save(stub.calls, out)
                print(f"{tool}: {words} words done", file=sys.stderr, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], [int(words) for words in sys.argv[2:]]))
