"""The service over a pipeline of fakes, spoken to through ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx

from grapheval import Correction, CorrectionStatus, Edit, GraphEval
from grapheval.protocols import Judgement, Pair
from grapheval.serve import Limits, create_app
from grapheval.testing import FakeExtractor, FakeVerifier

ANSWER = "Oslo is the capital of Norway. Oslo has nine million inhabitants."
CLAIMS = [("Oslo", "is the capital of", "Norway"), ("Oslo", "has", "nine million inhabitants")]
CONTEXT = "Oslo is the capital of Norway. Oslo has about 700,000 inhabitants."
ASK = {"answer": ANSWER, "contexts": [CONTEXT]}


class Corrector:
    """Replaces what the table says; evaluates the result as the real ones do."""

    info = "table"

    def correct(self, sample: Any, before: Any, evaluate: Any) -> Correction:
        old, new = "nine million", "about 700,000"
        start = sample.answer.find(old)
        if start < 0:
            return Correction(sample.answer, (), before, None, CorrectionStatus.UNCHANGED)
        claim = before.verdicts[-1].claim
        repaired = sample.answer.replace(old, new)
        edit = Edit(start, start + len(old), old, new, claim)
        after = evaluate(type(sample)(repaired, sample.sources, sample.question))
        return Correction(repaired, (edit,), before, after, CorrectionStatus.CORRECTED)


def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
    return (0.02, 0.08, 0.9) if "million" in hypothesis else (0.97, 0.02, 0.01)


def pipeline(**stages: Any) -> GraphEval:
    made: dict[str, Any] = {
        "extractor": FakeExtractor({ANSWER: CLAIMS}),
        "verifier": FakeVerifier(judge),
        "corrector": Corrector(),
    }
    return GraphEval(**(made | stages))


class Held(FakeVerifier):
    """A verifier that answers when it is let go."""

    def __init__(self) -> None:
        super().__init__(judge)
        self.began, self.go = asyncio.Event(), asyncio.Event()
        self.asked = 0

    async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.asked += 1
        self.began.set()
        await self.go.wait()
        return self.verify(pairs)


class Broken(FakeVerifier):
    """A verifier that fails with a given error."""

    def __init__(self, error: Exception) -> None:
        super().__init__(judge, fail=error)


def client(
    made: GraphEval | None = None, limits: Limits | None = None, base: str = "http://localhost", **options: Any
) -> httpx.AsyncClient:
    app = create_app(made if made is not None else pipeline(), limits=limits, **options)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=base)
