"""The evaluator: results, contexts as the LLM saw them, streams kept, what cannot be judged."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.llms import MockLLM
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate, RichPromptTemplate
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, TextNode
from pydantic import BaseModel

from grapheval import Evaluation, GraphEval, InputError, Reason
from grapheval.testing import FakeExtractor, FakeLLM, FakeVerifier
from llamaindex_grapheval import GraphEvalEvaluationEvent, GraphEvalEvaluator, GraphEvalResult, SeenContexts
from tests.guard.helpers import SentenceExtractor, pipeline
from tests.llamaindex.helpers import ANSWER, GOOD, LAST, NODES, QUESTION, WRONG, atokens, engine, node, tokens


def evaluator(**settings: Any) -> GraphEvalEvaluator:
    return GraphEvalEvaluator(pipeline(), **settings)


class TestText:
    def test_a_supported_answer_passes(self) -> None:
        result = evaluator().evaluate(QUESTION, GOOD, [GOOD, LAST])
        assert (result.passing, result.invalid_result, result.status) == (True, False, "consistent")
        assert result.score == pytest.approx(0.97)
        assert result.feedback == "Consistent: 1 of 1 statement supported by the sources; groundedness 0.97."
        assert (result.query, result.response, result.contexts) == (QUESTION, GOOD, [GOOD, LAST])
        assert result.source_ids == ["1", "2"]

    def test_an_unsupported_claim_fails_and_is_named(self) -> None:
        result = evaluator().evaluate(QUESTION, ANSWER, NODES)
        assert (result.passing, result.status) == (False, "inconsistent")
        assert result.score == pytest.approx(0.02)
        assert result.feedback == (
            "Inconsistent: 2 of 3 statements supported by the sources; groundedness 0.02.\n"
            f'- "{WRONG}": the sources do not say so'
        )
        assert [row["claim"] for row in result.triples] == [GOOD, WRONG, LAST]
        assert [row["flagged"] for row in result.triples] == [False, True, False]
        assert result.triples[0]["evidence"][0] | {"start": 0, "end": 0} == {
            "node_id": "n1", "start": 0, "end": 0, "text": GOOD, "stance": "supports",
        }  # fmt: skip

    def test_triples_are_attached(self) -> None:
        one = GraphEval(
            extractor=FakeExtractor({GOOD: [("Oslo", "is the capital of", "Norway")]}), verifier=FakeVerifier({}, 0.9)
        )
        row = GraphEvalEvaluator(one).evaluate(QUESTION, GOOD, [GOOD]).triples[0]
        assert (row["subject"], row["relation"], row["object"]) == ("Oslo", "is the capital of", "Norway")
        assert row["p_ungrounded"] == pytest.approx(0.1)

    def test_a_contradiction_is_quoted_with_its_node(self) -> None:
        def judge(premise: str, hypothesis: str) -> tuple[float, float, float]:
            return (0.01, 0.01, 0.98)

        result = GraphEvalEvaluator(pipeline(verifier=FakeVerifier(judge))).evaluate(
            QUESTION, "Oslo is the capital of Sweden.", [node(GOOD, "n1")]
        )
        assert f'the sources say otherwise: "{GOOD}" [n1]' in str(result.feedback)

    def test_a_single_string_is_one_passage(self) -> None:
        assert evaluator().evaluate(QUESTION, GOOD, GOOD).source_ids == ["1"]

    def test_the_result_survives_json(self) -> None:
        result = evaluator().evaluate(QUESTION, ANSWER, NODES)
        again = GraphEvalResult.model_validate_json(result.model_dump_json())
        assert again == result
        assert isinstance(again.evaluation, Evaluation)

    async def test_sync_inside_a_running_loop_and_async_agree(self) -> None:
        here = evaluator().evaluate(QUESTION, ANSWER, NODES)
        assert here == await evaluator().aevaluate(QUESTION, ANSWER, NODES)

    def test_threshold(self) -> None:
        shared = pipeline()
        assert GraphEvalEvaluator(shared, threshold=0.99).evaluate(QUESTION, WRONG, NODES).passing is True
        assert shared.threshold == 0.5
        for wrong in (0, 1, 7):
            with pytest.raises(InputError, match="threshold"):
                evaluator(threshold=wrong)


class TestUnjudged:
    @pytest.mark.parametrize(
        ("response", "contexts", "reason"),
        [
            (None, [GOOD], "input_error: there is no response"),
            (GOOD, None, "input_error: there are no contexts"),
            (GOOD, [], "no_context: there is no context to check the answer against (empty_context)"),
            (GOOD, ["", None], "no_context"),
            ("", [GOOD], "no_claims: there is nothing to check in the answer (nothing_to_check)"),
            ("Hello there!", [GOOD], "no_claims"),
            ("Sorry, I do not know.", [GOOD], "abstained: the answer declines to answer (answer_declines)"),
            ("That is odd.", [GOOD], "partial: not everything could be judged (unsupported_language)"),
            (GOOD, 7, "input_error"),
            (GOOD, [7], "input_error"),
            (7, [GOOD], "input_error"),
        ],
    )
    async def test_is_invalid_with_a_reason_and_neither_pass_nor_fail(
        self, response: Any, contexts: Any, reason: str
    ) -> None:
        for result in (
            evaluator().evaluate(QUESTION, response, contexts),
            await evaluator().aevaluate(QUESTION, response, contexts),
        ):
            assert result.invalid_result
            assert str(result.invalid_reason).startswith(reason)
            assert (result.passing, result.score) == (None, None)

    @pytest.mark.parametrize("error", [RuntimeError("boom"), TimeoutError("late"), ConnectionError("gone")])
    async def test_a_model_that_raises(self, error: Exception) -> None:
        for stage in ({"verifier": FakeVerifier(fail=error)}, {"extractor": FakeExtractor(fail=error)}):
            one = GraphEvalEvaluator(pipeline(**stage))  # type: ignore[arg-type]
            for result in (one.evaluate(QUESTION, GOOD, [GOOD]), await one.aevaluate(QUESTION, GOOD, [GOOD])):
                assert str(error) in str(result.invalid_reason)
                assert (result.invalid_result, result.evaluation) == (True, None)

    async def test_a_raising_plug_in_of_another_kind_is_typed_too(self) -> None:
        class Broken:
            info = "broken"

            def aggregate(self, verdicts: Any) -> float:
                raise ZeroDivisionError("oops")

        result = await GraphEvalEvaluator(pipeline(aggregator=Broken())).aevaluate(QUESTION, GOOD, [GOOD])
        assert "oops" in str(result.invalid_reason)

    async def test_a_cancelled_task_is_cancelled(self) -> None:
        class Slow(FakeVerifier):
            async def averify(self, pairs: Any) -> Any:
                await asyncio.sleep(60)

        task = asyncio.create_task(GraphEvalEvaluator(pipeline(verifier=Slow())).aevaluate(QUESTION, GOOD, [GOOD]))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


class TestResponses:
    def test_metadata_that_the_llm_saw_is_context_and_hidden_metadata_is_not(self) -> None:
        item = TextNode(text="About a town.", id_="m", metadata={"mayor": "Anne", "secret": "wrong"})
        item.excluded_llm_metadata_keys = ["secret"]
        response = Response("Anne is mayor.", [NodeWithScore(node=item)])
        result = evaluator().evaluate_response(QUESTION, response)
        assert result.contexts == ["mayor: Anne\n\nAbout a town."]
        bare = GraphEvalEvaluator(pipeline(), metadata_mode=MetadataMode.NONE)
        assert bare.evaluate_response(QUESTION, response).contexts == ["About a town."]

    def test_a_node_with_metadata_only_and_an_image_node(self) -> None:
        nodes = [node("", "meta", mayor="Anne"), NodeWithScore(node=ImageNode(image_url="http://x/y.png", id_="i"))]
        result = evaluator().evaluate_response(QUESTION, Response("Anne is mayor.", nodes))
        assert (result.contexts, result.passing) == (["mayor: Anne", ""], True)
        only_image = evaluator().evaluate_response(QUESTION, Response(GOOD, nodes[1:]))
        assert (only_image.status, only_image.invalid_result) == ("no_context", True)

    async def test_every_kind_of_response(self) -> None:
        class City(BaseModel):
            capital_of: str

        given = [
            Response(GOOD, NODES),
            AgentChatResponse(GOOD, source_nodes=list(NODES)),
            StreamingResponse(tokens("Oslo is ", "the capital of Norway."), NODES),
        ]
        for response in given:
            assert evaluator().evaluate_response(QUESTION, response).response == GOOD
            assert (await evaluator().aevaluate_response(QUESTION, response)).response == GOOD
        for contexts, plain in ((NODES, GOOD), ([GOOD], ChatMessage(role="assistant", content=GOOD))):
            assert evaluator().evaluate_response(QUESTION, plain, contexts).passing is True
        structured = PydanticResponse(City(capital_of="Norway"), NODES)
        assert evaluator().evaluate_response(QUESTION, structured).response == "capital of: Norway"

    @pytest.mark.parametrize("response", [None, Response(None, []), Response("", NODES), 5, object()])
    async def test_empty_and_foreign_responses_are_invalid(self, response: Any) -> None:
        assert evaluator().evaluate_response(QUESTION, response).invalid_result
        assert (await evaluator().aevaluate_response(QUESTION, response)).invalid_result

    def test_answers_given_on_the_way_are_no_source(self) -> None:
        made_up = NodeWithScore(node=TextNode(text=f"Sub question: where?\nResponse: {WRONG}"))
        step = NodeWithScore(node=TextNode(text=f"\nQuestion: where?\nAnswer: {WRONG}"))
        result = evaluator().evaluate_response(QUESTION, Response(GOOD, [made_up, step, *NODES, *NODES]))
        assert result.source_ids == ["n1", "n2"]


class TestStreams:
    async def test_a_stream_is_still_there_afterwards(self) -> None:
        one = StreamingResponse(tokens("Oslo is ", "the capital of Norway."), NODES)
        assert evaluator().evaluate_response(QUESTION, one).passing is True
        assert list(one.response_gen) == ["Oslo is ", "the capital of Norway."]
        assert str(one) == GOOD
        two = AsyncStreamingResponse(atokens("Oslo is ", "the capital of Norway."), NODES)
        assert (await evaluator().aevaluate_response(QUESTION, two)).passing is True
        assert [token async for token in two.response_gen] == ["Oslo is ", "the capital of Norway."]
        assert "".join([token async for token in two.async_response_gen()]) == GOOD

    async def test_sync_inside_a_running_loop(self) -> None:
        response = AsyncStreamingResponse(atokens("Oslo is ", "the capital of Norway."), NODES)
        assert evaluator().evaluate_response(QUESTION, response).passing is True
        assert "".join([token async for token in response.async_response_gen()]) == GOOD

    async def test_a_stream_that_was_read_before_is_said(self) -> None:
        one = StreamingResponse(tokens(GOOD), NODES)
        assert list(one.response_gen) == [GOOD]
        two = AsyncStreamingResponse(atokens(GOOD), NODES)
        assert [token async for token in two.response_gen] == [GOOD]
        for response in (one, two):
            result = await evaluator().aevaluate_response(QUESTION, response)
            assert "the stream was read before" in str(result.invalid_reason)
        read = StreamingResponse(tokens(GOOD), NODES)
        assert str(read) == GOOD
        assert evaluator().evaluate_response(QUESTION, read).passing is True

    async def test_a_stream_that_breaks_breaks_again_for_its_reader(self) -> None:
        def broken() -> Any:
            yield "Oslo is "
            raise RuntimeError("cut off")

        async def abroken() -> Any:
            yield "Oslo is "
            raise RuntimeError("cut off")

        one, two = StreamingResponse(broken(), NODES), AsyncStreamingResponse(abroken(), NODES)
        for response in (one, two):
            assert "cut off" in str((await evaluator().aevaluate_response(QUESTION, response)).invalid_reason)
        assert next(one.response_gen) == "Oslo is "
        with pytest.raises(RuntimeError, match="cut off"):
            next(one.response_gen)
        assert await anext(two.response_gen) == "Oslo is "
        with pytest.raises(RuntimeError, match="cut off"):
            await anext(two.response_gen)

    async def test_query_engines_stream(self) -> None:
        response = engine(streaming=True).query(QUESTION)
        assert evaluator().evaluate_response(QUESTION, response).passing is False
        assert "".join(response.response_gen) == ANSWER
        response = await engine(streaming=True).aquery(QUESTION)
        assert (await evaluator().aevaluate_response(QUESTION, response)).passing is False
        assert "".join([token async for token in response.async_response_gen()]) == ANSWER


class TestBatches:
    async def test_nothing_raises_into_the_runner(self) -> None:
        def judge(premise: str, hypothesis: str) -> float | Reason:
            if "boom" in hypothesis:
                raise RuntimeError("boom")
            return 0.02 if "wrong" in hypothesis else 0.97

        asked = SentenceExtractor()
        one = GraphEvalEvaluator(pipeline(extractor=asked, verifier=FakeVerifier(judge)))
        runner = BatchEvalRunner({"grapheval": one}, workers=2)
        responses: list[Any] = [Response(GOOD, NODES), Response("This goes boom.", NODES), None, Response(WRONG, NODES)]
        results = (await runner.aevaluate_responses(queries=["a", "b", "c", "d"], responses=responses))["grapheval"]
        assert sorted(asked.calls) == sorted([GOOD, "This goes boom.", WRONG])  # the runner tried nothing again
        assert [result.passing for result in results] == [True, None, None, False]
        assert [result.invalid_result for result in results] == [False, True, True, False]
        texts = await runner.aevaluate_response_strs(queries=["a"], response_strs=[GOOD], contexts_list=[[GOOD]])
        assert texts["grapheval"][0].passing is True

    async def test_queries(self) -> None:
        runner = BatchEvalRunner({"grapheval": evaluator()}, workers=2)
        results = await runner.aevaluate_queries(engine(), queries=[QUESTION, QUESTION])
        assert [result.passing for result in results["grapheval"]] == [False, False]


class TestSeen:
    def test_the_passages_that_the_llm_was_shown(self) -> None:
        seen = SeenContexts()
        seen.record(QUESTION, NODES[:1])
        one = GraphEvalEvaluator(pipeline(), seen=seen)
        assert one.evaluate(QUESTION, GOOD).source_ids == ["n1"]
        assert one.evaluate_response(QUESTION, Response(GOOD, list(NODES))).source_ids == ["n1"]
        assert one.evaluate_response(QUESTION, Response(GOOD, [])).source_ids == ["n1"]
        assert one.evaluate_response(QUESTION, Response(GOOD, NODES[1:])).source_ids == ["n2"]
        assert one.evaluate("another", GOOD).invalid_result

    def test_only_so_many_are_kept(self) -> None:
        seen = SeenContexts(limit=2)
        for query in ("a", "b", "a", "c"):
            seen.record(query, NODES)
        assert (len(seen), seen.of("b"), seen.of(None)) == (2, None, None)
        assert seen.of("a") is not None


class TestPrompts:
    def test_they_can_be_read_and_replaced(self) -> None:
        llm = FakeLLM(['<triples>[["Oslo", "is the capital of", "Norway"]]</triples>'])
        given = GraphEval.from_llm(llm, verifier=FakeVerifier({}, 0.9))
        one = GraphEvalEvaluator(given)
        prompts = one.get_prompts()
        assert {"extract", "correct_triple"} <= set(prompts)
        assert isinstance(prompts["extract"], ChatPromptTemplate)
        assert "answer" in prompts["extract"].template_vars
        one.update_prompts({"extract": PromptTemplate('Triples like {"a": 1}, please.\n<text>\n{answer}\n</text>')})
        result = one.evaluate(QUESTION, GOOD, [GOOD])
        assert result.passing is True
        assert [(m.role, m.content) for m in llm.prompts[0]] == [
            ("user", f'Triples like {{"a": 1}}, please.\n<text>\n{GOOD}\n</text>')
        ]
        assert one.pipeline is not given
        assert result.evaluation is not None
        assert result.evaluation.provenance.prompts["extract"] != given.provenance().prompts["extract"]
        assert result.evaluation.provenance.prompts["extract_more"] == given.provenance().prompts["extract_more"]

    def test_what_is_read_can_be_put_back(self) -> None:
        llm = FakeLLM(['<triples>[["Oslo", "is the capital of", "Norway"]]</triples>'])
        one = GraphEvalEvaluator(GraphEval.from_llm(llm, verifier=FakeVerifier({}, 0.9)))
        one.evaluate(QUESTION, GOOD, [GOOD])
        one.update_prompts(one.get_prompts())
        one.evaluate(QUESTION, GOOD, [GOOD])
        assert llm.prompts[0] == llm.prompts[1]

    def test_other_templates(self) -> None:
        llm = FakeLLM(['<triples>[["Oslo", "is", "big"]]</triples>'])
        one = GraphEvalEvaluator(GraphEval.from_llm(llm, verifier=FakeVerifier({}, 0.9)))
        one.update_prompts({"extract": RichPromptTemplate("Rich: {{ answer }}")})
        one.evaluate(QUESTION, GOOD, [GOOD])
        assert llm.prompts[-1][0].content == f"Rich: {GOOD}"
        chat = ChatPromptTemplate.from_messages([("system", "Be brief."), ("user", "Chat: {answer}")])
        one.update_prompts({"extract": chat})
        one.evaluate(QUESTION, GOOD, [GOOD])
        assert [m.content for m in llm.prompts[-1]] == ["Be brief.", f"Chat: {GOOD}"]

    @pytest.mark.parametrize(
        ("name", "template", "message"),
        [
            ("extrct", PromptTemplate("{answer}"), "no prompt 'extrct'"),
            ("extract", PromptTemplate("Nothing to fill."), "lacks {{answer}}"),
            ("extract", PromptTemplate("{answer} {context}"), "unknown slot"),
            ("extract", RichPromptTemplate("{% chat role='user' %}{{ answer }}{% endchat %}"), "Jinja"),
            ("extract", PromptTemplate("{answer}").partial_format(answer="x"), "filled already"),
        ],
    )
    def test_what_cannot_be_used_is_refused(self, name: str, template: Any, message: str) -> None:
        one = GraphEvalEvaluator(GraphEval.from_llm(FakeLLM(["x"]), verifier=FakeVerifier()))
        with pytest.raises(InputError, match=message):
            one.update_prompts({name: template})

    def test_a_pipeline_without_llm_has_none(self) -> None:
        assert evaluator().get_prompts() == {}
        with pytest.raises(InputError, match="it asks no LLM"):
            evaluator().update_prompts({"extract": PromptTemplate("{answer}")})

    def test_an_llm_of_llama_index_builds_the_pipeline(self) -> None:
        one = GraphEvalEvaluator(llm=MockLLM())
        assert one.pipeline.extractor.info.startswith("llm/MockLLM")
        with pytest.raises(InputError, match="either a pipeline or an llm"):
            GraphEvalEvaluator(pipeline(), llm=MockLLM())


def test_an_event_and_a_span_are_sent() -> None:
    from llama_index_instrumentation import get_dispatcher
    from llama_index_instrumentation.event_handlers import BaseEventHandler
    from llama_index_instrumentation.span_handlers import SimpleSpanHandler

    caught: list[Any] = []

    class Handler(BaseEventHandler):
        def handle(self, event: Any, **kwargs: Any) -> None:
            caught.append(event)

    root, handler, spans = get_dispatcher(), Handler(), SimpleSpanHandler()
    root.add_event_handler(handler)
    root.add_span_handler(spans)
    try:
        evaluator().evaluate(QUESTION, GOOD, [GOOD])
    finally:
        root.event_handlers.remove(handler)
        root.span_handlers.remove(spans)
    (event,) = [event for event in caught if isinstance(event, GraphEvalEvaluationEvent)]
    assert (event.query, event.result["passing"], event.span_id is not None) == (QUESTION, True, True)
    assert any("GraphEvalEvaluator.evaluate" in span.id_ for span in spans.completed_spans)
