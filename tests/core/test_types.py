from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapheval import (
    Claim,
    Correction,
    CorrectionStatus,
    Coverage,
    Edit,
    Evaluation,
    Evidence,
    InputError,
    Label,
    Provenance,
    Reason,
    Sample,
    Source,
    Span,
    Stance,
    Status,
    Triple,
    Verdict,
)
from grapheval.serialize import json_schema
from grapheval.types import TripleParts, Usage, to_sources


def an_evaluation() -> Evaluation:
    claim = Claim(
        "Oslo is the capital of Norway",
        Triple("Oslo", "is", "the capital of Norway"),
        Span(0, 29),
        TripleParts(Span(0, 4), None, Span(8, 29)),
    )
    evidence = Evidence("doc-1", 3, 9, "Bergen", Stance.CONTRADICTS)
    verdict = Verdict(claim, Label.CONTRADICTED, 0.75, (0.25, 0.25, 0.5), True, (evidence,))
    unjudged = Verdict(Claim("Ja."), Label.UNVERIFIED, reason=Reason.UNSUPPORTED_LANGUAGE)
    return Evaluation(
        status=Status.INCONSISTENT,
        p_inconsistent=0.75,
        verdicts=(verdict, unjudged),
        coverage=Coverage(sentences=(Span(30, 33),), numbers=(Span(1, 2),)),
        provenance=Provenance("0.1.0", prompts={"extract": "abc"}, selection={"windows": 3}),
    )


def test_an_evaluation_survives_the_way_through_json() -> None:
    evaluation = an_evaluation()
    text = json.dumps(evaluation.to_dict())
    assert Evaluation.from_dict(json.loads(text)) == evaluation


def test_the_plain_form_fits_the_published_schema() -> None:
    plain = an_evaluation().to_dict()
    assert plain["groundedness"] == 0.25
    assert "groundedness" in json_schema(Evaluation)["properties"]
    jsonschema.validate(json.loads(json.dumps(plain)), json_schema(Evaluation))
    broken = plain | {"status": "fine"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json_schema(Evaluation))


def test_a_correction_survives_the_way_through_json() -> None:
    evaluation = an_evaluation()
    edit = Edit(0, 4, "Oslo", "Bergen", evaluation.verdicts[0].claim, evaluation.verdicts[0].evidence)
    correction = Correction(
        "Bergen is the capital of Norway",
        (edit,),
        evaluation,
        None,
        CorrectionStatus.PARTIAL,
        usage=Usage(2, 10, None),
    )
    plain = json.loads(json.dumps(correction.to_dict()))
    jsonschema.validate(plain, json_schema(Correction))
    assert plain["before"]["groundedness"] == 0.25
    assert "groundedness" in json_schema(Correction)["$defs"]["Evaluation"]["properties"]
    assert Correction.from_dict(plain) == correction


def test_data_that_does_not_fit_is_refused_with_its_place() -> None:
    plain = an_evaluation().to_dict()
    plain["verdicts"][0]["label"] = "maybe"
    with pytest.raises(InputError, match=r"verdicts\.0\.label"):
        Evaluation.from_dict(plain)


def test_groundedness_is_the_complement_and_none_stays_none() -> None:
    assert an_evaluation().groundedness == 0.25
    assert Evaluation(Status.NO_CLAIMS).groundedness is None


def test_flagged_decides_not_the_label() -> None:
    verdicts = (
        Verdict(Claim("a"), Label.CONTRADICTED, 0.4, flagged=False),
        Verdict(Claim("b"), Label.SUPPORTED, 0.6, flagged=True),
    )
    assert [v.claim.text for v in Evaluation(Status.INCONSISTENT, verdicts=verdicts).flagged] == ["b"]


def test_everything_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        an_evaluation().status = Status.CONSISTENT  # type: ignore[misc]


class TestSources:
    def test_strings_documents_nodes_and_mappings_become_sources(self) -> None:
        document = SimpleNamespace(page_content="A document.", metadata={"page": 3}, id="d1")
        node = SimpleNamespace(get_content=lambda: "A node.", node_id="n1", metadata={})
        got = to_sources(["A string.", document, node, {"text": "A row.", "id": 7}, Source("S.", "s")])
        assert [(s.id, s.text) for s in got] == [
            ("1", "A string."),
            ("d1", "A document."),
            ("n1", "A node."),
            ("7", "A row."),
            ("s", "S."),
        ]
        assert got[1].metadata == {"page": 3}

    def test_one_string_is_one_source_and_none_is_no_source(self) -> None:
        assert [s.text for s in to_sources("just one")] == ["just one"]
        assert to_sources(None) == ()

    def test_repeated_ids_stay_apart(self) -> None:
        assert [s.id for s in to_sources([Source("x", "a"), Source("y", "a"), Source("z", "a")])] == ["a", "a#2", "a#3"]

    def test_a_document_without_text_counts_as_empty(self) -> None:
        assert to_sources(SimpleNamespace(page_content=None, metadata=None))[0].text == ""

    @pytest.mark.parametrize("wrong", [3, [3], b"bytes", [{"body": "x"}], [{"text": 3}]])
    def test_anything_else_is_refused(self, wrong: object) -> None:
        with pytest.raises(InputError):
            to_sources(wrong)


class TestSample:
    def test_contexts_are_converted_once(self) -> None:
        sample = Sample("answer", "context", "question?")
        assert sample.sources == (Source("context", "1"),)
        assert Sample("a", sample.sources).sources == sample.sources

    def test_a_wrong_type_is_named(self) -> None:
        with pytest.raises(InputError, match=r"Sample\.answer must be a string, not int"):
            Sample(3)  # type: ignore[arg-type]

    @given(st.text(alphabet=st.characters(codec=None)))
    def test_lone_surrogates_are_replaced_one_for_one(self, text: str) -> None:
        answer = Sample(text).answer
        assert len(answer) == len(text)
        answer.encode("utf-8")


def test_usage_adds_up_and_unknown_stays_unknown_only_if_both_are() -> None:
    assert Usage(1, 10, None) + Usage(2, 5, None) == Usage(3, 15, None)
    assert Usage(1, None, 4) + Usage(1, 6, 1) == Usage(2, 6, 5)
