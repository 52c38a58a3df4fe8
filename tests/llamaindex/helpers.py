"""A small index and a scripted LLM, both of LlamaIndex's own kinds."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen is a wrong town."
FIXED = "Bergen lies on the west coast."
LAST = "Tromso lies in the north."
ANSWER = f"{GOOD} {WRONG} {LAST}"
REPAIRED = f"{GOOD} {FIXED} {LAST}"
QUESTION = "Where do the towns lie?"


def node(text: str, name: str, score: float | None = 0.9, **metadata: Any) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=text, id_=name, metadata=metadata), score=score)


NODES = [node(GOOD, "n1", source="atlas"), node(f"{FIXED} {LAST}", "n2", source="atlas")]


class FixedRetriever(BaseRetriever):
    """Always finds the same nodes."""

    def __init__(self, nodes: list[NodeWithScore] | None = None) -> None:
        self.nodes = NODES if nodes is None else nodes
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return list(self.nodes)


class ScriptedLLM(CustomLLM):
    """Answers with a text, or with what a function says to the prompt; streams word by word."""

    reply: Any = ""
    prompts: list[str] = Field(default_factory=list)
    made: list[str] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="scripted")

    def _reply(self, prompt: str) -> str:
        self.prompts.append(prompt)
        reply = self.reply(prompt) if isinstance(self.reply, Callable) else self.reply  # type: ignore[arg-type]
        if isinstance(reply, Exception):
            raise reply
        return str(reply)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._reply(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def chunks() -> CompletionResponseGen:
            text = ""
            for number, word in enumerate(self._reply(prompt).split(" ")):
                delta = word if number == 0 else f" {word}"
                self.made.append(delta)
                text += delta
                yield CompletionResponse(text=text, delta=delta)

        return chunks()


def engine(answer: Any = ANSWER, *, streaming: bool = False, nodes: Any = None, **settings: Any) -> Any:
    """A retriever query engine whose LLM gives that answer."""
    llm = ScriptedLLM(reply=answer)
    synthesizer = get_response_synthesizer(llm=llm, streaming=streaming)
    return RetrieverQueryEngine(FixedRetriever(nodes), synthesizer, **settings)


def tokens(*texts: str) -> Generator[str, None, None]:
    yield from texts


async def atokens(*texts: str) -> AsyncGenerator[str, None]:
    for text in texts:
        yield text
