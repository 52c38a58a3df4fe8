"""`KGExtractor`: text -> triples, as one Runnable."""

from __future__ import annotations

from typing import Any, Literal

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnableSerializable
from langchain_core.runnables.config import run_in_executor
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from grapheval import InputError, Sample, Triple
from grapheval.prompts.templates import PromptSet
from grapheval.protocols import Extractor
from langchain_grapheval.convert import answer_text
from langchain_grapheval.parser import TripleOutputParser
from langchain_grapheval.quiet import quiet


class _Edge(BaseModel):
    """One statement, as subject, relation and object that read as a sentence when joined."""

    subject: str = Field(min_length=1)
    relation: str = Field(min_length=1)
    object: str = Field(min_length=1)


class KnowledgeGraph(BaseModel):
    """Everything that a text states, as triples."""

    triples: list[_Edge]


class KGExtractor(RunnableSerializable[str | BaseMessage, list[Triple]]):
    """Turns an answer into a knowledge graph (arXiv 2407.10793, section 4): `prompt | llm | parser`.

    Input: a string or a message. Output: the triples; `[]` only where the text states nothing.

    Args:
        llm: Any Runnable from messages to a message: a chat model, one with `with_retry` or `with_fallbacks`, a
            chain. None = the local extractor: English, no model to call.
        parser: Reads the reply.
        method: `text` asks for a list of triples as text, which any model can; `structured` uses
            `with_structured_output`, which the model must support (bind it before `with_retry`).
        attempts: How often a reply without triples is asked for in all, each time with what was wrong.
        prompts: Replacements for the packaged prompts by name.
        question: What the texts answer; helps with short ones.

    Raises (on invoke):
        OutputParserException: The reply holds no triples.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    llm: Runnable[Any, Any] | None = None
    parser: TripleOutputParser = Field(default_factory=TripleOutputParser)
    method: Literal["text", "structured"] = "text"
    attempts: int = Field(default=2, ge=1)
    prompts: dict[str, str] | None = None
    question: str | None = None
    _extractor: Extractor | None = PrivateAttr(default=None)

    def invoke(self, input: str | BaseMessage, config: RunnableConfig | None = None, **kwargs: Any) -> list[Triple]:
        """The triples of a text."""

        def run(text: str | BaseMessage, run_manager: Any, config: RunnableConfig) -> list[Triple]:
            if self.llm is None:
                return self._local(text)
            value = self._prompt(text)
            for _ in range(self.attempts - 1):
                try:
                    return self._chain(value).invoke(text, config, **kwargs)
                except OutputParserException as error:
                    value = self._again(value, error)
            return self._chain(value).invoke(text, config, **kwargs)

        return self._call_with_config(run, input, quiet(config), run_type="chain")

    async def ainvoke(
        self,
        input: str | BaseMessage,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Triple]:
        """As `invoke`."""

        async def run(text: str | BaseMessage, run_manager: Any, config: RunnableConfig) -> list[Triple]:
            if self.llm is None:
                return await run_in_executor(config, self._local, text)
            value = self._prompt(text)
            for _ in range(self.attempts - 1):
                try:
                    return await self._chain(value).ainvoke(text, config, **kwargs)
                except OutputParserException as error:
                    value = self._again(value, error)
            return await self._chain(value).ainvoke(text, config, **kwargs)

        return await self._acall_with_config(run, input, quiet(config), run_type="chain")

    # --------------------------------------------------------------------------------------------------- internals

    def _prompt(self, text: str | BaseMessage) -> ChatPromptValue:
        rendered = PromptSet(self.prompts)["extract"].render(
            answer=answer_text(text), question=self.question or "(not given)"
        )
        return ChatPromptValue(messages=_messages(rendered))

    def _again(self, value: ChatPromptValue, error: OutputParserException) -> ChatPromptValue:
        from langchain_core.messages import AIMessage

        reply = AIMessage(error.llm_output or "(empty)")
        rendered = PromptSet(self.prompts)["extract_retry"].render(problem=str(error.args[0]))
        return ChatPromptValue(messages=[*value.messages, reply, *_messages(rendered)])

    def _chain(self, value: ChatPromptValue) -> Runnable[Any, list[Triple]]:
        assert self.llm is not None

        def prompt(_: str | BaseMessage) -> ChatPromptValue:
            return value

        first = RunnableLambda(prompt, name="ExtractionPrompt")
        if self.method == "text":
            return first | self.llm | self.parser
        bind = getattr(self.llm, "with_structured_output", None)
        if bind is None:
            msg = (
                f"{type(self.llm).__name__} has no with_structured_output: use method='text', or pass the model "
                "itself and add with_retry to the extractor"
            )
            raise InputError(msg)
        structured: Runnable[Any, Any] = bind(KnowledgeGraph)
        return first | structured | RunnableLambda(_edges, name="read_triples")

    def _local(self, text: str | BaseMessage) -> list[Triple]:
        if self._extractor is None:
            from grapheval.defaults import extractor

            self._extractor = extractor()
        (extraction,) = self._extractor.extract([Sample(answer_text(text), (), self.question)])
        return list(extraction.triples)


def _messages(rendered: list[Any]) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [kinds[message.role](message.content) for message in rendered]


def _edges(graph: KnowledgeGraph | dict[str, Any] | None) -> list[Triple]:
    """The triples of a structured reply; a model that called no tool has failed, it has not found nothing."""
    if graph is None:
        msg = "the model made no structured reply"
        raise OutputParserException(msg, observation=msg, llm_output="", send_to_llm=True)
    if isinstance(graph, dict):
        graph = KnowledgeGraph.model_validate(graph)
    return [Triple(edge.subject, edge.relation, edge.object) for edge in graph.triples]
