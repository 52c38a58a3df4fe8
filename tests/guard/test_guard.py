"""What leaves a guard under each policy, on real selection and rules; models are tables."""

from __future__ import annotations

import json

import pytest

from grapheval import GraphEval, InputError, ModelError, Reason, Sample, Status
from grapheval.guard import Cause, Decision, Guard, GuardError
from grapheval.guard.ledger import applied
from grapheval.testing import FakeVerifier
from grapheval.types import Action, CorrectionStatus
from tests.guard.helpers import CONTEXT, SentenceExtractor, TableCorrector, pipeline

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."
LAST = "Tromso lies in the north."
ANSWER = f"{GOOD} {WRONG} {LAST}"
MESSAGE = "No."


def guard(table: dict[str, str] | None = None, **settings: object) -> Guard:
    settings.setdefault("block_message", MESSAGE)
    return Guard(pipeline(TableCorrector(table or {})), **settings)  # type: ignore[arg-type]


class TestCorrect:
    def test_a_clean_answer_passes_untouched(self) -> None:
        answer = f"  {GOOD}\n\n{LAST} \n"
        got = guard().run(answer, CONTEXT)
        assert (got.text, got.decision, got.cause) == (answer, Decision.PASSED, None)
        assert got.evaluation.status is Status.CONSISTENT
        assert got.correction is not None
        assert got.correction.status is CorrectionStatus.UNCHANGED
        assert got.correction.edits == ()

    def test_a_flagged_sentence_is_replaced_and_nothing_else_is_touched(self) -> None:
        got = guard({WRONG: FIXED}).run(ANSWER, CONTEXT)
        assert got.text == f"{GOOD} {FIXED} {LAST}"
        assert got.decision is Decision.CORRECTED
        assert got.evaluation.status is Status.INCONSISTENT
        assert got.final.status is Status.CONSISTENT
        correction = got.correction
        assert correction is not None
        assert correction.status is CorrectionStatus.CORRECTED
        (edit,) = correction.edits
        assert (edit.old, edit.new, ANSWER[edit.start : edit.end]) == (WRONG, FIXED, WRONG)
        assert edit.claim.span == (edit.start, edit.end)
        assert applied(ANSWER, correction.edits) == got.text
        assert correction.usage.calls == 1

    def test_spans_point_into_the_whole_answer_before_and_after(self) -> None:
        got = guard({WRONG: FIXED}).run(ANSWER, CONTEXT)
        assert [v.claim.span.of(ANSWER) for v in got.evaluation.verdicts if v.claim.span] == [GOOD, WRONG, LAST]
        assert [v.claim.span.of(got.text) for v in got.final.verdicts if v.claim.span] == [GOOD, FIXED, LAST]

    def test_each_claim_is_judged_once(self) -> None:
        one = pipeline(TableCorrector())
        Guard(one).run(f"{GOOD} {FIXED} {LAST}", CONTEXT)
        verifier = one.verifier
        assert isinstance(verifier, FakeVerifier)
        assert [pair.hypothesis for pair in verifier.pairs] == [GOOD, FIXED, LAST]

    def test_each_sentence_is_read_after_what_left_before_it(self) -> None:
        extractor = SentenceExtractor()
        one = pipeline(TableCorrector({WRONG: FIXED}), extractor=extractor)
        Guard(one).run(ANSWER, CONTEXT)
        assert extractor.calls == [
            GOOD,
            f"{GOOD} {WRONG}",
            f"{GOOD} {FIXED}",  # the re-check
            f"{GOOD} {FIXED} {LAST}",
        ]

    def test_the_lookback_is_limited_to_whole_sentences(self) -> None:
        extractor = SentenceExtractor()
        Guard(pipeline(TableCorrector(), extractor=extractor), lookback=40).run(f"{GOOD} {FIXED} {LAST}", CONTEXT)
        assert extractor.calls == [GOOD, f"{GOOD} {FIXED}", f"{FIXED} {LAST}"]
        Guard(pipeline(TableCorrector(), extractor=extractor), lookback=0).run(f"{GOOD} {LAST}", CONTEXT)
        assert extractor.calls[3:] == [GOOD, LAST]

    def test_claims_without_a_place_are_judged_once(self) -> None:
        one = pipeline(TableCorrector(), extractor=SentenceExtractor(placed=False))
        got = Guard(one).run(f"{GOOD} {LAST}", CONTEXT)
        assert got.decision is Decision.PASSED
        assert [v.claim.text for v in got.evaluation.verdicts] == [GOOD, LAST]

    def test_a_repair_that_was_not_rechecked_is_rechecked(self) -> None:
        corrector = TableCorrector({WRONG: "Bergen is still wrong."}, recheck=False)
        got = Guard(pipeline(corrector), on_unrepaired="block", block_message=MESSAGE).run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (f"{GOOD} {MESSAGE}", Decision.BLOCKED)
        good = TableCorrector({WRONG: FIXED}, recheck=False)
        assert Guard(pipeline(good)).run(ANSWER, CONTEXT).decision is Decision.CORRECTED

    def test_a_repair_that_is_empty_drops_the_sentence(self) -> None:
        got = guard({WRONG: ""}).run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (f"{GOOD} {LAST}", Decision.CORRECTED)

    def test_an_abstention_passes(self) -> None:
        got = guard().run("Sorry, I found nothing about that.", CONTEXT)
        assert got.decision is Decision.PASSED
        assert got.evaluation.status is Status.ABSTAINED

    @pytest.mark.parametrize("answer", ["", "  \n", "Hello!", "# Heading"])
    def test_what_claims_nothing_passes(self, answer: str) -> None:
        got = guard().run(answer, CONTEXT)
        assert (got.text, got.decision, got.evaluation.status) == (answer, Decision.PASSED, Status.NO_CLAIMS)


