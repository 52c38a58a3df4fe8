"""Nodes before and after an answer."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.base.response.schema import Response, StreamingResponse
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode

from grapheval import GraphEval, InputError
from grapheval.testing import FakeVerifier
from llamaindex_grapheval import GraphEvalEvaluator, GraphEvalNodePostprocessor, SeenContexts
from tests.guard.helpers import SentenceExtractor, pipeline
from tests.llamaindex.helpers import ANSWER, GOOD, LAST, NODES, QUESTION, engine, node, tokens

OLD = "The museum opens at 9 on Mondays."
NEW = "The museum opens at 11 on Mondays."


def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Supported: said in the premise. Contradicted: the two opening times. Otherwise the premise does not say."""
    if hypothesis in premise:
        return (0.95, 0.03, 0.02)
    times = {OLD: "at 11", NEW: "at 9"}
    if hypothesis in times and times[hypothesis] in premise:
        return (0.01, 0.01, 0.98)
    return (0.05, 0.9, 0.05)


def judging(**stages: Any) -> GraphEval:
    return pipeline(verifier=FakeVerifier(judge), **stages)


def post(**settings: Any) -> GraphEvalNodePostprocessor:
    return GraphEvalNodePostprocessor(settings.pop("pipeline", None) or judging(), **settings)


def note(item: NodeWithScore) -> dict[str, Any]:
    found: dict[str, Any] = item.node.metadata.get("grapheval", {})
    return found


def ids(nodes: list[NodeWithScore]) -> list[str]:
    return [item.node.node_id for item in nodes]


class TestAfter:
    def test_each_node_says_what_it_supports_and_contradicts(self) -> None:
        nodes = [node(f"{GOOD} {LAST}", "n1"), node(NEW, "n2"), node("Nothing to do with it.", "n3")]
        out = post().annotate(nodes, f"{GOOD} {LAST} {OLD}", QUESTION)
        assert ids(out) == ["n1", "n2", "n3"]
        assert [(note(item)["supports"], note(item)["contradicts"]) for item in out] == [
            ([GOOD, LAST], []),
            ([], [OLD]),
            ([], []),
        ]
        assert [note(item)["groundedness"] for item in out] == [
            pytest.approx((0.95 + 0.95 + 0.05) / 3),
            pytest.approx((0.05 + 0.05 + 0.01) / 3),
            pytest.approx(0.05),
        ]

    def test_the_nodes_stay_as_they_were_and_notes_are_hidden(self) -> None:
        before = [item.model_dump() for item in NODES]
        out = post().annotate(NODES, ANSWER)
        assert [item.model_dump() for item in NODES] == before
        for item, original in zip(out, NODES, strict=True):
            assert item.score == original.score
            for mode in (MetadataMode.LLM, MetadataMode.EMBED):
                assert item.node.get_content(mode) == original.node.get_content(mode)

    def test_rerank_and_drop(self) -> None:
        nodes = [node("Nothing to do with it.", "n1"), node(GOOD, "n2"), node(f"{GOOD} {LAST}", "n3")]
        answer = f"{GOOD} {LAST}"
        assert ids(post(action="rerank").annotate(nodes, answer)) == ["n3", "n2", "n1"]
        assert ids(post(action="drop").annotate(nodes, answer)) == ["n2", "n3"]
        assert ids(post(action="drop", min_groundedness=0.9).annotate(nodes, answer)) == ["n2", "n3"]

    def test_the_claims_are_extracted_once(self) -> None:
        extractor = SentenceExtractor()
        post(pipeline=judging(extractor=extractor)).annotate(NODES, ANSWER)
        assert extractor.calls == [ANSWER]
        one = judging(extractor=extractor)
        evaluation = one.evaluate(ANSWER, NODES)
        extractor.calls.clear()
        post(pipeline=one).annotate(NODES, ANSWER, None, evaluation)
        assert extractor.calls == []

    def test_a_claim_that_two_nodes_support_together(self) -> None:
        claim = "Anne of Oslo won the big race."

        def joined(premise: str, hypothesis: str) -> float:
            return 0.95 if "lives in Oslo" in premise and "won the big race" in premise else 0.1

        nodes = [node("Anne lives in Oslo.", "n1"), node("Anne won the big race.", "n2")]
        out = post(pipeline=pipeline(verifier=FakeVerifier(joined))).annotate(nodes, claim)
        assert [note(item)["supports"] for item in out] == [[claim], [claim]]

    def test_answers_that_cannot_be_judged(self) -> None:
        out = post(action="drop").annotate(NODES, "Sorry, I do not know.")
        assert [note(item)["reason"] for item in out] == ["answer_declines"] * 2
        assert post().annotate([], ANSWER) == []
        image = NodeWithScore(node=ImageNode(image_url="http://x/y.png", id_="i"))
        out = post(action="drop").annotate([image, *NODES], GOOD)
        assert (note(out[0])["groundedness"], note(out[0])["reason"]) == (None, "empty_context")

    def test_with_an_answer_in_the_usual_slot(self) -> None:
        out = post(answer=GOOD).postprocess_nodes(NODES, query_str=QUESTION)
        assert [note(item)["supports"] for item in out] == [[GOOD], []]

    async def test_responses(self) -> None:
        made_up = NodeWithScore(node=TextNode(text=f"Sub question: where?\nResponse: {GOOD}"))
        response = StreamingResponse(tokens(GOOD), [made_up, *NODES])
        assert ids(post().annotate_response(response)) == ["n1", "n2"]
        assert "".join(response.response_gen) == GOOD
        out = await post().aannotate_response(Response(GOOD, list(NODES)), QUESTION)
        assert note(out[0])["supports"] == [GOOD]

    def test_a_failing_judge_is_typed(self) -> None:
        broken = pipeline(verifier=FakeVerifier(fail=RuntimeError("boom")))
        with pytest.raises(Exception, match="boom") as caught:
            post(pipeline=broken).annotate(NODES, GOOD)
        assert type(caught.value).__name__ == "ModelError"


