"""Repair from the evidence: what is replaced by what, and what is left alone."""

from __future__ import annotations

import pytest

from grapheval import Correction, GraphEval, Sample, Source
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.correction.policy import Unrepairable
from grapheval.errors import InputError
from grapheval.protocols import Corrector
from grapheval.testing import FakeExtractor, FakeVerifier
from grapheval.types import Action, CorrectionStatus
from tests.correction.words import judge, repair

FIRM = [
    "Tove Lind founded Nordkai in 1958. The firm sits in Bergen and owns 14 ships.",
    "Nordkai was acquired by Meridian Group in 2001 for 32 million dollars. Lind died on 3 March 1994 in Oslo.",
    "Nordkai did not buy Havline. Nordkai sold the harbour to Aker. The crew painted the old ferry.",
]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Tove Lind founded Nordkai in 1985.", "Tove Lind founded Nordkai in 1958."),
        ("Karin Lind founded Nordkai in 1958.", "Tove Lind founded Nordkai in 1958."),
        ("The firm sits in Trondheim.", "The firm sits in Bergen."),
        ("The firm owns 40 ships.", "The firm owns 14 ships."),
        ("The firm owns forty ships.", "The firm owns 14 ships."),
        ("Lind died on 5 May 1994.", "Lind died on 3 March 1994."),
        ("Nordkai was acquired by Meridian Group in 2007.", "Nordkai was acquired by Meridian Group in 2001."),
        ("Karin Lind founded Nordkai in 1985.", "Tove Lind founded Nordkai in 1958."),
        ("Nordkai bought the harbour.", "Nordkai sold the harbour."),
        ("Nordkai did buy Havline.", "Nordkai did not buy Havline."),
        ("Nordkai bought Havline.", "Nordkai did not buy Havline."),
        ("The crew did not paint the old ferry.", "The crew painted the old ferry."),
        ("Meridian Group was acquired by Nordkai in 2001.", "Nordkai was acquired by Meridian Group in 2001."),
    ],
)
def test_what_is_wrong_is_put_right_by_the_smallest_change(wrong: str, right: str) -> None:
    correction = repair(wrong, FIRM)
    assert (correction.answer, correction.status) == (right, CorrectionStatus.CORRECTED)
    assert correction.unrepaired == ()
    assert all(edit.action is Action.REPLACE and edit.evidence for edit in correction.edits)
    assert correction.usage.calls == 0


def test_an_edit_names_the_claim_and_the_passage_that_it_follows() -> None:
    sources = [Source("Nordkai sits in Bergen.", "a"), Source("It rained. Tove Lind founded Nordkai in 1958.", "b")]
    correction = repair("Tove Lind founded Nordkai in 1985.", sources)
    (edit,) = correction.edits
    assert (edit.start, edit.end, edit.old, edit.new) == (29, 33, "1985", "1958")
    assert edit.claim.text == "Tove Lind founded Nordkai in 1985"
    assert [(e.source_id, e.start, e.end, e.text) for e in edit.evidence] == [
        ("b", 11, 45, "Tove Lind founded Nordkai in 1958.")
    ]


def test_text_outside_the_edits_is_not_touched() -> None:
    answer = "  Nordkai sits in  Bergen!\n\nTove Lind founded\tNordkai in 1985 …\n\n\tThe firm owns 14 ships.  "
    correction = repair(answer, [*FIRM, "Nordkai sits in Bergen."])
    assert correction.answer == answer.replace("1985", "1958")


def test_a_clean_answer_comes_back_as_it_was() -> None:
    correction = repair("Tove Lind founded Nordkai in 1958.", FIRM)
    assert (correction.status, correction.edits, correction.after) == (CorrectionStatus.UNCHANGED, (), None)


def test_what_the_sources_do_not_state_is_kept_and_said() -> None:
    answer = "The weather was fine in the village."
    correction = repair(answer, FIRM)
    assert (correction.answer, correction.status, correction.edits) == (answer, CorrectionStatus.FAILED, ())
    assert "sources" in correction.unrepaired[0].reason