class TestUnrepaired:
    def test_without_a_setting_it_is_dropped(self) -> None:
        got = guard().run(ANSWER, CONTEXT)
        assert (got.text, got.decision, got.cause) == (f"{GOOD} {LAST}", Decision.CORRECTED, None)

    @pytest.mark.parametrize(("setting", "told"), [("drop", "drop"), ("block", "keep"), ("mark", "keep")])
    async def test_a_corrector_that_can_take_a_clause_out_is_told_so(self, setting: str, told: str) -> None:
        class Dropping(TableCorrector):
            told: str = ""

            def leaving(self, unrepaired: str) -> Dropping:
                self.told = unrepaired
                return self

        corrector = Dropping({WRONG: FIXED})
        one = Guard(pipeline(corrector), on_unrepaired=setting)  # type: ignore[arg-type]
        assert one.run(ANSWER, CONTEXT).text == (await one.arun(ANSWER, CONTEXT)).text == f"{GOOD} {FIXED} {LAST}"
        assert corrector.told == told

    def test_block_ends_the_answer(self) -> None:
        got = guard(on_unrepaired="block").run(ANSWER, CONTEXT)
        assert got.text == f"{GOOD} {MESSAGE}"
        assert (got.decision, got.cause) == (Decision.BLOCKED, Cause.FLAGGED)
        assert got.correction is not None
        assert got.correction.status is CorrectionStatus.FAILED
        assert applied(ANSWER, got.correction.edits) == got.text
        assert [u.reason for u in got.correction.unrepaired] == ["the corrector changed nothing"]

    def test_block_with_hold_answer_replaces_all_of_it(self) -> None:
        got = guard(hold="answer", on_unrepaired="block").run(ANSWER, CONTEXT)
        assert got.text == MESSAGE
        assert got.correction is not None
        assert applied(ANSWER, got.correction.edits) == MESSAGE

    def test_block_at_the_first_sentence(self) -> None:
        got = guard(on_unrepaired="block").run(f" {WRONG} {GOOD}", CONTEXT)
        assert got.text == MESSAGE

    def test_drop(self) -> None:
        got = guard(on_unrepaired="drop").run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (f"{GOOD} {LAST}", Decision.CORRECTED)
        assert got.correction is not None
        assert [edit.action for edit in got.correction.edits] == [Action.DROP]
        assert got.final.status is Status.CONSISTENT

    @pytest.mark.parametrize(
        ("answer", "left"),
        [
            (f"{WRONG} {GOOD}", GOOD),
            (f"{GOOD} {WRONG}", GOOD),
            (f"{GOOD}\n\n{WRONG} {LAST}", f"{GOOD}\n\n{LAST}"),
            (f"{GOOD} {WRONG}\n\n{LAST}", f"{GOOD}\n\n{LAST}"),
            (f"- {GOOD}\n- {WRONG}\n- {LAST}\n", f"- {GOOD}\n- {LAST}\n"),
            (f"{GOOD} {WRONG} {WRONG} {LAST}", f"{GOOD} {LAST}"),
            (f"{GOOD}\n\n{WRONG} {WRONG}\n\n\n{LAST}", f"{GOOD}\n\n\n{LAST}"),
            (f"{GOOD}\n\n{WRONG} {WRONG} {WRONG}", f"{GOOD}\n\n"),
        ],
    )
    def test_drop_leaves_the_white_space_in_order(self, answer: str, left: str) -> None:
        got = guard(on_unrepaired="drop").run(answer, CONTEXT)
        assert got.text == left
        assert got.correction is not None
        assert applied(answer, got.correction.edits) == left
        assert list(got.correction.edits) == sorted(got.correction.edits, key=lambda edit: edit.start)

    def test_nothing_left_is_a_block(self) -> None:
        got = guard(on_unrepaired="drop").run(f"{WRONG} {WRONG}", CONTEXT)
        assert (got.text, got.decision, got.cause) == (MESSAGE, Decision.BLOCKED, Cause.FLAGGED)

    def test_mark(self) -> None:
        got = guard(on_unrepaired="mark", mark=" [?]").run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (f"{GOOD} {WRONG} [?] {LAST}", Decision.FLAGGED)
        assert got.correction is not None
        assert applied(ANSWER, got.correction.edits) == got.text
        assert got.correction.edits[0].action is Action.MARK

    def test_marks_are_not_read_with_the_next_sentence(self) -> None:
        extractor = SentenceExtractor()
        one = pipeline(TableCorrector(), extractor=extractor)
        Guard(one, on_unrepaired="mark", mark=" [?]").run(ANSWER, CONTEXT)
        assert extractor.calls[-1] == ANSWER

    def test_keep(self) -> None:
        got = guard(on_unrepaired="keep").run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (ANSWER, Decision.FLAGGED)
        assert got.correction is not None
        assert got.correction.status is CorrectionStatus.FAILED

    def test_what_was_partly_repaired_is_kept_as_far_as_it_is_better(self) -> None:
        class TwoClaims(SentenceExtractor):
            def _one(self, answer: str) -> object:  # type: ignore[override]
                from grapheval import Claim, Extraction, Span

                parts = answer.split("; ")
                starts = [answer.index(part) for part in parts]
                pairs = zip(starts, parts, strict=True)
                return Extraction(tuple(Claim(p, None, Span(s, s + len(p))) for s, p in pairs))

        one = pipeline(TableCorrector({"wrong a": "a is fine"}), extractor=TwoClaims())
        got = Guard(one, on_unrepaired="keep").run("wrong a; wrong b", CONTEXT)
        assert got.text == "a is fine; wrong b"
        assert got.decision is Decision.FLAGGED
        assert got.correction is not None
        assert got.correction.status is CorrectionStatus.PARTIAL

    def test_a_corrector_that_fails_leaves_the_sentence_unrepaired(self) -> None:
        one = pipeline(TableCorrector(fail=RuntimeError("boom")))
        got = Guard(one, on_unrepaired="drop").run(ANSWER, CONTEXT)
        assert got.text == f"{GOOD} {LAST}"
        assert [(f.stage, f.code) for f in got.failures] == [("correct", "model_error")]

    def test_a_repair_of_what_has_left_is_refused(self) -> None:
        class Reaching(TableCorrector):
            def correct(self, sample, before, evaluate):  # type: ignore[no-untyped-def]
                from grapheval import Correction, Edit

                edit = Edit(0, len(GOOD), GOOD, "Oslo.", before.flagged[0].claim)
                answer = "Oslo." + sample.answer[len(GOOD) :]
                return Correction(answer, (edit,), before, None, CorrectionStatus.CORRECTED)

        got = Guard(pipeline(Reaching()), on_unrepaired="keep").run(ANSWER, CONTEXT)
        assert got.text == ANSWER
        assert got.correction is not None
        assert got.correction.unrepaired[0].reason == "the repair would change text that has already left"


