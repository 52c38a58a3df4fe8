"""Guards around query engines and synthesizers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.prompts import PromptTemplate
from llama_index.core.query_engine import RetrieverQueryEngine, RouterQueryEngine, SubQuestionQueryEngine
from llama_index.core.question_gen.types import BaseQuestionGenerator, SubQuestion
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool
from pydantic import BaseModel

from grapheval import GraphEval, InputError
from grapheval.guard import Guard, GuardError
from grapheval.testing import FakeLLM, FakeVerifier
from llamaindex_grapheval import GraphEvalGuardEvent, GraphEvalQueryEngine, GraphEvalSynthesizer
from llamaindex_grapheval.guarding import aguard_response
from tests.guard.helpers import TableCorrector, pipeline
from tests.llamaindex.helpers import (
    ANSWER,
    FIXED,
    GOOD,
    LAST,
    NODES,
    QUESTION,
    REPAIRED,
    WRONG,
    FixedRetriever,
    ScriptedLLM,
    engine,
    node,
)


def judging(**stages: Any) -> GraphEval:
    return pipeline(TableCorrector({WRONG: FIXED}), **stages)


def guarded(answer: Any = ANSWER, *, streaming: bool = False, nodes: Any = None, **policy: Any) -> GraphEvalQueryEngine:
    return GraphEvalQueryEngine(engine(answer, streaming=streaming, nodes=nodes), judging(), **policy)


def synthesizing(answer: Any = ANSWER, *, streaming: bool = False, nodes: Any = None, **policy: Any) -> Any:
    inner = get_response_synthesizer(llm=ScriptedLLM(reply=answer), streaming=streaming)
    return RetrieverQueryEngine(FixedRetriever(nodes), GraphEvalSynthesizer(inner, judging(), **policy))


BOTH = pytest.mark.parametrize("make", [guarded, synthesizing])


class Constant(BaseQueryEngine):
    """Returns what it was given."""

    def __init__(self, response: Any) -> None:
        self.response = response
        super().__init__(None)

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _query(self, query_bundle: QueryBundle) -> Any:
        return self.response

    async def _aquery(self, query_bundle: QueryBundle) -> Any:
        return self.response


class TestAnswers:
    @BOTH
    async def test_repaired_with_nodes_metadata_and_report(self, make: Any) -> None:
        for response in (make().query(QUESTION), await make().aquery(QUESTION)):
            assert (type(response), response.response) == (Response, REPAIRED)
            assert [item.node.node_id for item in response.source_nodes] == ["n1", "n2"]
            assert response.metadata["n1"] == {"source": "atlas"}
            report = response.metadata["grapheval"]
            assert report["decision"] == "corrected"
            assert [flagged["claim"] for flagged in report["flagged"]] == [WRONG]
            assert report["evaluation"]["status"] == "inconsistent"

    @BOTH
    async def test_policies(self, make: Any) -> None:
        one = make(on_flagged="block", block_message="No.")
        assert (one.query(QUESTION).response, (await one.aquery(QUESTION)).response) == ("No.", "No.")
        assert make(on_flagged="flag").query(QUESTION).response == ANSWER
        assert make(GOOD).query(QUESTION).metadata["grapheval"]["decision"] == "passed"
        with pytest.raises(GuardError, match="not grounded"):
            make(on_flagged="raise").query(QUESTION)
        with pytest.raises(GuardError, match="not grounded"):
            await make(on_flagged="raise").aquery(QUESTION)

    @BOTH
    def test_a_policy_without_meaning(self, make: Any) -> None:
        with pytest.raises(InputError, match="on_flagged"):
            make(on_flagged="fix")

    def test_correct_needs_a_corrector_and_a_guard_stands_alone(self) -> None:
        with pytest.raises(InputError, match="corrector"):
            GraphEvalQueryEngine(engine(), pipeline())
        ready = Guard(pipeline(), on_flagged="flag")
        assert GraphEvalQueryEngine(engine(), guard=ready).query(QUESTION).response == ANSWER
        with pytest.raises(InputError, match="beside it"):
            GraphEvalQueryEngine(engine(), guard=ready, on_flagged="flag")

    def test_metadata_counts_as_the_llm_saw_it(self) -> None:
        nodes = [node("", "m", mayor="Anne")]
        assert guarded("Anne is mayor.", nodes=nodes).query(QUESTION).response == "Anne is mayor."

    def test_without_nodes(self) -> None:
        response = guarded(nodes=[]).query(QUESTION)
        assert (response.response, response.metadata["grapheval"]["decision"]) == ("Empty Response", "passed")
        invented = GraphEvalQueryEngine(Constant(Response(GOOD)), judging(), block_message="No.").query(QUESTION)
        assert (invented.response, invented.metadata["grapheval"]["cause"]) == ("No.", "unjudged")
        response = synthesizing(nodes=[]).query(QUESTION)
        assert (response.response, response.metadata) == ("Empty Response", None)

    @pytest.mark.parametrize("text", [None, "", "   "])
    async def test_an_answer_without_text_passes_as_it_is(self, text: str | None) -> None:
        one = GraphEvalQueryEngine(Constant(Response(text, list(NODES))), judging())
        for response in (one.query(QUESTION), await one.aquery(QUESTION)):
            assert (response.response, response.metadata["grapheval"]["decision"]) == (text, "passed")

    async def test_something_that_is_no_response_is_refused(self) -> None:
        class Foreign:
            source_nodes: list[Any] = []  # noqa: RUF012

        with pytest.raises(InputError, match="no response of a query engine"):
            await aguard_response(Guard(judging()), Foreign(), QUESTION)  # type: ignore[arg-type]

    async def test_a_raising_llm_raises_and_a_raising_judge_blocks(self) -> None:
        with pytest.raises(RuntimeError, match="boom"):
            guarded(RuntimeError("boom")).query(QUESTION)
        broken = judging(verifier=FakeVerifier(fail=RuntimeError("boom")))
        one = GraphEvalQueryEngine(engine(GOOD), broken, block_message="No.")
        for response in (one.query(QUESTION), await one.aquery(QUESTION)):
            assert (response.response, response.metadata["grapheval"]["cause"]) == ("No.", "failed")
            assert "boom" in response.metadata["grapheval"]["failures"][0]["message"]

    async def test_a_cancelled_query_is_cancelled(self) -> None:
        class Slow(FakeVerifier):
            async def averify(self, pairs: Any) -> Any:
                begun.set()
                await asyncio.sleep(60)

        begun = asyncio.Event()
        for make in (engine(), engine(streaming=True)):
            begun.clear()
            one = GraphEvalQueryEngine(make, judging(verifier=Slow()))

            async def ask(one: GraphEvalQueryEngine = one) -> str:
                response: Any = await one.aquery(QUESTION)
                return "".join([token async for token in response.async_response_gen()])

            task = asyncio.create_task(ask())
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    async def test_nested_in_a_running_loop(self) -> None:
        assert guarded().query(QUESTION).response == REPAIRED


class TestStreams:
    @BOTH
    async def test_what_is_streamed_is_what_query_returns(self, make: Any) -> None:
        for settings in ({}, {"on_flagged": "block"}, {"on_flagged": "flag"}, {"on_unrepaired": "drop"}):
            whole = make(**settings).query(QUESTION).response
            streamed = make(streaming=True, **settings).query(QUESTION)
            assert isinstance(streamed, StreamingResponse)
            assert "".join(streamed.response_gen) == whole
            streamed = await make(streaming=True, **settings).aquery(QUESTION)
            assert isinstance(streamed, AsyncStreamingResponse)
            assert "".join([token async for token in streamed.async_response_gen()]) == whole

    @BOTH
    def test_the_report_is_there_when_the_stream_ended(self, make: Any) -> None:
        response = make(streaming=True).query(QUESTION)
        assert response.metadata["grapheval"] == {}
        assert [item.node.node_id for item in response.source_nodes] == ["n1", "n2"]
        assert str(response) == REPAIRED
        assert response.metadata["grapheval"]["decision"] == "corrected"

    @BOTH
    def test_the_first_sentence_is_out_before_the_last_is_made(self, make: Any) -> None:
        one = make(streaming=True)
        inner = one._engine if isinstance(one, GraphEvalQueryEngine) else one
        synthesizer = inner._response_synthesizer
        llm = getattr(synthesizer, "_inner", synthesizer)._llm
        stream = one.query(QUESTION).response_gen
        assert next(stream) == GOOD
        assert " Tromso" not in llm.made
        assert "".join([GOOD, *stream]) == REPAIRED

    @BOTH
    def test_raise_raises_in_the_stream(self, make: Any) -> None:
        response = make(streaming=True, on_flagged="raise").query(QUESTION)
        with pytest.raises(GuardError):
            list(response.response_gen)

    def test_a_stream_that_was_read_already(self) -> None:
        inner = engine(streaming=True).query(QUESTION)
        assert str(inner) == ANSWER
        assert str(GraphEvalQueryEngine(Constant(inner), judging()).query(QUESTION)) == REPAIRED


class Town(BaseModel):
    name: str
    place: str
    people: int


class TestStructured:
    async def test_fields_are_guarded_one_by_one(self) -> None:
        inner = Constant(PydanticResponse(Town(name="Oslo", place=WRONG, people=3), list(NODES)))
        one = GraphEvalQueryEngine(inner, judging())
        for response in (one.query(QUESTION), await one.aquery(QUESTION)):
            assert isinstance(response, PydanticResponse)
            assert response.response == Town(name="Oslo", place=FIXED, people=3)
            assert response.metadata is not None
            assert response.metadata["grapheval"]["fields"]["place"]["decision"] == "corrected"
        blocked = GraphEvalQueryEngine(inner, judging(), on_flagged="block", block_message="No.").query(QUESTION)
        assert (type(blocked), blocked.response) == (Response, "No.")

    async def test_a_structured_llm(self) -> None:
        reply = Town(name="Oslo", place=WRONG, people=3).model_dump_json()
        llm = ScriptedLLM(reply=reply).as_structured_llm(Town)
        for policy, expected in (({}, FIXED), ({"on_flagged": "block", "block_message": "No."}, None)):
            inner = get_response_synthesizer(llm=llm)
            one = RetrieverQueryEngine(FixedRetriever(), GraphEvalSynthesizer(inner, judging(), **policy))
            for response in (one.query(QUESTION), await one.aquery(QUESTION)):
                if expected is None:
                    assert (type(response), response.response) == (Response, "No.")
                else:
                    assert isinstance(response, PydanticResponse)
                    assert response.response == Town(name="Oslo", place=expected, people=3)
                assert response.metadata is not None
                assert "place" in response.metadata["grapheval"]["fields"]


class TwoQuestions(BaseQuestionGenerator):
    """Asks two questions of the same tool."""

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: Any) -> None:
        pass

    def generate(self, tools: Any, query: QueryBundle) -> list[SubQuestion]:
        return [SubQuestion(sub_question=text, tool_name="towns") for text in ("Where?", "Which?")]

    async def agenerate(self, tools: Any, query: QueryBundle) -> list[SubQuestion]:
        return self.generate(tools, query)


def sub_questions(synthesizer: Any) -> SubQuestionQueryEngine:
    tool = QueryEngineTool.from_defaults(engine(WRONG), name="towns", description="towns")
    return SubQuestionQueryEngine(TwoQuestions(), synthesizer, [tool], verbose=False)


class TestComposition:
    async def test_sub_answers_do_not_support_the_answer(self) -> None:
        seen: list[str] = []

        def judge(premise: str, hypothesis: str) -> float:
            seen.append(premise)
            return 0.97 if hypothesis in premise else 0.02

        one = judging(verifier=FakeVerifier(judge))
        answering = get_response_synthesizer(llm=ScriptedLLM(reply=WRONG))
        for made in (
            GraphEvalQueryEngine(sub_questions(answering), one, on_flagged="block", block_message="No."),
            sub_questions(GraphEvalSynthesizer(answering, one, on_flagged="block", block_message="No.")),
        ):
            for response in (made.query(QUESTION), await made.aquery(QUESTION)):
                assert response.response == "No."
                assert {item.node.node_id for item in response.source_nodes} >= {"n1", "n2"}
        assert seen
        assert not [premise for premise in seen if "Sub question" in premise]

    async def test_routers(self) -> None:
        llm = ScriptedLLM(reply='[{"choice": 1, "reason": "only one"}]')
        tool = QueryEngineTool.from_defaults(engine(), name="towns", description="towns")
        router = RouterQueryEngine(LLMSingleSelector.from_defaults(llm), [tool, tool], llm=llm)
        one = GraphEvalQueryEngine(router, judging())
        for response in (one.query(QUESTION), await one.aquery(QUESTION)):
            assert (response.response, response.metadata["selector_result"].ind) == (REPAIRED, 0)

    @pytest.mark.parametrize(
        "mode", [ResponseMode.REFINE, ResponseMode.COMPACT, ResponseMode.TREE_SUMMARIZE, ResponseMode.SIMPLE_SUMMARIZE]
    )
    async def test_every_way_to_synthesize(self, mode: ResponseMode) -> None:
        inner = get_response_synthesizer(llm=ScriptedLLM(reply=ANSWER), response_mode=mode)
        one = RetrieverQueryEngine(FixedRetriever(), GraphEvalSynthesizer(inner, judging()))
        assert one.query(QUESTION).response == REPAIRED
        assert (await one.aquery(QUESTION)).response == REPAIRED

    def test_the_synthesizer_called_directly_judges_by_the_passages(self) -> None:
        one = GraphEvalSynthesizer(get_response_synthesizer(llm=ScriptedLLM(reply=ANSWER)), judging())
        assert one.get_response(QUESTION, [GOOD, LAST]) == REPAIRED

    def test_retrieve_and_synthesize_go_through(self) -> None:
        one = guarded()
        bundle = QueryBundle(QUESTION)
        assert one.retrieve(bundle) == NODES
        assert one.synthesize(bundle, one.retrieve(bundle)).response == REPAIRED

    def test_a_multimodal_node_without_text(self) -> None:
        nodes = [NodeWithScore(node=TextNode(text="", id_="e")), *NODES]
        assert guarded(nodes=nodes).query(QUESTION).response == REPAIRED


def test_prompts_of_both_sides_can_be_read_and_replaced() -> None:
    llm = FakeLLM(['<triples>[["Oslo", "is the capital of", "Norway"]]</triples>'])
    asking = GraphEval.from_llm(llm, verifier=FakeVerifier({}, 0.9))
    one = GraphEvalQueryEngine(engine(GOOD), asking)
    prompts = one.get_prompts()
    assert {"grapheval:extract", "query_engine:response_synthesizer:text_qa_template"} <= set(prompts)
    one.update_prompts({"grapheval:extract": PromptTemplate("Mine: {answer}")})
    assert one.query(QUESTION).response == GOOD
    assert llm.prompts[0][0].content == f"Mine: {GOOD}"
    made = GraphEvalSynthesizer(get_response_synthesizer(llm=ScriptedLLM(reply=GOOD)), asking)
    made.update_prompts({"response_synthesizer:text_qa_template": PromptTemplate("{context_str} {query_str}")})
    assert "response_synthesizer:text_qa_template" in made.get_prompts()


def test_an_event_is_sent() -> None:
    from llama_index_instrumentation import get_dispatcher
    from llama_index_instrumentation.event_handlers import BaseEventHandler

    caught: list[Any] = []

    class Handler(BaseEventHandler):
        def handle(self, event: Any, **kwargs: Any) -> None:
            caught.append(event)

    root, handler = get_dispatcher(), Handler()
    root.add_event_handler(handler)
    try:
        guarded().query(QUESTION)
    finally:
        root.event_handlers.remove(handler)
    (event,) = [event for event in caught if isinstance(event, GraphEvalGuardEvent)]
    assert (event.query, event.decision, event.report["decision"]) == (QUESTION, "corrected", "corrected")
