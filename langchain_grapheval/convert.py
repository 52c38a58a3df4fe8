"""LangChain's documents and messages as the core's text and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from grapheval import InputError, Sample, Source

QUESTION_KEYS = ("question", "input", "query")


def answer_text(answer: object) -> str:
    """The text of an answer.

    Args:
        answer: A string or a message; of block lists, the text blocks count.

    Raises:
        InputError: It is neither.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, BaseMessage):
        return str(answer.text)
    msg = f"an answer must be a string or a message, not {type(answer).__name__}"
    raise InputError(msg)


def question_text(question: object) -> str | None:
    """The text of a question: a string, a message, or of a conversation what a person said last.

    Raises:
        InputError: It is none of these.
    """
    if question is None or isinstance(question, str):
        return question
    if isinstance(question, BaseMessage):
        return str(question.text)
    if isinstance(question, Sequence) and all(isinstance(item, BaseMessage) for item in question):
        return last_question(question)
    msg = f"a question must be a string or a message, not {type(question).__name__}"
    raise InputError(msg)


def last_question(messages: Iterable[object]) -> str | None:
    """What a person said last in a conversation, None if nobody said anything."""
    said = [message for message in messages if isinstance(message, HumanMessage)]
    return str(said[-1].text) if said else None


def to_context(context: object) -> Any:
    """What retrievers, tools and conversations return, as a context that the core takes.

    Args:
        context: None, a string, a `Document`, a `Source`, a message, or an iterable of these, nested as retrievers
            for several queries nest them. Of messages only tool results count: what people, system prompts and
            models say is no source. A tool's documents (its artifact) go before its text; images and other blocks
            without text, and results of tools that failed, are left out. None within a list is an empty passage.

    Raises:
        InputError: Something in it is none of these.
    """
    if context is None:
        return []
    return list(_passages(context))


def _passages(item: object) -> Iterator[Any]:
    if item is None:
        yield Source("")
    elif isinstance(item, ToolMessage):
        yield from _tool_result(item)
    elif isinstance(item, BaseMessage):
        return
    elif isinstance(item, str | Source | Document | Mapping) or not isinstance(item, Iterable):
        yield item  # the core says what it cannot take
    else:
        for part in item:
            yield from _passages(part)


def _tool_result(message: ToolMessage) -> Iterator[Any]:
    if message.status == "error":
        return
    documents = _documents(message.artifact)
    if documents:
        yield from documents
    elif text := str(message.text).strip():
        yield Source(text, metadata={"tool": message.name or "", "tool_call_id": message.tool_call_id})


def _documents(artifact: object) -> list[Document]:
    if isinstance(artifact, Document):
        return [artifact]
    if isinstance(artifact, Mapping):
        return [document for value in artifact.values() for document in _documents(value)]
    if isinstance(artifact, list | tuple):
        return [document for value in artifact for document in _documents(value)]
    return []


def to_sample(data: Mapping[str, Any], keys: tuple[str, str, str | None] = ("answer", "context", None)) -> Sample:
    """The sample in a chain's dictionary.

    Args:
        data: `answer`, `context` and, if there is one, the question.
        keys: Under which names; None for the question = the first of `question`, `input`, `query` that is there.

    Raises:
        InputError: A key is missing, or a value cannot be used.
    """
    if not isinstance(data, Mapping):
        msg = f"the input must be a dictionary with {keys[0]!r} and {keys[1]!r}, not {type(data).__name__}"
        raise InputError(msg)
    for key in keys[:2]:
        if key not in data:
            msg = f"the input has no {key!r}: its keys are {', '.join(map(repr, data)) or 'none'}"
            raise InputError(msg)
    return Sample(answer_text(data[keys[0]]), to_context(data[keys[1]]), find_question(data, keys[2]))


def find_question(data: Mapping[str, Any], key: str | None) -> str | None:
    """The question in a chain's dictionary, None if there is none."""
    if key is not None:
        return question_text(data.get(key))
    found = next((data[name] for name in QUESTION_KEYS if data.get(name)), None)
    return question_text(found) if isinstance(found, str | BaseMessage | list | tuple) else None


def with_text(message: AIMessage, text: str, *, blocked: bool = False, report: Mapping[str, Any] | None = None) -> Any:
    """The message with another text: same type, id and metadata.

    Args:
        message: Left as it is.
        text: Takes the place of all its text.
        blocked: Leaves nothing else of it: no reasoning, images or tool calls.
        report: Goes into `response_metadata["grapheval"]`.

    Returns:
        A copy. Where the text is unchanged, content blocks stay as they are; otherwise the first text block holds
        all of it, and citations that pointed into the old text are gone.
    """
    update: dict[str, Any] = {}
    if report is not None:
        update["response_metadata"] = {**message.response_metadata, "grapheval": dict(report)}
    if blocked:
        update |= {"content": text, "tool_calls": [], "invalid_tool_calls": [], "additional_kwargs": {}}
        if hasattr(message, "tool_call_chunks"):
            update["tool_call_chunks"] = []
    elif text != str(message.text):
        update["content"] = text if isinstance(message.content, str) else _blocks(message.content, text)
    return message.model_copy(update=update)


def _blocks(content: Sequence[str | dict[str, Any]], text: str) -> list[str | dict[str, Any]]:
    blocks: list[str | dict[str, Any]] = []
    placed = False
    for block in content:
        if isinstance(block, str) or (block.get("type") == "text" and isinstance(block.get("text"), str)):
            if not placed:
                blocks.append({"type": "text", "text": text})
            placed = True
        else:
            blocks.append(block)
    return blocks if placed else [*blocks, {"type": "text", "text": text}]