class TestWhole:
    def test_block(self) -> None:
        got = guard(on_flagged="block").run(ANSWER, CONTEXT)
        assert (got.text, got.decision, got.cause, got.correction) == (MESSAGE, Decision.BLOCKED, Cause.FLAGGED, None)
        assert guard(on_flagged="block").run(GOOD, CONTEXT).decision is Decision.PASSED

    def test_flag_lets_it_leave_and_says_so(self) -> None:
        got = guard(on_flagged="flag").run(ANSWER, CONTEXT)
        assert (got.text, got.decision) == (ANSWER, Decision.FLAGGED)
        assert [v.claim.text for v in got.evaluation.flagged] == [WRONG]

    def test_raise(self) -> None:
        with pytest.raises(GuardError, match=r"not grounded.*Bergen is a wrong town") as caught:
            guard(on_flagged="raise").run(ANSWER, CONTEXT)
        assert (caught.value.result.text, caught.value.result.cause) == ("", Cause.FLAGGED)
        assert guard(on_flagged="raise").run(GOOD, CONTEXT).text == GOOD

    def test_block_by_sentence(self) -> None:
        got = guard(on_flagged="block", hold="sentence").run(ANSWER, CONTEXT)
        assert got.text == f"{GOOD} {MESSAGE}"

    def test_raise_by_sentence_gives_what_passed_first(self) -> None:
        stream = guard(on_flagged="raise", hold="sentence").stream(CONTEXT)
        assert stream.feed(ANSWER) == GOOD
        assert stream.stopped
        with pytest.raises(GuardError):
            stream.feed(" More.")
        with pytest.raises(GuardError) as caught:
            stream.close()
        assert caught.value.result.text == GOOD

    def test_only_correct_needs_a_corrector(self) -> None:
        with pytest.raises(InputError, match=r"from_llm.*block"):
            Guard(pipeline(None))
        for policy in ("block", "flag", "raise"):
            assert Guard(pipeline(None), on_flagged=policy).run(GOOD, CONTEXT).text == GOOD  # type: ignore[arg-type]