class TestBefore:
    def test_passages_that_contradict_each_other_are_marked_on_both_sides(self) -> None:
        nodes = [node(f"{GOOD} {OLD}", "n1"), node(NEW, "n2"), node(LAST, "n3")]
        out = post().postprocess_nodes(nodes, query_str=QUESTION)
        assert ids(out) == ["n1", "n2", "n3"]
        assert note(out[0])["conflicts"] == [{"node_id": "n2", "text": OLD, "other": NEW}]
        assert note(out[1])["conflicts"] == [{"node_id": "n1", "text": NEW, "other": OLD}]
        assert out[2] is nodes[2]
        assert [item.node.get_content(MetadataMode.LLM) for item in out] == [
            item.node.get_content(MetadataMode.LLM) for item in nodes
        ]

    def test_what_conflicts_with_a_trusted_source_can_be_dropped(self) -> None:
        nodes = [node(OLD, "n1", source="blog"), node(NEW, "n2", source="handbook"), node(LAST, "n3", source="blog")]
        for trusted in ({"source": "handbook"}, {"source": ["handbook", "law"]}, lambda n: n.node_id == "n2"):
            assert ids(post(conflicts="drop", trusted=trusted).postprocess_nodes(nodes)) == ["n2", "n3"]
        both = {"source": ["handbook", "blog"]}
        assert ids(post(conflicts="drop", trusted=both).postprocess_nodes(nodes)) == ["n1", "n2", "n3"]
        with pytest.raises(InputError, match="needs trusted"):
            post(conflicts="drop")

    def test_near_duplicates(self) -> None:
        text = "The old museum in the centre of the town shows boats and maps to all of its visitors."
        similar = text.replace("shows", "presents")
        nodes = [
            node(LAST, "n1"),
            node(text, "n2"),
            node(similar, "n3"),
            node(f"{LAST} {GOOD}", "n4"),
            node(LAST, "n5"),
        ]
        out = post().postprocess_nodes(nodes)
        assert [note(item).get("duplicate_of") for item in out] == ["n4", None, "n2", None, "n4"]
        assert ids(post(duplicates="drop").postprocess_nodes(nodes)) == ["n2", "n4"]
        assert ids(post(duplicates="drop", trusted=lambda n: n.node_id == "n3").postprocess_nodes(nodes)) == [
            "n3",
            "n4",
        ]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (OLD, NEW),
            ("The old museum in Oslo shows boats and maps to its visitors.",
             "The old museum in Bergen shows boats and maps to its visitors."),
            ("The old museum of the town does show its boats and maps to the visitors.",
             "The old museum of the town does not show its boats and maps to the visitors."),
            ("The old museum of the town didn't show its boats and maps to the visitors.",
             "The old museum of the town did show its boats and maps to the visitors."),
        ],
    )  # fmt: skip
    def test_a_number_a_name_or_a_negation_makes_no_duplicate(self, one: str, other: str) -> None:
        one_post = post(duplicates="drop", conflicts="keep", similarity=0.5)
        assert len(one_post.postprocess_nodes([node(one, "n1"), node(other, "n2")])) == 2

    def test_how_sure_and_how_close_a_conflict_must_be(self) -> None:
        nodes = [node(OLD, "n1"), node(NEW, "n2")]
        assert note(post().postprocess_nodes(nodes)[0])["conflicts"]
        assert post(least_contradiction=0.99).postprocess_nodes(nodes) == nodes
        assert post(least_overlap=1.0).postprocess_nodes(nodes) == nodes

    def test_a_verifier_without_contradictions_finds_none(self) -> None:
        nodes = [node(OLD, "n1"), node(NEW, "n2")]
        plain = pipeline(verifier=FakeVerifier(lambda premise, hypothesis: 0.02))
        assert post(pipeline=plain).postprocess_nodes(nodes) == nodes

    def test_keep_looks_for_nothing(self) -> None:
        extractor, verifier = SentenceExtractor(), FakeVerifier(judge)
        one = pipeline(extractor=extractor, verifier=verifier)
        nodes = [node(OLD, "n1"), node(NEW, "n2"), node(NEW, "n3")]
        assert post(pipeline=one, duplicates="keep", conflicts="keep").postprocess_nodes(nodes) == nodes
        assert verifier.pairs == []

    def test_nodes_without_text_and_failures_pass(self) -> None:
        image = NodeWithScore(node=ImageNode(image_url="http://x/y.png", id_="i"))
        assert ids(post(duplicates="drop").postprocess_nodes([image, node("", "e"), node(GOOD, "n")])) == [
            "i",
            "e",
            "n",
        ]
        assert post().postprocess_nodes([]) == []
        broken = pipeline(verifier=FakeVerifier(fail=RuntimeError("boom")))
        out = post(pipeline=broken, conflicts="drop", trusted={"a": 1}).postprocess_nodes(NODES)
        assert ids(out) == ["n1", "n2"]
        assert "boom" in note(out[0])["reason"]

    async def test_in_an_engine_the_evaluator_gets_what_the_llm_was_shown(self) -> None:
        seen = SeenContexts()
        nodes = [node(OLD, "n1", source="blog"), node(NEW, "n2", source="handbook")]
        keeping = post(conflicts="drop", trusted={"source": "handbook"}, seen=seen)
        made = engine(NEW, nodes=nodes, node_postprocessors=[keeping])
        for response in (made.query(QUESTION), await made.aquery(QUESTION)):
            assert ids(response.source_nodes) == ["n2"]
            result = GraphEvalEvaluator(judging(), seen=seen).evaluate(QUESTION, str(response))
            assert (result.source_ids, result.contexts, result.passing) == (
                ["n2"],
                [f"source: handbook\n\n{NEW}"],
                True,
            )


def test_it_is_a_component() -> None:
    one = post(duplicates="drop")
    assert one.class_name() == "GraphEvalNodePostprocessor"
    assert one.to_dict()["duplicates"] == "drop"
    assert "pipeline" not in one.to_dict()
