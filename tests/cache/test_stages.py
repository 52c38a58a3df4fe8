"""Stages behind a cache: the same results, no second call, and no failure that is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grapheval import ExtractionError, GraphEval, ModelError, Reason, Status
from grapheval.cache import ResultCache, cached
from grapheval.cache.stages import CachedVerifier, cached_extractor, cached_verifier
from grapheval.guard import Guard
from grapheval.protocols import Judgement, Pair, SupportsAsyncVerify, Verifier, VerifierInfo
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier

PAIR = Pair("Oslo is big.", "Oslo is big")
ODD = 0.1 + 0.2  # not exactly representable in decimals: what comes back must be this very number


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    return ResultCache(tmp_path / "results.sqlite3")


def test_the_second_time_the_verifier_is_not_asked_and_the_judgement_is_the_same_bit_for_bit(
    cache: ResultCache,
) -> None:
    inner = FakeVerifier({"Oslo is big": (ODD, 1 - ODD, 0.0), "other": 0.7})
    verifier = cached_verifier(inner, cache)
    pairs = [PAIR, Pair("Oslo is big.", "other"), PAIR]
    first = verifier.verify(pairs)
    assert first == inner.verify(pairs)
    assert inner.pairs[:2] == [PAIR, pairs[1]]  # once each
    inner.pairs.clear()
    assert cached_verifier(inner, ResultCache(cache.file)).verify(pairs) == first
    assert inner.pairs == []


def test_windows_claims_versions_and_prompts_are_told_apart(cache: ResultCache) -> None:
    @dataclass
    class Versioned(FakeVerifier):
        version: str = "1"
        prompts: str = "p"

        @property
        def info(self) -> VerifierInfo:
            return VerifierInfo("versioned", self.version)

        @property
        def prompt_hashes(self) -> dict[str, str]:
            return {"judge": self.prompts}

    def ask(pair: Pair, answer: float, **settings: str) -> float | None:
        inner = Versioned(default=answer, **settings)  # type: ignore[arg-type]
        return cached_verifier(inner, cache).verify([pair])[0].p_entailment

    assert ask(PAIR, 0.1) == 0.1
    assert ask(Pair(PAIR.premise + " ", PAIR.hypothesis), 0.2) == 0.2
    assert ask(Pair(PAIR.premise, PAIR.hypothesis + "."), 0.3) == 0.3
    assert ask(Pair(PAIR.hypothesis, PAIR.premise), 0.4) == 0.4
    assert ask(PAIR, 0.5, version="2") == 0.5
    assert ask(PAIR, 0.6, prompts="q") == 0.6
    assert ask(PAIR, 0.9) == 0.1


def test_what_was_not_judged_and_what_raised_is_not_kept(cache: ResultCache) -> None:
    unjudged = FakeVerifier({"Oslo is big": Reason.TIMEOUT})
    assert cached_verifier(unjudged, cache).verify([PAIR])[0].reason is Reason.TIMEOUT
    with pytest.raises(ModelError):
        cached_verifier(FakeVerifier(fail=ModelError("away")), cache).verify([PAIR])
    assert len(cache) == 0
    assert cached_verifier(FakeVerifier(default=0.9), cache).verify([PAIR])[0].p_entailment == 0.9


def test_a_verifier_without_a_version_is_not_cached(cache: ResultCache) -> None:
    class Unpinned(FakeVerifier):
        @property
        def info(self) -> VerifierInfo:
            return VerifierInfo("unpinned")

    inner = Unpinned(default=0.5)
    assert cached_verifier(inner, cache) is inner


def test_a_verifier_that_loses_pairs_is_not_covered_up(cache: ResultCache) -> None:
    class Short(FakeVerifier):
        def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            return []

    with pytest.raises(ModelError, match="0 judgements for 1 pairs"):
        cached(GraphEval(FakeExtractor(), Short()), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert len(cache) == 0


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{}",
        "[2.0,null,null]",
        "[NaN,null,null]",
        '["0.9",null,null]',
        "[true,null,null]",
        "[0.9,[0.9,0.9,0.9],null]",
        "[0.9,[0.9,0.1],null]",
        '[0.9,null,"__import__"]',
        "[null,null,null]",
        "[" * 10_000,
    ],
)
def test_a_value_that_is_no_judgement_is_judged_anew_and_replaced(cache: ResultCache, value: str) -> None:
    inner = FakeVerifier(default=0.25)
    verifier = cached_verifier(inner, cache)
    verifier.verify([PAIR])
    with sqlite3.connect(cache.file) as database:
        database.execute("UPDATE entries SET value = ?", (value,))
    database.close()
    assert verifier.verify([PAIR]) == [Judgement(0.25)]
    assert len(inner.pairs) == 2
    assert cache.get(verifier._keys([PAIR])).values()  # type: ignore[attr-defined]
    assert verifier.verify([PAIR]) == [Judgement(0.25)]
    assert len(inner.pairs) == 2


REPLY = '[["Oslo", "is", "big"]]'


def llm_pipeline(llm: FakeLLM, **settings: Any) -> GraphEval:
    return GraphEval.from_llm(llm, verifier=FakeVerifier(default=0.9), **settings)


def test_an_llm_is_paid_once_and_what_it_cost_is_said_once(cache: ResultCache) -> None:
    llm = FakeLLM([REPLY])
    first = cached(llm_pipeline(llm), cache).evaluate("Oslo is big.", "Oslo is big.")
    again = cached(llm_pipeline(llm), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert len(llm.prompts) == 1
    assert first.provenance.usage["calls"] == 1
    assert again.provenance.usage == {}
    assert again.verdicts == first.verdicts
    assert again.provenance.prompts == first.provenance.prompts != {}
    cached(llm_pipeline(llm), cache).evaluate("Oslo is small.", "Oslo is big.")
    cached(llm_pipeline(llm), cache).evaluate("Oslo is big.", "Oslo is big.", "How big?")
    cached(llm_pipeline(llm, protocol="paper"), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert len(llm.prompts) == 4


def test_extractions_that_failed_are_not_kept(cache: ResultCache) -> None:
    prose = FakeLLM(["I would rather not.", "Still not."])
    with pytest.raises(ExtractionError):
        cached(llm_pipeline(prose), cache).evaluate("Oslo is big.", "Oslo is big.")
    cut = FakeLLM(['[["Oslo", "is", "big"], ["Oslo", "has", ', ModelError("away")])
    got = cached(llm_pipeline(cut), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert (got.status, got.reason) == (Status.PARTIAL, Reason.LENGTH_STOP)
    whole = FakeLLM([REPLY])
    got = cached(llm_pipeline(whole), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert got.status is Status.CONSISTENT
    assert len(whole.prompts) == 1


def test_an_extraction_that_does_not_fit_the_answer_is_made_anew(cache: ResultCache) -> None:
    llm = FakeLLM([REPLY])
    cached(llm_pipeline(llm), cache).evaluate("Oslo is big.", "Oslo is big.")
    with sqlite3.connect(cache.file) as database:
        for key, value in database.execute("SELECT key, value FROM entries").fetchall():
            data = json.loads(value)
            if isinstance(data, dict):
                data["claims"][0]["span"] = [5, 4000]
                database.execute("UPDATE entries SET value = ? WHERE key = ?", (json.dumps(data), key))
    database.close()
    got = cached(llm_pipeline(llm), cache).evaluate("Oslo is big.", "Oslo is big.")
    assert len(llm.prompts) == 2
    assert got.verdicts[0].claim.span == (0, 11)


async def test_async_stages_stay_async_and_share_the_cache(cache: ResultCache) -> None:
    class Native(FakeVerifier):
        async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
            return self.verify(pairs)

    llm, inner = FakeLLM([REPLY]), Native(default=0.9)
    pipeline = GraphEval.from_llm(llm, verifier=inner)
    first = await cached(pipeline, cache).aevaluate("Oslo is big.", "Oslo is big.")
    again = cached(pipeline, cache).evaluate("Oslo is big.", "Oslo is big.")
    assert first.verdicts == again.verdicts
    assert len(llm.prompts) == 1
    assert len(inner.pairs) == 1
    assert isinstance(cached_verifier(inner, cache), SupportsAsyncVerify)
    assert not isinstance(cached_verifier(FakeVerifier(), cache), SupportsAsyncVerify)
    assert isinstance(cached_verifier(FakeVerifier(), cache), Verifier)


def test_the_local_extractor_is_left_as_it_is_and_the_pipeline_too(cache: ResultCache) -> None:
    extractor = FakeExtractor()
    pipeline = GraphEval(extractor, FakeVerifier(default=0.9), threshold=0.3)
    made = cached(pipeline, cache)
    assert made is not pipeline
    assert made.extractor is extractor
    assert made.threshold == 0.3
    assert isinstance(made.verifier, CachedVerifier)
    assert not isinstance(pipeline.verifier, CachedVerifier)
    assert cached(made, cache).verifier is made.verifier
    assert cached_extractor(extractor, cache) is extractor
    assert made.evaluate_many([]) == []
    assert made.evaluate("Oslo.", "Oslo.") == pipeline.evaluate("Oslo.", "Oslo.")


def test_a_guard_keeps_nothing_of_its_own_accord(cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache_root / "guarded"
    monkeypatch.setenv("GRAPHEVAL_CACHE_DIR", str(folder))
    Guard(GraphEval(FakeExtractor(), FakeVerifier(default=0.9)), on_flagged="flag").run("Oslo is big.", "Oslo is big.")
    assert not folder.exists()


def test_batches_cache_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grapheval.cli.run import run

    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"answer": "Oslo is big.", "contexts": ["Oslo is big."]}) + "\n")
    asked: list[Pair] = []

    def build(_: object) -> GraphEval:
        return GraphEval(FakeExtractor(), FakeVerifier(default=0.9, pairs=asked))

    def batch(*options: str) -> int:
        asked.clear()
        assert run(["batch", str(source), str(tmp_path / "out.jsonl"), "-q", *options], build) == 0
        return len(asked)

    monkeypatch.setenv("GRAPHEVAL_CACHE_DIR", str(tmp_path / "cache"))
    assert [batch(), batch(), batch("--no-cache")] == [1, 0, 1]
    assert [batch("--cache", str(tmp_path / "own")), batch("--cache", str(tmp_path / "own"))] == [1, 0]
    # A cache that cannot be used stops nothing.
    assert batch("--cache", str(tmp_path)) == 1
    assert run(["batch", str(source), str(tmp_path / "out.jsonl"), "--cache", "x", "--no-cache"], build) == 2