class TestUnjudged:
    ODD = "This is odd."

    @pytest.mark.parametrize("mode", ["correct", "block"])
    def test_blocked_by_default(self, mode: str) -> None:
        got = guard(on_flagged=mode).run(self.ODD, CONTEXT)
        assert (got.text, got.decision, got.cause) == (MESSAGE, Decision.BLOCKED, Cause.UNJUDGED)
        assert got.evaluation.reason is Reason.UNSUPPORTED_LANGUAGE

    @pytest.mark.parametrize("mode", ["correct", "block"])
    def test_passes_when_asked_to(self, mode: str) -> None:
        got = guard(on_flagged=mode, on_unjudged="pass").run(f"{GOOD} {self.ODD}", CONTEXT)
        assert (got.text, got.decision) == (f"{GOOD} {self.ODD}", Decision.UNJUDGED)

    def test_raise(self) -> None:
        with pytest.raises(GuardError, match="could not be judged: unsupported_language"):
            guard(on_flagged="raise").run(self.ODD, CONTEXT)

    def test_flag_holds_nothing_back_unless_asked_to(self) -> None:
        assert guard(on_flagged="flag").run(self.ODD, CONTEXT).decision is Decision.UNJUDGED
        assert guard(on_flagged="flag", on_unjudged="block").run(self.ODD, CONTEXT).text == MESSAGE

    @pytest.mark.parametrize("context", [None, "", [], ["", None]])
    def test_no_context_is_not_judged(self, context: object) -> None:
        if context == ["", None]:
            context = ["", {"text": None}]
        got = guard().run(GOOD, context)
        assert (got.text, got.cause, got.evaluation.status) == (MESSAGE, Cause.UNJUDGED, Status.NO_CONTEXT)

    @pytest.mark.parametrize("mode", ["correct", "block"])
    def test_a_verifier_that_fails_blocks(self, mode: str) -> None:
        one = pipeline(TableCorrector(), verifier=FakeVerifier(fail=TimeoutError("slow")))
        got = Guard(one, on_flagged=mode, block_message=MESSAGE).run(ANSWER, CONTEXT)  # type: ignore[arg-type]
        assert (got.text, got.decision, got.cause) == (MESSAGE, Decision.BLOCKED, Cause.FAILED)
        (failure,) = got.failures
        assert (failure.stage, failure.code, failure.retryable) == ("verify", "timeout", True)
        assert (got.evaluation.reason, got.evaluation.p_inconsistent) == (Reason.TIMEOUT, None)

    def test_a_verifier_that_fails_passes_only_when_asked_to(self) -> None:
        one = pipeline(TableCorrector(), verifier=FakeVerifier(fail=RuntimeError("boom")))
        got = Guard(one, on_unjudged="pass").run(ANSWER, CONTEXT)
        assert (got.text, got.decision, len(got.failures)) == (ANSWER, Decision.UNJUDGED, 3)

    def test_raise_names_the_failure(self) -> None:
        one = pipeline(verifier=FakeVerifier(fail=ModelError("the service is gone")))
        with pytest.raises(GuardError, match="the service is gone"):
            Guard(one, on_flagged="raise").run(ANSWER, CONTEXT)

    def test_an_answer_that_is_too_long_is_not_judged(self) -> None:
        one = pipeline(max_answer_chars=20)
        got = Guard(one, on_flagged="block", block_message=MESSAGE).run(ANSWER, CONTEXT)
        assert (got.text, got.cause) == (MESSAGE, Cause.FAILED)
        assert got.failures[0].code == "input_error"


