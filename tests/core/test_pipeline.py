"""The pipeline on fakes for the models and the real selector and rules; each status by an independent path."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from grapheval import (
    Evaluation,
    ExtractionError,
    Failure,
    GraphEval,
    InputError,
    Label,
    ModelError,
    Reason,
    Sample,
    Source,
    Status,
)
from grapheval.protocols import Judgement, Pair, VerifierInfo
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier
from grapheval.types import Claim, Extraction, Outcome, Rejected

ANSWER = "Oslo is the capital of Norway."
TRIPLES = {ANSWER: [("Oslo", "is", "the capital of Norway")]}
CLAIM = "Oslo is the capital of Norway"
CONTEXT = "Oslo is the capital of Norway and its largest city."


def pipeline(verifier: FakeVerifier | None = None, extractor: object = None, **settings: object) -> GraphEval:
    return GraphEval(
        extractor=extractor or FakeExtractor(TRIPLES),  # type: ignore[arg-type]
        verifier=verifier or FakeVerifier({CLAIM: (0.9, 0.08, 0.02)}),
        **settings,  # type: ignore[arg-type]
    )


class FixedExtractor(FakeExtractor):
    """Returns one given extraction."""

    def __init__(self, extraction: Extraction) -> None:
        super().__init__()
        self.extraction = extraction

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        return [self.extraction for _ in samples]


class TestStatuses:
    def test_consistent(self) -> None:
        got = pipeline().evaluate(ANSWER, CONTEXT)
        assert got.status is Status.CONSISTENT
        assert got.p_inconsistent == pytest.approx(0.1)
        assert got.groundedness == pytest.approx(0.9)
        (verdict,) = got.verdicts
        assert verdict.label is Label.SUPPORTED
        assert not verdict.flagged
        (evidence,) = verdict.evidence
        assert CONTEXT[evidence.start : evidence.end] == evidence.text

    def test_inconsistent(self) -> None:
        got = pipeline(FakeVerifier({CLAIM: (0.05, 0.05, 0.9)})).evaluate(ANSWER, CONTEXT)
        assert got.status is Status.INCONSISTENT
        assert got.p_inconsistent == pytest.approx(0.95)
        assert [v.label for v in got.flagged] == [Label.CONTRADICTED]

    def test_the_context_does_not_say(self) -> None:
        got = pipeline(FakeVerifier({CLAIM: (0.2, 0.75, 0.05)})).evaluate(ANSWER, CONTEXT)
        assert got.status is Status.INCONSISTENT
        assert [v.label for v in got.flagged] == [Label.UNSUPPORTED]
        assert got.flagged[0].evidence == ()

    def test_partial_when_something_was_not_judged(self) -> None:
        got = pipeline(FakeVerifier({CLAIM: Reason.UNSUPPORTED_LANGUAGE})).evaluate(ANSWER, CONTEXT)
        assert (got.status, got.reason) == (Status.PARTIAL, Reason.UNSUPPORTED_LANGUAGE)
        assert got.p_inconsistent is None
        assert got.verdicts[0].label is Label.UNVERIFIED

    def test_inconsistent_goes_before_partial(self) -> None:
        answer = "A is B. C is D."
        extractor = FakeExtractor({answer: [("A", "is", "B"), ("C", "is", "D")]})
        verifier = FakeVerifier({"A is B": Reason.CLAIM_TOO_LONG, "C is D": 0.1})
        got = pipeline(verifier, extractor).evaluate(answer, "A is B. C is E.")
        assert got.status is Status.INCONSISTENT

    def test_sources_in_conflict_are_shown_and_not_called_inconsistent(self) -> None:
        def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
            return (0.95, 0.03, 0.02) if "Norway" in premise else (0.01, 0.02, 0.97)

        sources = [
            Source("Oslo is the capital of Norway.", "atlas"),
            Source("Oslo is the capital of nothing at all, Bergen is the capital.", "blog"),
        ]
        got = pipeline(FakeVerifier(judge)).evaluate(ANSWER, sources)
        assert (got.status, got.reason) == (Status.PARTIAL, Reason.SOURCES_CONFLICT)
        assert got.verdicts[0].label is Label.CONFLICTING
        assert {(e.source_id, e.stance.value) for e in got.verdicts[0].evidence} == {
            ("atlas", "supports"),
            ("blog", "contradicts"),
        }

    def test_abstained(self) -> None:
        extractor = FixedExtractor(Extraction(outcome=Outcome.ABSTAINED, reason=Reason.ANSWER_DECLINES))
        got = pipeline(extractor=extractor).evaluate("I do not know.", CONTEXT)
        assert (got.status, got.p_inconsistent) == (Status.ABSTAINED, None)

    @pytest.mark.parametrize("answer", ["", "  \n\t", "\u200b"])
    def test_nothing_to_check(self, answer: str) -> None:
        extractor = FixedExtractor(Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK))
        got = pipeline(extractor=extractor).evaluate(answer, CONTEXT)
        assert (got.status, got.reason) == (Status.NO_CLAIMS, Reason.NOTHING_TO_CHECK)
        assert got.p_inconsistent is None

    @pytest.mark.parametrize("context", [None, "", [], ["", "  "]])
    def test_no_context(self, context: object) -> None:
        verifier = FakeVerifier()
        got = pipeline(verifier).evaluate(ANSWER, context)
        assert (got.status, got.reason, got.p_inconsistent) == (Status.NO_CONTEXT, Reason.EMPTY_CONTEXT, None)
        assert [v.label for v in got.verdicts] == [Label.UNVERIFIED]
        assert verifier.pairs == []

    def test_an_extraction_that_was_cut_off_is_partial_although_what_is_there_is_supported(self) -> None:
        cut = Extraction((Claim(CLAIM),), (Rejected('["A"', "cut off"),), Outcome.INCOMPLETE, "raw", Reason.LENGTH_STOP)
        got = pipeline(extractor=FixedExtractor(cut)).evaluate(ANSWER, CONTEXT)
        assert (got.status, got.reason) == (Status.PARTIAL, Reason.LENGTH_STOP)
        assert got.p_inconsistent == pytest.approx(0.1)


class TestThreshold:
    @pytest.mark.parametrize(("threshold", "status"), [(0.3, Status.INCONSISTENT), (0.5, Status.CONSISTENT)])
    def test_status_follows_from_the_threshold(self, threshold: float, status: Status) -> None:
        got = pipeline(FakeVerifier({CLAIM: 0.6}), threshold=threshold).evaluate(ANSWER, CONTEXT)
        assert got.status is status
        assert got.threshold == got.provenance.threshold == threshold
        assert bool(got.flagged) == (status is Status.INCONSISTENT)

    @pytest.mark.parametrize("threshold", [0, 1, -0.2, 1.5, float("nan")])
    def test_a_threshold_outside_is_refused(self, threshold: float) -> None:
        with pytest.raises(InputError, match="threshold"):
            pipeline(threshold=threshold)


class TestInput:
    def test_a_sample_comes_alone(self) -> None:
        with pytest.raises(InputError, match="already holds"):
            pipeline().evaluate(Sample(ANSWER, CONTEXT), CONTEXT)

    def test_an_answer_beyond_the_limit_is_refused_with_the_numbers(self) -> None:
        with pytest.raises(InputError, match=r"11 characters.*max_answer_chars=10"):
            pipeline(max_answer_chars=10).evaluate("x" * 11, CONTEXT)

    def test_braces_are_data(self) -> None:
        answer = 'Set {"id": 7} and {name}.'
        got = pipeline(FakeVerifier(default=0.9)).evaluate(answer, 'Set {"id": 7} and {name}. {0} %s')
        assert got.verdicts[0].claim.text == answer


class TestFailures:
    def test_single_calls_raise_typed_errors(self) -> None:
        with pytest.raises(ModelError, match=r"fake failed: RuntimeError: boom") as caught:
            pipeline(FakeVerifier(fail=RuntimeError("boom"))).evaluate(ANSWER, CONTEXT)
        assert caught.value.stage == "verify"
        with pytest.raises(ExtractionError):
            pipeline(extractor=FakeExtractor(fail=ExtractionError("no triples", raw="?"))).evaluate(ANSWER, CONTEXT)

    def test_a_timeout_is_retryable(self) -> None:
        with pytest.raises(ModelError) as caught:
            pipeline(FakeVerifier(fail=TimeoutError("slow"))).evaluate(ANSWER, CONTEXT)
        assert caught.value.retryable
        assert caught.value.code == "timeout"

    def test_a_verifier_that_loses_pairs_is_caught(self) -> None:
        class Short(FakeVerifier):
            def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                return []

        with pytest.raises(ModelError, match="0 judgements for 1 pairs"):
            pipeline(Short()).evaluate(ANSWER, CONTEXT)

    def test_a_batch_reports_what_raised_in_its_place_and_keeps_the_rest(self) -> None:
        class Picky(FakeVerifier):
            def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                if any("poison" in pair.hypothesis for pair in pairs):
                    raise RuntimeError("boom")
                return super().verify(pairs)

        samples = [Sample(f"Claim {c}", "A context with a claim.", id=f"s{i}") for i, c in enumerate("abcdefghij")]
        samples[3] = Sample("poison claim", "A context with a claim.", id="bad")
        samples[7] = Sample("x" * 50, "A context.", id="long")
        results = pipeline(Picky(default=0.9), FakeExtractor(), max_answer_chars=40).evaluate_many(samples)
        assert len(results) == 10
        assert results[3] == Failure("bad", "verify", "model_error", "fake failed: RuntimeError: boom")
        assert isinstance(results[7], Failure)
        assert (results[7].sample_id, results[7].code) == ("long", "input_error")
        good = [r for r in results if isinstance(r, Evaluation)]
        assert len(good) == 8
        assert {r.status for r in good} == {Status.CONSISTENT}

    def test_a_batch_takes_any_iterable_and_keeps_its_order(self) -> None:
        names = [f"n{i}" for i in range(37)]
        extractor = FakeExtractor({name: [(name, "is", "here")] for name in names})
        got = pipeline(FakeVerifier(default=0.9), extractor).evaluate_many(Sample(n, f"{n} is here") for n in names)
        assert [e.verdicts[0].claim.text for e in got if isinstance(e, Evaluation)] == [f"{n} is here" for n in names]


class TestAsync:
    async def test_async_gives_what_sync_gives(self) -> None:
        assert await pipeline().aevaluate(ANSWER, CONTEXT) == pipeline().evaluate(ANSWER, CONTEXT)

    async def test_a_sync_call_inside_a_running_loop_works(self) -> None:
        assert asyncio.get_running_loop()
        assert pipeline().evaluate(ANSWER, CONTEXT).status is Status.CONSISTENT

    async def test_native_async_stages_are_awaited(self) -> None:
        class Native(FakeVerifier):
            async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                await asyncio.sleep(0)
                return [Judgement(0.9) for _ in pairs]

            def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
                raise AssertionError("the synchronous form was called")

        got = await pipeline(Native()).aevaluate(ANSWER, CONTEXT)
        assert got.status is Status.CONSISTENT

    async def test_many_keep_their_order_and_report_failures(self) -> None:
        samples = [Sample(ANSWER, CONTEXT), Sample("x" * 200, CONTEXT), Sample(ANSWER, None)]
        got = await pipeline(max_answer_chars=100).aevaluate_many(samples)
        assert isinstance(got[0], Evaluation)
        assert got[0].status is Status.CONSISTENT
        assert got[1] == Failure("1", "input", "input_error", got[1].message)  # type: ignore[union-attr]
        assert isinstance(got[2], Evaluation)
        assert got[2].status is Status.NO_CONTEXT


def test_the_same_input_twice_gives_the_same_result() -> None:
    one = pipeline()
    assert one.evaluate(ANSWER, CONTEXT) == one.evaluate(ANSWER, CONTEXT)


def test_provenance_says_what_ran() -> None:
    got = pipeline().evaluate(ANSWER, CONTEXT).provenance
    assert got.extractor == "fake"
    assert got.verifier == "fake@1"
    assert got.selector
    assert got.aggregator
    assert got.selection["pairs"] == 1


def test_correct_without_a_corrector_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"corrector=|from_llm"):
        pipeline().correct(ANSWER, CONTEXT)


class TestPaperProtocol:
    def paper(self, replies: list[str], verifier: FakeVerifier) -> GraphEval:
        return GraphEval.from_llm(FakeLLM(replies), verifier=verifier, protocol="paper")

    def test_each_triple_is_judged_against_the_whole_context_and_any_above_the_threshold_decides(self) -> None:
        verifier = FakeVerifier({"Oslo is big": 0.9, "Oslo lies in Sweden": 0.3})
        got = self.paper(['[["Oslo", "is", "big"], ["Oslo", "lies in", "Sweden"]]'], verifier).evaluate(
            "Oslo is big and lies in Sweden. It also rained.", ["First passage.", "Second passage."]
        )
        assert got.status is Status.INCONSISTENT
        assert got.p_inconsistent == pytest.approx(0.7)
        assert [v.flagged for v in got.verdicts] == [False, True]
        assert {pair.premise for pair in verifier.pairs} == {"First passage.\n\nSecond passage."}

    def test_what_does_not_fit_is_reported(self) -> None:
        class Small(FakeVerifier):
            @property
            def info(self) -> VerifierInfo:
                return VerifierInfo("small", max_tokens=40)

        got = self.paper(['[["Oslo", "is", "big"]]'], Small(default=0.9)).evaluate("Oslo is big.", "Word word. " * 60)
        assert (got.status, got.reason) == (Status.CONSISTENT, Reason.CONTEXT_CUT)
        assert got.provenance.selection["unread_chars"] > 0
