"""`GraphEvalShadow`: evaluates every answer of an application in the background, and changes none."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Lock
from typing import Any

from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.instrumentation.events.synthesis import SynthesizeEndEvent
from llama_index.core.schema import QueryBundle
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from pydantic import PrivateAttr

from llamaindex_grapheval.evaluator import GraphEvalEvaluator
from llamaindex_grapheval.nodes import given_nodes, to_sources
from llamaindex_grapheval.reading import read
from llamaindex_grapheval.result import GraphEvalResult

logger = logging.getLogger(__name__)


class GraphEvalShadow(BaseEventHandler):
    """Listens to LlamaIndex's dispatcher and evaluates what is synthesized: query and chat engines, streams included.

    Evaluation happens in one thread of its own, after the answer left; a streamed answer is evaluated when its reader
    has read it to the end. Answers never wait, change or fail because of it.

    Use it as a context manager, or `attach` and `close` it.

    Args:
        evaluator: Judges.
        on_result: Called in the thread with each result.
        keep: How many results stay in `results`.
        max_waiting: Answers that come while so many wait are not evaluated, only counted in `dropped`.
    """

    _evaluator: GraphEvalEvaluator = PrivateAttr()
    _on_result: Callable[[GraphEvalResult], None] | None = PrivateAttr()
    _max_waiting: int = PrivateAttr()
    _results: deque[GraphEvalResult] = PrivateAttr()
    _dropped: int = PrivateAttr(default=0)
    _waiting: set[Future[None]] = PrivateAttr(default_factory=set)
    _lock: Any = PrivateAttr(default_factory=Lock)
    _pool: ThreadPoolExecutor = PrivateAttr()

    def __init__(
        self,
        evaluator: GraphEvalEvaluator | None = None,
        *,
        on_result: Callable[[GraphEvalResult], None] | None = None,
        keep: int = 1000,
        max_waiting: int = 100,
    ) -> None:
        super().__init__()
        self._evaluator = evaluator if evaluator is not None else GraphEvalEvaluator()
        self._on_result = on_result
        self._max_waiting = max_waiting
        self._results = deque(maxlen=keep)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="grapheval-shadow")

    @classmethod
    def class_name(cls) -> str:
        """Name of the handler."""
        return "GraphEvalShadow"

    @property
    def results(self) -> list[GraphEvalResult]:
        """The latest results, oldest first."""
        with self._lock:
            return list(self._results)

    @property
    def dropped(self) -> int:
        """How many answers were not evaluated because too many waited."""
        return self._dropped

    def attach(self) -> GraphEvalShadow:
        """Begin to listen to all of LlamaIndex."""
        root = get_dispatcher()
        if self not in root.event_handlers:
            root.add_event_handler(self)
        return self

    def close(self, timeout: float | None = None) -> None:
        """Stop listening, and wait for the evaluations that are under way."""
        handlers = get_dispatcher().event_handlers
        handlers[:] = [handler for handler in handlers if handler is not self]
        self.flush(timeout)
        self._pool.shutdown(wait=timeout is None, cancel_futures=True)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait for the evaluations that are under way.

        Args:
            timeout: In seconds; None = as long as it takes.

        Returns:
            Whether all are done.
        """
        with self._lock:
            waiting = set(self._waiting)
        return not wait(waiting, timeout).not_done

    def __enter__(self) -> GraphEvalShadow:
        return self.attach()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    # ------------------------------------------------------------------------------------------------------- internals

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Take an answer, if the event brings one."""
        if not isinstance(event, SynthesizeEndEvent):
            return
        response = event.response
        query = event.query.query_str if isinstance(event.query, QueryBundle) else str(event.query)
        sources = to_sources(given_nodes(response.source_nodes))
        if isinstance(response, StreamingResponse):
            response.response_gen = self._tapped(response.response_gen, query, sources)
        elif isinstance(response, AsyncStreamingResponse):
            response.response_gen = self._atapped(response.response_gen, query, sources)
        else:
            self._submit(query, read(response).text, sources)

    def _tapped(self, tokens: Iterable[str], query: str, sources: Any) -> Generator[str, None, None]:
        seen = []
        for token in tokens:
            seen.append(token or "")
            yield token
        self._submit(query, "".join(seen), sources)

    async def _atapped(self, tokens: AsyncIterable[str], query: str, sources: Any) -> AsyncGenerator[str, None]:
        seen = []
        async for token in tokens:
            seen.append(token or "")
            yield token
        self._submit(query, "".join(seen), sources)

    def _submit(self, query: str, text: str | None, sources: Any) -> None:
        with self._lock:
            if len(self._waiting) >= self._max_waiting:
                self._dropped += 1
                return
            try:
                future = self._pool.submit(copy_context().run, self._evaluate, query, text, sources)
            except RuntimeError:  # closed: a stream was read after it
                self._dropped += 1
                return
            self._waiting.add(future)
        future.add_done_callback(self._forget)

    def _forget(self, future: Future[None]) -> None:
        with self._lock:
            self._waiting.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("on_result failed", exc_info=error)

    def _evaluate(self, query: str, text: str | None, sources: Any) -> None:
        result = self._evaluator.evaluate(query, text, sources)
        with self._lock:
            self._results.append(result)
        if self._on_result is not None:
            self._on_result(result)