class TestInput:
    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({"on_flagged": "fix"}, "correct, block, flag, raise"),
            ({"on_unrepaired": "x"}, "block, drop, mark, keep"),
            ({"on_unjudged": "x"}, "block, pass"),
            ({"hold": "x"}, "answer, sentence"),
            ({"lookback": -1}, "lookback"),
            ({"on_flagged": "flag", "hold": "sentence"}, "holds nothing back"),
        ],
    )
    def test_a_setting_without_meaning(self, settings: dict[str, object], words: str) -> None:
        with pytest.raises(InputError, match=words):
            guard(**settings)

    def test_a_context_that_is_none(self) -> None:
        with pytest.raises(InputError, match="context"):
            guard().run(GOOD, 7)

    def test_a_sample_comes_alone(self) -> None:
        assert guard().run(Sample(GOOD, CONTEXT)).text == GOOD
        with pytest.raises(InputError, match="already holds"):
            guard().run(Sample(GOOD, CONTEXT), CONTEXT)

    def test_braces_and_marks_are_data(self) -> None:
        got = guard(on_unrepaired="mark", mark=" {0} %s {name}").run("A {wrong} {0}.", "{name} %s")
        assert got.text == "A {wrong} {0}. {0} %s {name}"


def test_the_result_has_a_plain_form() -> None:
    got = json.loads(json.dumps(guard({WRONG: FIXED}).run(ANSWER, CONTEXT).to_dict()))
    assert (got["decision"], got["text"]) == ("corrected", f"{GOOD} {FIXED} {LAST}")
    assert got["evaluation"]["groundedness"] == pytest.approx(0.02)


async def test_async_gives_what_sync_gives() -> None:
    for settings in ({}, {"on_flagged": "block"}, {"on_unrepaired": "drop"}):
        one = guard({WRONG: FIXED}, **settings)
        assert await one.arun(ANSWER, CONTEXT) == one.run(ANSWER, CONTEXT)


def test_the_pipeline_is_not_changed_by_a_guard() -> None:
    one: GraphEval = pipeline(TableCorrector({WRONG: FIXED}))
    extractor = one.extractor
    Guard(one).run(ANSWER, CONTEXT)
    assert one.extractor is extractor