def test_a_value_of_another_type_is_no_repair() -> None:
    """The only number near is a year, the only name a town: neither counts ships nor founds a firm."""
    context = "Nordkai, a firm of Bergen, has owned ships since 1958."
    assert repair("Nordkai has owned 40 ships.", context).answer == "Nordkai has owned 40 ships."


def test_a_sentence_is_repaired_only_if_it_is_supported_as_a_whole() -> None:
    """The year could be put right, but then the sentence would still say what no source says."""
    answer = "Tove Lind founded Nordkai in 1985 with borrowed money."
    correction = repair(answer, "Tove Lind founded Nordkai in 1958.")
    assert correction.answer in {answer, answer.replace("1985", "1958")}
    assert correction.status is not CorrectionStatus.CORRECTED
    assert correction.unrepaired


class TestGrammar:
    def test_a_and_an(self) -> None:
        context = "Ada is an Austrian engineer. Bo is a Danish pilot."
        assert repair("Ada is a Danish engineer.", context).answer == "Ada is an Austrian engineer."
        assert repair("Bo is an Austrian pilot.", context).answer == "Bo is a Danish pilot."

    def test_capitals_at_the_beginning(self) -> None:
        context = "Fourteen ships sail to Bergen."
        assert repair("Forty ships sail to Bergen.", context).answer == "Fourteen ships sail to Bergen."

    def test_the_form_of_numbers(self) -> None:
        context = "The hall has 7 doors. The tower has twelve windows."
        assert repair("The hall has nine doors.", context).answer == "The hall has seven doors."
        assert repair("The tower has 14 windows.", context).answer == "The tower has 12 windows."

    def test_the_article_of_a_name(self) -> None:
        context = "The painter was born in the Netherlands."
        assert repair("The painter was born in Belgium.", context).answer == "The painter was born in the Netherlands."


class TestMarkdown:
    def test_lists_and_emphasis(self) -> None:
        answer = "# Nordkai\n\n- **Tove Lind** founded Nordkai in *1985*.\n- The firm owns `40` ships.\n- The firm sits in Bergen.\n"
        correction = repair(answer, FIRM)
        assert correction.answer == answer.replace("*1985*", "*1958*")  # code is never edited

    def test_a_link_goes_with_the_name_that_it_was_for(self) -> None:
        answer = "The firm sits in [Trondheim](https://trondheim.example)."
        assert repair(answer, FIRM).answer == "The firm sits in Bergen."

    def test_code_blocks_are_not_read(self) -> None:
        answer = "```\nships = 40\n```\n\nThe firm owns 40 ships."
        assert repair(answer, FIRM).answer == "```\nships = 40\n```\n\nThe firm owns 14 ships."


