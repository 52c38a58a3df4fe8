"""GraphCorrect and the direct prompt: what is sent, what is changed, what is refused, what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from grapheval.correction.direct import DirectPrompt
from grapheval.correction.graphcorrect import GraphCorrect
from grapheval.errors import BudgetExceeded, GraphEvalError, ModelError
from grapheval.protocols import Completion, Corrector, Message, SupportsAsyncCorrect, SupportsPrompts
from grapheval.testing import FakeLLM
from grapheval.types import (
    Action,
    Claim,
    Correction,
    CorrectionStatus,
    Evaluation,
    Label,
    Reason,
    Sample,
    Source,
    Span,
    Status,
    Triple,
    Usage,
    Verdict,
)

ANSWER = "Tove Lind founded Nordkai in 1985.  It has 40 ships. The firm sits in Bergen."
CONTEXT = "Nordkai was founded in 1958 by Tove Lind. It has 14 ships and sits in Bergen."
YEAR = ("Tove Lind founded Nordkai in 1985", Triple("Tove Lind", "founded Nordkai in", "1985"), "1985")
SHIPS = ("Nordkai has 40 ships", Triple("Nordkai", "has", "40 ships"), "It has 40 ships")
TRUTHS = ("1958", "14 ships")

A_YEAR = '<triple>["Tove Lind", "founded Nordkai in", "1958"]</triple>'
A_SHIPS = '<triple>["Nordkai", "has", "14 ships"]</triple>'


def judge(*facts: tuple[str, Triple | None, str]) -> Callable[[Sample], Evaluation]:
    """An evaluation that flags each of these facts as long as its words stand in the answer."""

    def evaluate(sample: Sample) -> Evaluation:
        verdicts = []
        for text, triple, words in facts:
            start = sample.answer.find(words)
            if start >= 0:
                claim = Claim(text, triple, Span(start, start + len(words)))
                verdicts.append(Verdict(claim, Label.CONTRADICTED, 0.9, flagged=True))
        p = 0.1 if not verdicts else 0.9
        status = Status.INCONSISTENT if verdicts else Status.CONSISTENT
        return Evaluation(status, p_inconsistent=p, verdicts=tuple(verdicts))

    return evaluate


def correct(
    llm: FakeLLM, *facts: tuple[str, Triple | None, str], answer: str = ANSWER, **options: object
) -> Correction:
    sample = Sample(answer, CONTEXT)
    evaluate = judge(*facts)
    correction = GraphCorrect(llm, **options).correct(sample, evaluate(sample), evaluate)  # type: ignore[arg-type]
    check_edits(answer, correction)
    return correction


def check_edits(answer: str, correction: Correction) -> None:
    """The answer is the original with the edits, and nothing else."""
    text, position = "", 0
    for edit in correction.edits:
        assert answer[edit.start : edit.end] == edit.old
        assert edit.start >= position
        text += answer[position : edit.start] + edit.new
        position = edit.end
    assert text + answer[position:] == correction.answer


def test_two_calls_per_triple_in_order_and_context_and_answer_never_meet() -> None:
    fixed = ANSWER.replace("1985", "1958")
    llm = FakeLLM([A_YEAR, f"<text>{fixed}</text>", A_SHIPS, f"<text>{fixed.replace('40', '14')}</text>"])
    correction = correct(llm, YEAR, SHIPS)
    assert correction.status is CorrectionStatus.CORRECTED
    assert correction.answer == "Tove Lind founded Nordkai in 1958.  It has 14 ships. The firm sits in Bergen."
    assert [(e.old, e.new, e.claim.text, e.action) for e in correction.edits] == [
        ("1985", "1958", YEAR[0], Action.REPLACE),
        ("40", "14", SHIPS[0], Action.REPLACE),
    ]
    assert correction.unrepaired == ()
    assert correction.after is not None
    assert correction.after.status is Status.CONSISTENT
    first, second, third, fourth = ("\n".join(m.content for m in prompt) for prompt in llm.prompts)
    for call_a in (first, third):
        assert CONTEXT in call_a
        assert "The firm sits" not in call_a
    for call_b in (second, fourth):
        assert "14 ships and sits" not in call_b
    assert '["Tove Lind", "founded Nordkai in", "1985"]' in first
    assert '<new>\n["Tove Lind", "founded Nordkai in", "1958"]\n</new>' in second
    assert fixed in fourth  # the second triple is replaced in what the first left
    assert correction.usage.calls == 4
    assert correction.usage.input_tokens == sum(len(m.content.split()) for p in llm.prompts for m in p)


async def test_the_asynchronous_form_gives_the_same() -> None:
    replies = [A_YEAR, f"<text>{ANSWER.replace('1985', '1958')}</text>"]
    sample, evaluate = Sample(ANSWER, CONTEXT), judge(YEAR)

    async def aevaluate(sample: Sample) -> Evaluation:
        return evaluate(sample)

    one = await GraphCorrect(FakeLLM(replies)).acorrect(sample, evaluate(sample), aevaluate)
    assert one == GraphCorrect(FakeLLM(replies)).correct(sample, evaluate(sample), evaluate)
    assert one.status is CorrectionStatus.CORRECTED


def test_protocols_and_hashes() -> None:
    for corrector in (GraphCorrect(FakeLLM()), DirectPrompt(FakeLLM())):
        assert isinstance(corrector, Corrector)
        assert isinstance(corrector, SupportsAsyncCorrect)
        assert isinstance(corrector, SupportsPrompts)
        assert all(len(value) == 64 for value in corrector.prompt_hashes.values())


def test_nothing_flagged_costs_nothing() -> None:
    llm = FakeLLM([A_YEAR])
    correction = correct(llm)
    assert (correction.status, correction.answer, correction.after) == (CorrectionStatus.UNCHANGED, ANSWER, None)
    assert (correction.usage, llm.prompts) == (Usage(), [])


# ------------------------------------------------------------------------------------------- what replies may change


def test_what_a_reply_changes_outside_the_sentence_is_cut_back() -> None:
    wild = "Tove Lind founded Nordkai in 1958. It owns 40 fine ships! The firm sits in Oslo. Also, it is great."
    correction = correct(FakeLLM([A_YEAR, f"<text>{wild}</text>"]), YEAR)
    assert correction.answer == ANSWER.replace("1985", "1958")
    assert correction.status is CorrectionStatus.CORRECTED


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ANSWER.replace("Bergen", "Oslo"), "outside the claim's sentence"),
        (ANSWER, "left the answer as it is"),
        ("", "empty"),
        ("I'm sorry, but I cannot help with that request.", "little in common"),
        ("All ships sail. " * 60, "far longer"),
        ("<text>Tove Lind founded", "broke off"),
        (Completion(ANSWER.replace("1985", "1958"), "length"), "broke off"),
        ("すみません。", "little in common"),
    ],
)
def test_replies_to_call_b_that_are_refused(reply: str | Completion, reason: str) -> None:
    correction = correct(FakeLLM([A_YEAR, reply]), YEAR)
    assert (correction.status, correction.answer, correction.edits) == (CorrectionStatus.FAILED, ANSWER, ())
    assert [item.claim.text for item in correction.unrepaired] == [YEAR[0]]
    assert reason in correction.unrepaired[0].reason
    assert correction.usage.calls == 2


@pytest.mark.parametrize(
    "dress",
    [
        "<text>{}</text>",
        "{}",
        "```\n{}\n```",
        "<think>Hm, <text>no</text></think>\n<text>\n{}\n</text>",
        "Sure:\n<text>{}</text>\nDone.",
    ],
)
def test_replies_to_call_b_may_be_dressed_up(dress: str) -> None:
    reply = dress.replace("{}", ANSWER.replace("1985", "1958"))
    assert correct(FakeLLM([A_YEAR, reply]), YEAR).answer == ANSWER.replace("1985", "1958")


def test_white_space_at_the_ends_stays() -> None:
    answer = f"\n  {ANSWER}\n\n"
    correction = correct(FakeLLM([A_YEAR, f"<text>{ANSWER.replace('1985', '1958')}</text>"]), YEAR, answer=answer)
    assert correction.answer == answer.replace("1985", "1958")


def test_an_answer_with_tags_comes_back_as_it_was() -> None:
    answer = "Tove Lind founded Nordkai in 1985. Write </text> and <text> so: {x} {{old}}."

    def model(messages: Sequence[Message]) -> str:
        content = messages[-1].content
        if "<source>" in content:
            return A_YEAR
        inside = content.rsplit("<text>\n", 1)[1].removesuffix("\n</text>")
        assert "</text>" not in inside
        return f"<text>{inside.replace('1985', '1958')}</text>"

    assert correct(FakeLLM(model), YEAR, answer=answer).answer == answer.replace("1985", "1958")


# ------------------------------------------------------------------------------------------------------- call A


@pytest.mark.parametrize(
    ("reply", "calls", "reason"),
    [
        ("<triple>[]</triple>", 1, "the context says nothing about it"),
        ('["Tove Lind", "founded Nordkai in", "1985"]', 1, "finds nothing to correct"),
        ("I cannot do that.", 2, "no triple: there is no list in it"),
        ('["a", "b"]', 2, "2 values, a triple has 3"),
        ('[["a", "is", "b"], ["c", "is", "d"]]', 2, "it holds 2 triples"),
        ('["Tove Lind", "fou', 2, "it broke off"),
        ("", 2, "no triple"),
    ],
)
def test_replies_to_call_a_without_a_new_triple(reply: str, calls: int, reason: str) -> None:
    llm = FakeLLM([reply])
    correction = correct(llm, YEAR)
    assert (correction.status, correction.answer) == (CorrectionStatus.FAILED, ANSWER)
    assert reason in correction.unrepaired[0].reason
    assert (correction.usage.calls, len(llm.prompts)) == (calls, calls)


def test_a_second_try_at_call_a_is_enough() -> None:
    llm = FakeLLM(["1958", A_YEAR, f"<text>{ANSWER.replace('1985', '1958')}</text>"])
    assert correct(llm, YEAR).status is CorrectionStatus.CORRECTED
    assert "no list in it" in llm.prompts[1][-1].content


# ------------------------------------------------------------------------------------------------ errors, partial


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModelError("late", retryable=True, code="timeout"), Reason.TIMEOUT),
        (RuntimeError("boom"), Reason.MODEL_ERROR),
        (BudgetExceeded("no calls left"), Reason.BUDGET_EXCEEDED),
    ],
)
def test_a_model_that_fails_leaves_the_answer_and_is_said(error: Exception, reason: Reason) -> None:
    correction = correct(FakeLLM([error]), YEAR)
    assert (correction.status, correction.reason, correction.answer) == (CorrectionStatus.FAILED, reason, ANSWER)
    assert correction.unrepaired[0].claim.text == YEAR[0]
    assert correction.usage.calls == 1


def test_one_of_two_repaired_is_partial_and_says_which_is_not() -> None:
    fixed = ANSWER.replace("1985", "1958")
    correction = correct(FakeLLM([A_YEAR, fixed, ModelError("gone")]), YEAR, SHIPS)
    assert (correction.status, correction.reason) == (CorrectionStatus.PARTIAL, Reason.MODEL_ERROR)
    assert correction.answer == fixed
    assert [(u.claim.text, u.reason) for u in correction.unrepaired] == [(SHIPS[0], "model_error: gone")]
    assert correction.after is not None
    assert len(correction.after.flagged) == 1


def evaluate_with(ps: Mapping[str, float | None]) -> Callable[[Sample], Evaluation]:
    """The fact about the year stays flagged whatever it says; p by what stands in the answer."""

    def evaluate(sample: Sample) -> Evaluation:
        p = next(p for words, p in ps.items() if words in sample.answer)
        claim = Claim(YEAR[0], YEAR[1], Span(0, len("Tove Lind founded Nordkai in 1985")))
        return Evaluation(
            Status.INCONSISTENT, p_inconsistent=p, verdicts=(Verdict(claim, Label.UNSUPPORTED, p, flagged=True),)
        )

    return evaluate


@pytest.mark.parametrize(
    ("after", "status", "year"),
    [
        (0.95, CorrectionStatus.REVERTED, "1985"),
        (0.9, CorrectionStatus.REVERTED, "1985"),
        (None, CorrectionStatus.REVERTED, "1985"),
        (0.7, CorrectionStatus.PARTIAL, "1958"),
    ],
)
def test_what_is_no_better_is_taken_back(after: float | None, status: CorrectionStatus, year: str) -> None:
    sample, evaluate = Sample(ANSWER, CONTEXT), evaluate_with({"1985": 0.9, "1958": after})
    llm = FakeLLM([A_YEAR, ANSWER.replace("1985", "1958")])
    correction = GraphCorrect(llm).correct(sample, evaluate(sample), evaluate)
    assert correction.status is status
    assert correction.answer == ANSWER.replace("1985", year)
    assert bool(correction.edits) == (year == "1958")
    assert correction.after is not None
    assert len(correction.unrepaired) == 1


def test_an_evaluation_that_fails_keeps_the_original() -> None:
    sample, evaluate = Sample(ANSWER, CONTEXT), judge(YEAR)

    def failing(sample: Sample) -> Evaluation:
        raise ModelError("verifier down", retryable=True)

    llm = FakeLLM([A_YEAR, ANSWER.replace("1985", "1958")])
    correction = GraphCorrect(llm).correct(sample, evaluate(sample), failing)
    assert (correction.status, correction.reason, correction.answer) == (
        CorrectionStatus.FAILED, Reason.MODEL_ERROR, ANSWER
    )  # fmt: skip
    assert "could not be judged" in correction.unrepaired[0].reason


def test_rounds_are_bounded_and_composed_in_original_coordinates() -> None:
    llm = FakeLLM([A_YEAR, ANSWER.replace("1985", "1850 or so"), A_YEAR, ANSWER.replace("1985", "1958")])
    wrong_again = (YEAR[0], YEAR[1], "1850")
    sample, evaluate = Sample(ANSWER, CONTEXT), judge(YEAR, wrong_again, SHIPS)
    calls: list[str] = []

    def counting(sample: Sample) -> Evaluation:
        calls.append(sample.answer)
        found = evaluate(sample)
        p = 0.9 if "1985" in sample.answer else 0.8 if "1850" in sample.answer else 0.7
        return Evaluation(found.status, p_inconsistent=p, verdicts=found.verdicts[:1])

    correction = GraphCorrect(llm, rounds=2).correct(sample, counting(sample), counting)
    check_edits(ANSWER, correction)
    assert correction.answer == ANSWER.replace("1985", "1958")
    assert [(e.start, e.old, e.new) for e in correction.edits] == [(29, "1985", "1958")]
    assert len(calls) == 3


# ----------------------------------------------------------------------------------------- sentences and no place


def test_a_sentence_without_triple_is_corrected_by_one_call() -> None:
    llm = FakeLLM(["<sentence>It has 14 ships.</sentence>"])
    correction = correct(llm, ("It has 40 ships.", None, "It has 40 ships."))
    assert (correction.answer, correction.usage.calls) == (ANSWER.replace("40", "14"), 1)
    assert "The firm sits" not in "\n".join(m.content for m in llm.prompts[0])


@pytest.mark.parametrize(
    ("reply", "reason"),
    [("<sentence></sentence>", "says nothing"), ("Sorry, no.", "little in common"), ("<sentence>It", "broke off")],
)
def test_sentences_that_cannot_be_corrected(reply: str, reason: str) -> None:
    correction = correct(FakeLLM([reply]), ("It has 40 ships.", None, "It has 40 ships."))
    assert correction.status is CorrectionStatus.FAILED
    assert reason in correction.unrepaired[0].reason


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (ANSWER.replace("1985", "1958"), CorrectionStatus.CORRECTED),
        (ANSWER.replace("1985", "1958").replace("Bergen", "Oslo"), CorrectionStatus.FAILED),
    ],
)
def test_a_triple_without_place_may_change_one_sentence(reply: str, status: CorrectionStatus) -> None:
    def evaluate(sample: Sample) -> Evaluation:
        flagged = "1985" in sample.answer
        verdict = Verdict(Claim(YEAR[0], YEAR[1]), Label.CONTRADICTED, 0.9, flagged=flagged)
        return Evaluation(
            Status.INCONSISTENT if flagged else Status.CONSISTENT, p_inconsistent=0.9 * flagged, verdicts=(verdict,)
        )

    sample = Sample(ANSWER, CONTEXT)
    correction = GraphCorrect(FakeLLM([A_YEAR, reply])).correct(sample, evaluate(sample), evaluate)
    assert correction.status is status


# ------------------------------------------------------------------------------------------------------- context


def test_a_context_that_does_not_fit_is_cut_to_what_bears_on_the_triple() -> None:
    filler = [
        Source(f"Paragraph {i} is about the weather, the harvest and the price of wool. " * 20, f"f{i}")
        for i in range(12)
    ]
    sources = [*filler[:6], Source(CONTEXT, "right"), *filler[6:]]
    llm = FakeLLM([A_YEAR, ANSWER.replace("1985", "1958")])
    sample, evaluate = Sample(ANSWER, sources), judge(YEAR)
    correction = GraphCorrect(llm, context_tokens=600).correct(sample, evaluate(sample), evaluate)
    sent = llm.prompts[0][-1].content
    assert "founded in 1958" in sent
    assert len(sent) < 4_000
    assert "right" in {item.source_id for item in correction.edits[0].evidence}
    for item in correction.edits[0].evidence:
        text = next(source.text for source in sources if source.id == item.source_id)
        assert text[item.start : item.end] == item.text
    order = [source.id for source in sources]
    found = [order.index(item.source_id) for item in correction.edits[0].evidence]
    assert found == sorted(found)


# --------------------------------------------------------------------------------------------------- direct prompt


def direct(llm: FakeLLM, *facts: tuple[str, Triple | None, str]) -> Correction:
    sample, evaluate = Sample(ANSWER, CONTEXT), judge(*facts)
    correction = DirectPrompt(llm).correct(sample, evaluate(sample), evaluate)
    check_edits(ANSWER, correction)
    return correction


def test_the_direct_prompt_is_one_call_without_limits() -> None:
    new = "Tove Lind founded Nordkai in 1958.  It has 14 ships. The company sits in Bergen."
    llm = FakeLLM([f"<text>{new}</text>"])
    correction = direct(llm, YEAR, SHIPS)
    assert (correction.status, correction.answer, correction.usage.calls) == (CorrectionStatus.CORRECTED, new, 1)
    sent = llm.prompts[0][-1].content
    assert CONTEXT in sent
    assert ANSWER in sent
    assert [(e.old, e.new, e.claim.text) for e in correction.edits] == [
        ("1985", "1958", YEAR[0]), ("40", "14", SHIPS[0]), ("firm", "company", SHIPS[0])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ANSWER, "as it is"),
        ("", "empty"),
        ("<text>Tove", "broke off"),
        ("No, sorry.", "little in common"),
        (KeyError("x"), "KeyError"),
    ],
)
def test_the_direct_prompt_says_what_went_wrong(reply: str | Exception, reason: str) -> None:
    correction = direct(FakeLLM([reply]), YEAR, SHIPS)
    assert (correction.status, correction.answer) == (CorrectionStatus.FAILED, ANSWER)
    assert [reason in item.reason for item in correction.unrepaired] == [True, True]


def test_errors_are_of_our_kind() -> None:
    assert issubclass(ModelError, GraphEvalError)
