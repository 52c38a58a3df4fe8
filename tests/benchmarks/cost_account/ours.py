"""Runs GraphEval with an LLM extractor on the twenty answers, against the stub; for the project's own environment.

Usage, from the project's root: python -m tests.benchmarks.cost_account.ours OUT.jsonl WORDS [WORDS ...]
"""

from __future__ import annotations

import sys

from grapheval import GraphEval, Sample
from grapheval.llm import OpenAICompatible
from grapheval.testing import FakeVerifier
from tests.benchmarks.cost_account.samples import SAMPLES, CostSample
from tests.benchmarks.cost_account.stub import Stub, contexts, save, serving


def pipeline(stub: Stub) -> GraphEval:
    """The LLM extracts; the verifier is no LLM, so a fake one costs the same: nothing."""
    return GraphEval.from_llm(
        OpenAICompatible("gpt-4o-mini", base_url=stub.url, api_key="stub"), verifier=FakeVerifier()
    )


def run(evaluator: GraphEval, stub: Stub, sample: CostSample, words: int) -> None:
    """Evaluate one answer; every triple that the stub gave must have been judged."""
    stub.now("grapheval", sample, words)
    found = evaluator.evaluate(Sample(sample.answer, contexts(sample, words), sample.question))
    if len(found.triples) != len(sample.triples):
        sys.exit(f"{len(found.triples)} triples instead of {len(sample.triples)} on {sample.id}")


def main(out: str, lengths: list[int]) -> None:
    """Run all answers at all lengths."""
    with serving() as stub:
        evaluator = pipeline(stub)
        for words in lengths:
            for sample in SAMPLES:
                run(evaluator, stub, sample, words)
        save(stub.calls, out)


if __name__ == "__main__":
    main(sys.argv[1], [int(words) for words in sys.argv[2:]])