class TestBadInput:
    def test_overlapping_claims(self) -> None:
        answer = "Karin Lind founded Nordkai in 1985 in Bergen."
        context = "Tove Lind founded Nordkai in 1958 in Bergen."
        assert repair(answer, context).answer == "Tove Lind founded Nordkai in 1958 in Bergen."

    def test_a_triple_without_a_place(self) -> None:
        answer = "Nordkai, founded in 1985 by Tove Lind, sits in Bergen."
        verifier = FakeVerifier(judge)
        extractor = FakeExtractor({answer: [("Nordkai", "was founded in", "1985")]})
        pipeline = GraphEval(extractor, verifier, corrector=EvidenceCorrector(verifier))
        correction = pipeline.correct(answer, "Nordkai, founded in 1958 by Tove Lind, sits in Bergen.")
        assert correction.before.flagged[0].claim.span is None
        assert (correction.answer, correction.status) == (answer.replace("1985", "1958"), CorrectionStatus.CORRECTED)

    def test_a_triple_that_no_sentence_states_is_left_and_said(self) -> None:
        verifier = FakeVerifier(judge)
        extractor = FakeExtractor({"Hello there.": [("Nordkai", "was founded in", "1985")]})
        pipeline = GraphEval(extractor, verifier, corrector=EvidenceCorrector(verifier))
        correction = pipeline.correct("Hello there.", "Nordkai was founded in 1958.")
        assert correction.answer == "Hello there."
        assert "no place in the answer" in correction.unrepaired[0].reason

    def test_evidence_in_a_table(self) -> None:
        table = "| firm | ships | town |\n|---|---|---|\n| Nordkai | 14 | Bergen |\n| Havline | 9 | Stavanger |"
        verifier = FakeVerifier(lambda premise, claim: 0.95 if "14 ships" in claim or "9 ships" in claim else 0.05)
        correction = GraphEval.local(verifier=verifier).correct("Nordkai has 40 ships.", table)
        assert correction.answer == "Nordkai has 14 ships."
        assert correction.edits[0].evidence[0].text == "| Nordkai | 14 | Bergen |"

    def test_evidence_that_contradicts_itself(self) -> None:
        context = ["Tove Lind founded Nordkai in 1958.", "Tove Lind founded Nordkai in 1961."]
        one, other = (repair("Tove Lind founded Nordkai in 1985.", c) for c in (context, context[::-1]))
        assert one.answer == other.answer
        assert one.answer[-5:] in {"1958.", "1961.", "1985."}

    def test_an_answer_that_is_wrong_everywhere_is_not_made_worse(self) -> None:
        answer = "Mars has 40 moons. Snow is warm. Fish can sing. Cats bark in June 1700."
        policies: tuple[Unrepairable, ...] = ("keep", "drop", "mark")
        for policy in policies:
            correction = repair(answer, FIRM, policy)
            assert correction.answer.strip()
            assert correction.after is None or len(correction.after.flagged) <= len(correction.before.flagged)

    @pytest.mark.parametrize(
        ("answer", "context"),
        [
            ("", "Oslo is big."),
            ("Oslo is big.", ""),
            ("Oslo is big.", []),
            ("?!", "!?"),
            ("オスロは大きい都市です。", "オスロは小さい町です。"),
            ("Oslo has 4 towers. " * 40, "Oslo has 5 towers."),
            ("Oslo " + "and Bergen " * 400 + "have 3 towers.", "Oslo has 5 towers."),
            ("| a | b |\n|---|---|\n| Oslo | 4 |\n", "| a | b |\n|---|---|\n| Oslo | 5 |\n"),
            ("Oslo has {0} %s </text> 4 towers.", "Oslo has {0} %s </text> 5 towers."),
            ("[Oslo](x has 4 towers](", "Oslo has 5 towers."),
            ("Oslo has 4\u0000towers\ud800.", "Oslo has 5 towers."),
        ],
    )
    @pytest.mark.parametrize("policy", ["keep", "drop", "mark"])
    def test_whatever_comes_in_something_sound_comes_out(self, answer: str, context: object, policy: str) -> None:
        correction = repair(Sample(answer).answer, context, policy)  # type: ignore[arg-type]
        assert isinstance(correction, Correction)
        assert Correction.from_dict(correction.to_dict()) == correction


def test_settings() -> None:
    corrector = EvidenceCorrector(FakeVerifier(judge))
    assert isinstance(corrector, Corrector)
    assert corrector.info == "evidence/fake"
    assert corrector.leaving("keep") is corrector
    assert corrector.leaving("drop").unrepaired == "drop"
    with pytest.raises(InputError, match="drop, keep, mark"):
        EvidenceCorrector(FakeVerifier(judge), unrepaired="delete")  # type: ignore[arg-type]


def test_all_candidates_are_scored_in_one_batch() -> None:
    calls: list[int] = []

    class Counting(FakeVerifier):
        def verify(self, pairs):  # type: ignore[no-untyped-def]
            calls.append(len(pairs))
            return super().verify(pairs)

    verifier = Counting(judge)
    pipeline = GraphEval.local(verifier=verifier)
    sample = Sample("The firm owns 40 ships. Tove Lind founded Nordkai in 1985.", FIRM)
    before = pipeline.evaluate(sample)
    calls.clear()
    assert pipeline.corrector is not None
    assert pipeline.corrector.correct(sample, before, pipeline.evaluate).status is CorrectionStatus.CORRECTED
    assert len(calls) == 2  # the candidates, then the re-check


async def test_the_asynchronous_form_gives_the_same() -> None:
    pipeline = GraphEval.local(verifier=FakeVerifier(judge))
    sample = Sample("The firm owns 40 ships.", FIRM)
    assert await pipeline.acorrect(sample) == pipeline.correct(sample)
