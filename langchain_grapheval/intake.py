"""The dictionary chunks of a stream, sorted into answer, context and the rest; and answer chunks of the same kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage, BaseMessageChunk
from langchain_core.runnables.utils import AddableDict

from grapheval import InputError
from grapheval.guard import Guard, GuardStream
from langchain_grapheval.convert import answer_text, find_question, to_context


class Intake:
    """State of one stream: no input or output, so that both drivers share it.

    Args:
        guard: Judges.
        keys: Names of answer, context and question in the chunks.
        as_dict: Whether dictionaries come out.
    """

    def __init__(self, guard: Guard, keys: tuple[str, str, str | None], *, as_dict: bool) -> None:
        self._guard = guard
        self._keys = keys
        self._as_dict = as_dict
        self._known: dict[str, Any] = {}  # everything but the answer
        self._waiting: list[str] = []
        self._answered = False
        self._message: BaseMessageChunk | None = None
        self._id: str | None = None
        self._stream: GuardStream | None = None
        self._aside: list[Any] = []

    @property
    def stream(self) -> GuardStream:
        """The guarded stream; begins with the first text that `take` or `end` gives out."""
        if self._stream is None:
            context = to_context(self._known.get(self._keys[1]))
            self._stream = self._guard.stream(context, find_question(self._known, self._keys[2]))
        return self._stream

    def take(self, chunk: object) -> list[str]:
        """Add a chunk.

        Returns:
            Texts of the answer that can be judged now; none as long as the context has not come.

        Raises:
            InputError: It is no dictionary, or holds something that cannot be used.
        """
        answer_key, context_key, _ = self._keys
        if not isinstance(chunk, Mapping):
            msg = f"the input must be a dictionary with {answer_key!r} and {context_key!r}, not {type(chunk).__name__}"
            raise InputError(msg)
        beside = {key: value for key, value in chunk.items() if key != answer_key}
        if context_key in beside and self._stream is not None:
            msg = f"{context_key!r} came in pieces, after a part of the answer: let all of it come before the answer"
            raise InputError(msg)
        for key, value in beside.items():
            self._known[key] = _added(self._known[key], value) if key in self._known else value
        if beside and self._as_dict:
            self._aside.append(AddableDict(beside))
        if answer_key in chunk:
            self._answered = True
            self._waiting.append(self._text(chunk[answer_key]))
        return self._ready() if context_key in self._known else []

    def aside(self) -> list[Any]:
        """Parts of the chunk that need no judging."""
        pieces, self._aside = self._aside, []
        return pieces

    def end(self) -> list[str]:
        """No chunk will come any more.

        Returns:
            Texts that are still to be judged.

        Raises:
            InputError: No answer or no context has come.
        """
        for key, there in ((self._keys[0], self._answered), (self._keys[1], self._keys[1] in self._known)):
            if not there:
                msg = f"the input has no {key!r}: its keys are {', '.join(map(repr, self._known)) or 'none'}"
                raise InputError(msg)
        return self._ready()

    def wrap(self, text: str) -> Any:
        """A piece of the answer, of the kind that came in."""
        piece = AIMessageChunk(content=text, id=self._id) if self._message is not None else text
        return AddableDict({self._keys[0]: piece}) if self._as_dict else piece

    def last(self, leaving: str) -> Iterator[Any]:
        """The rest of the answer, the message's metadata, the report; after the stream was closed."""
        result = self.stream.result
        report = result.summary()
        if leaving or (self._message is None and not self._as_dict and not result.text):
            yield self.wrap(leaving)
        if self._message is not None:
            closing = _closing(self._message, report, blocked=result.blocked)
            yield AddableDict({self._keys[0]: closing}) if self._as_dict else closing
        if self._as_dict:
            yield AddableDict({"grapheval": report})

    def _ready(self) -> list[str]:
        texts, self._waiting = self._waiting, []
        return texts

    def _text(self, answer: object) -> str:
        text = answer_text(answer)
        if isinstance(answer, BaseMessage):
            chunk = _as_chunk(answer)
            self._message = chunk if self._message is None else self._message + chunk
            self._id = self._message.id if self._message is not None else None
        return text


def _added(old: Any, new: Any) -> Any:
    """Chunks of one key add up where they can, as LangChain's own dictionaries do; otherwise the later one counts."""
    try:
        return old + new
    except TypeError:
        return new


def _as_chunk(message: BaseMessage) -> BaseMessageChunk:
    if isinstance(message, BaseMessageChunk):
        return message
    known = {name: getattr(message, name, None) for name in ("id", "name", "usage_metadata")}
    return AIMessageChunk(
        content=message.content,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        tool_call_chunks=[],
        tool_calls=getattr(message, "tool_calls", []),
        **{name: value for name, value in known.items() if value is not None},
    )


def _closing(message: BaseMessageChunk, report: Mapping[str, Any], *, blocked: bool) -> AIMessageChunk:
    """Everything of a message but its text: metadata and, unless it was blocked, other blocks and tool calls."""
    beside: list[Any] = []
    if isinstance(message.content, list) and not blocked:
        beside = [block for block in message.content if isinstance(block, dict) and block.get("type") != "text"]
    extra: dict[str, Any] = {}
    if not blocked:
        extra = {
            "additional_kwargs": message.additional_kwargs,
            "tool_calls": getattr(message, "tool_calls", []),
            "tool_call_chunks": getattr(message, "tool_call_chunks", []),
        }
    if getattr(message, "usage_metadata", None):
        extra["usage_metadata"] = getattr(message, "usage_metadata", None)
    if message.name:
        extra["name"] = message.name
    return AIMessageChunk(
        content=beside or "",
        id=message.id,
        response_metadata={**message.response_metadata, "grapheval": dict(report)},
        chunk_position="last",
        **extra,
    )
