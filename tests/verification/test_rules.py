"""The rules of docs/evidence-rules.md, each with hand-worked numbers."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval.protocols import Judgement, Passage, Window
from grapheval.types import Claim, Label, Reason, Source, Span, Stance, Verdict
from grapheval.verification.rules import EvidenceRules

SOURCES = [
    Source("Ines Roth paints. She opened a gallery in Lund in 2004. It was small.", "a"),
    Source("Ines Roth never opened a gallery in Lund in 2004. She sold books.", "b"),
    Source("The weather was fine. Nobody complained about the rain.", "c"),
]
APART = [SOURCES[0], SOURCES[2]]
"""One source that supports the claim, one that says nothing about it; neither says otherwise."""
CLAIM = Claim("Ines Roth opened a gallery in Lund in 2004")


def window(source: Source) -> Window:
    return Window(source.text, (Passage(source.id, Span(0, len(source.text))),), 10)


def judged(entailment: float, contradiction: float = 0.0) -> Judgement:
    return Judgement(entailment, (entailment, 1.0 - entailment - contradiction, contradiction))


def fold(
    *judgements: Judgement,
    claim: Claim = CLAIM,
    rules: EvidenceRules | None = None,
    sources: list[Source] = SOURCES,
    threshold: float = 0.5,
) -> Verdict:
    windows = [window(source) for source in sources[: len(judgements)]]
    return (rules or EvidenceRules()).fold(claim, windows, judgements, sources, threshold)


def test_one_passage_suffices() -> None:
    verdict = fold(judged(0.8), judged(0.1), judged(0.02))
    assert verdict.label is Label.SUPPORTED
    assert verdict.p_ungrounded == pytest.approx(0.2)
    assert verdict.probabilities == (0.8, pytest.approx(0.2), 0.0)
    assert not verdict.flagged


def test_evidence_is_cut_down_to_the_deciding_sentence() -> None:
    verdict = fold(judged(0.8))
    # "Roth" stands in the first sentence only, but the second one alone holds 4 of the 6 words: the run of both
    # holds all of them.
    (evidence,) = verdict.evidence
    assert evidence.text == "Ines Roth paints. She opened a gallery in Lund in 2004."
    assert SOURCES[0].text[evidence.start : evidence.end] == evidence.text
    assert evidence.stance is Stance.SUPPORTS
    narrow = fold(judged(0.8), claim=Claim("A gallery was opened in Lund"))
    assert narrow.evidence[0].text == "She opened a gallery in Lund in 2004."


def test_contradicted_needs_a_strong_window_and_no_support() -> None:
    verdict = fold(judged(0.2, 0.3), judged(0.1, 0.8))
    assert verdict.label is Label.CONTRADICTED
    assert verdict.p_ungrounded == pytest.approx(0.8)
    assert verdict.probabilities == (0.1, pytest.approx(0.1), 0.8)
    assert [e.source_id for e in verdict.evidence] == ["b"]
    assert verdict.evidence[0].stance is Stance.CONTRADICTS
    assert verdict.flagged


def test_a_weak_contradiction_leaves_the_claim_unsupported() -> None:
    verdict = fold(judged(0.2, 0.3), judged(0.1, 0.4), sources=APART)
    assert verdict.label is Label.UNSUPPORTED
    assert verdict.evidence == ()
    assert verdict.flagged


def test_an_unrelated_passage_cannot_contradict() -> None:
    verdict = fold(judged(0.3), judged(0.0, 0.99), sources=APART)
    assert verdict.label is Label.UNSUPPORTED
    assert verdict.p_ungrounded == pytest.approx(0.7)


def test_sources_that_disagree_strongly_conflict_and_do_not_flag() -> None:
    verdict = fold(judged(0.95, 0.01), judged(0.02, 0.96))
    assert verdict.label is Label.CONFLICTING
    assert verdict.reason is Reason.SOURCES_CONFLICT
    assert not verdict.flagged
    assert verdict.p_ungrounded == pytest.approx(0.05)
    assert [(e.source_id, e.stance) for e in verdict.evidence] == [("a", Stance.SUPPORTS), ("b", Stance.CONTRADICTS)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (judged(0.95), judged(0.02, 0.85)),  # the contradiction is not strong
        (judged(0.80), judged(0.02, 0.96)),  # the support is not strong
    ],
)
def test_a_weak_side_makes_no_conflict(first: Judgement, second: Judgement) -> None:
    assert fold(first, second).label is Label.SUPPORTED


def test_one_source_cannot_conflict_with_itself() -> None:
    one = Source("Ines Roth opened a gallery in Lund in 2004. Ines Roth opened no gallery in Lund in 2004.", "a")
    windows = [
        Window(one.text[:43], (Passage("a", Span(0, 43)),), 9),
        Window(one.text[44:], (Passage("a", Span(44, len(one.text))),), 9),
    ]
    verdict = EvidenceRules().fold(CLAIM, windows, [judged(0.97), judged(0.01, 0.98)], [one], 0.5)
    assert verdict.label is Label.SUPPORTED


def test_an_unrelated_passage_cannot_conflict() -> None:
    assert fold(judged(0.97), judged(0.3), judged(0.0, 0.99)).label is Label.SUPPORTED


def test_joined_passages_are_both_evidence() -> None:
    sources = [Source("Ines Roth opened a gallery.", "a"), Source("The gallery stands in Lund.", "b")]
    joined = Window(
        "Ines Roth opened a gallery.\nThe gallery stands in Lund.",
        (Passage("a", Span(0, 27)), Passage("b", Span(0, 27))),
        12,
    )
    verdict = EvidenceRules().fold(Claim("Ines Roth opened a gallery in Lund"), [joined], [judged(0.9)], sources, 0.5)
    assert [(e.source_id, e.text) for e in verdict.evidence] == [
        ("a", "Ines Roth opened a gallery."),
        ("b", "The gallery stands in Lund."),
    ]


def test_a_number_that_no_supporting_window_states_lowers_the_support() -> None:
    claim = Claim("She opened a gallery in Lund in 2014")
    verdict = fold(judged(0.9), claim=claim, rules=EvidenceRules(missing_number=0.4))
    assert verdict.p_ungrounded == pytest.approx(1 - 0.9 * 0.4)
    # The source says 2004 in its place, which contradicts it.
    assert verdict.label is Label.CONTRADICTED
    assert [finding.text for finding in verdict.findings] == ["2014 stands nowhere in the sources; they say 2004"]
    assert verdict.evidence[0].source_id == "a"
    off = fold(judged(0.9), claim=claim, rules=EvidenceRules(missing_number=1.0))
    assert off.label is Label.SUPPORTED


def test_what_stands_otherwise_contradicts_whatever_the_model_says() -> None:
    verdict = fold(judged(0.2, 0.1), judged(0.1, 0.1))
    assert verdict.label is Label.CONTRADICTED
    assert [e.source_id for e in verdict.evidence] == ["b"]
    assert [finding.kind.value for finding in verdict.findings] == ["negation"]


def test_a_joined_passage_that_adds_nothing_is_no_evidence() -> None:
    text = f"{SOURCES[0].text}\n{SOURCES[2].text}"
    passages = tuple(Passage(source.id, Span(0, len(source.text))) for source in APART)
    verdict = EvidenceRules().fold(CLAIM, [Window(text, passages, 20)], [judged(0.9)], APART, 0.5)
    assert [e.source_id for e in verdict.evidence] == ["a"]


def test_numbers_in_another_form_are_stated() -> None:
    sources = [Source("Twelve hundred guests came on 3 March.", "a")]
    claim = Claim("1.2k guests came on March 3rd")
    verdict = EvidenceRules(missing_number=0.1).fold(claim, [window(sources[0])], [judged(0.9)], sources, 0.5)
    assert verdict.p_ungrounded == pytest.approx(0.1)


def test_nothing_judged_is_unverified_with_the_reason() -> None:
    foreign = Judgement(None, reason=Reason.UNSUPPORTED_LANGUAGE)
    long = Judgement(None, reason=Reason.CLAIM_TOO_LONG)
    verdict = fold(foreign, long, foreign)
    assert verdict.label is Label.UNVERIFIED
    assert verdict.reason is Reason.UNSUPPORTED_LANGUAGE
    assert verdict.p_ungrounded is None
    assert not verdict.flagged
    assert fold().reason is Reason.EMPTY_CONTEXT


def test_windows_that_were_not_judged_are_left_out_and_said() -> None:
    foreign = Judgement(None, reason=Reason.UNSUPPORTED_LANGUAGE)
    sources = [SOURCES[2], SOURCES[0]]
    supported = fold(foreign, judged(0.9), sources=sources)
    assert supported.label is Label.SUPPORTED
    assert supported.reason is None
    flagged = fold(foreign, judged(0.2), sources=sources)
    assert flagged.label is Label.UNSUPPORTED
    assert flagged.reason is Reason.UNSUPPORTED_LANGUAGE


def test_models_with_two_classes_never_contradict() -> None:
    verdict = fold(Judgement(0.1), Judgement(0.2), sources=APART)
    assert verdict.label is Label.UNSUPPORTED
    assert verdict.probabilities is None


def test_the_threshold_decides() -> None:
    assert fold(judged(0.4), threshold=0.7).label is Label.SUPPORTED
    assert fold(judged(0.4), threshold=0.6).flagged is False  # 0.6 is not above 0.6
    assert fold(judged(0.4), threshold=0.5).flagged is True


PROBABILITIES = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: judged(pair[0], (1 - pair[0]) * pair[1]))
ANY = st.one_of(PROBABILITIES, st.just(Judgement(None, reason=Reason.CLAIM_TOO_LONG)))


@given(st.lists(ANY, min_size=1, max_size=3))
def test_order_never_changes_a_verdict(judgements: list[Judgement]) -> None:
    pairs = list(zip([window(source) for source in SOURCES], judgements, strict=False))
    verdicts = {
        EvidenceRules().fold(CLAIM, [w for w, _ in order], [j for _, j in order], SOURCES, 0.5)
        for order in permutations(pairs)
    }
    assert len(verdicts) == 1


@given(st.lists(ANY, min_size=1, max_size=2), st.floats(0, 0.2), st.floats(0, 1))
def test_an_unrelated_window_that_entails_nothing_changes_no_label(
    judgements: list[Judgement], entailment: float, contradiction: float
) -> None:
    before = fold(*judgements)
    sources = [*SOURCES[: len(judgements)], SOURCES[2]]
    unrelated = judged(entailment, (1 - entailment) * contradiction)
    after = fold(*judgements, unrelated, sources=sources)
    if before.label is not Label.UNVERIFIED:
        assert after.label is before.label
        assert after.flagged is before.flagged
