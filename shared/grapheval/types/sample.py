"""What is judged: an answer, its contexts, the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from grapheval.errors import InputError

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

ContextLike = Any
"""A string, a `Source`, a mapping with `text`, a LangChain `Document`, a LlamaIndex node, or an iterable of these."""


def clean_text(text: str) -> str:
    """Replace lone surrogates, which no encoding can carry, by U+FFFD: one for one, so that offsets stay right."""
    return _LONE_SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Source:
    """One piece of context.

    Args:
        text: The passage.
        id: Name of the passage, unique within a sample; "" gets its position ("1", "2", …).
        metadata: Whatever the retriever knew about it; carried along, never read.
    """

    text: str
    id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            msg = f"Source.text must be a string, not {type(self.text).__name__}"
            raise InputError(msg)
        object.__setattr__(self, "text", clean_text(self.text))


def to_sources(context: ContextLike) -> tuple[Source, ...]:
    """Turn whatever retrievers return into sources with unique ids.

    Args:
        context: None, a string, a `Source`, a mapping with `text` (and `id`, `metadata`), a LangChain `Document`, a
            LlamaIndex node (with or without score), or an iterable of these. A passage whose text is None counts as
            empty.

    Returns:
        One source per passage, in order; positions become the ids of passages without one, and a repeated id gets
        a suffix.

    Raises:
        InputError: Something in it is none of these.
    """
    if context is None:
        return ()
    if (
        isinstance(context, str | Source | Mapping)
        or hasattr(context, "page_content")
        or hasattr(context, "get_content")
    ):
        items: list[Any] = [context]
    elif isinstance(context, Iterable) and not isinstance(context, bytes | bytearray):
        items = list(context)
    else:
        msg = f"a context must be a string, a Source, a document, or a sequence of these, not {type(context).__name__}"
        raise InputError(msg)
    taken: set[str] = set()
    sources = []
    for number, item in enumerate(items, start=1):
        source = _to_source(item, number)
        name = source.id or str(number)
        unique, copy = name, 2
        while unique in taken:
            unique, copy = f"{name}#{copy}", copy + 1
        taken.add(unique)
        sources.append(source if unique == source.id else Source(source.text, unique, source.metadata))
    return tuple(sources)


def _to_source(item: Any, number: int) -> Source:
    if isinstance(item, Source):
        return item
    if isinstance(item, str):
        return Source(item)
    if isinstance(item, Mapping):
        text = item.get("text", item.get("page_content", item.get("content")))
        if not (text is None or isinstance(text, str)):
            msg = f'context {number}: "text" must be a string, not {type(text).__name__}'
            raise InputError(msg)
        if text is None and not {"text", "page_content", "content"} & set(item):
            msg = f'context {number}: a mapping needs the key "text", it has {sorted(map(str, item))}'
            raise InputError(msg)
        metadata = item.get("metadata")
        return Source(text or "", _id(item.get("id")), dict(metadata) if isinstance(metadata, Mapping) else {})
    if hasattr(item, "page_content"):  # a LangChain Document
        return Source(
            item.page_content or "", _id(getattr(item, "id", None)), dict(getattr(item, "metadata", None) or {})
        )
    if hasattr(item, "get_content"):  # a LlamaIndex node, or one with a score
        return Source(
            item.get_content() or "", _id(getattr(item, "node_id", None)), dict(getattr(item, "metadata", None) or {})
        )
    msg = f"context {number} must be a string, a Source or a document, not {type(item).__name__}"
    raise InputError(msg)


def _id(value: object) -> str:
    return "" if value is None else clean_text(str(value))


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer with the contexts that it must be grounded in.

    Args:
        answer: The text to judge.
        contexts: Anything that `to_sources` takes; kept as a tuple of `Source`.
        question: What was asked, if known; helps with short answers.
        id: Name of the sample in batches.

    Raises:
        InputError: Something is of a wrong type.
    """

    answer: str
    contexts: ContextLike = ()
    question: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        for name, value in (("answer", self.answer), ("question", self.question or "")):
            if not isinstance(value, str):
                msg = f"Sample.{name} must be a string, not {type(value).__name__}"
                raise InputError(msg)
        object.__setattr__(self, "answer", clean_text(self.answer))
        if self.question is not None:
            object.__setattr__(self, "question", clean_text(self.question) or None)
        object.__setattr__(self, "contexts", to_sources(self.contexts))

    @property
    def sources(self) -> tuple[Source, ...]:
        """`contexts`, typed as what they are after construction."""
        return cast("tuple[Source, ...]", self.contexts)
