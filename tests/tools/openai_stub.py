"""A local server that speaks the OpenAI chat API: answers from a function, records what it was asked.

Use it as a context manager; `url` is what goes into `base_url`. It listens on 127.0.0.1 and needs no network.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from types import TracebackType
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A reply with everything that can go wrong.

    Args:
        text: Content of the message.
        finish: `stop`, `length`, …
        status: HTTP status; with one other than 200, `raw` or an error object is sent.
        raw: Sent as it is instead of a chat completion.
        headers: Further headers.
        delay: Seconds to wait first.
    """

    text: str | None = ""
    finish: str = "stop"
    status: int = 200
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


Answer = str | Reply
Answerer = Callable[[Body], Answer]


class OpenAIStub:
    """The server.

    Args:
        answer: A fixed reply, a list of replies (the last one again and again), or a function of the request's body.
        count_tokens: Tokens of a text, for the usage figures; words by default.
    """

    def __init__(
        self,
        answer: Answer | list[Answer] | Answerer = "ok",
        count_tokens: Callable[[str], int] = lambda text: len(text.split()),
    ) -> None:
        self.answer = answer
        self.count_tokens = count_tokens
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.usage: list[dict[str, int]] = []
        self._lock = Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length) or b"{}")
                with stub._lock:
                    number = len(stub.requests)
                    stub.requests.append(body)
                    stub.headers.append({key.lower(): value for key, value in self.headers.items()})
                if not self.path.endswith("/chat/completions"):
                    self._send(404, json.dumps({"error": {"message": f"no such path {self.path}"}}).encode(), {})
                    return
                reply = stub._reply(number, body)
                if reply.delay:
                    time.sleep(reply.delay)
                data = reply.raw if reply.raw is not None else json.dumps(stub._completion(body, reply)).encode()
                self._send(reply.status, data, reply.headers)

            def do_GET(self) -> None:
                models = {"object": "list", "data": [{"id": "stub", "object": "model"}]}
                self._send(200, json.dumps(models).encode(), {})

            def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
                try:
                    self.send_response(status)
                    for key, value in {
                        "Content-Type": "application/json",
                        "Content-Length": str(len(data)),
                        **headers,
                    }.items():
                        self.send_header(key, value)
                    self.end_headers()
                    self.wfile.write(data)
                except (BrokenPipeError, ConnectionResetError):  # the client gave up waiting
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """Base address, up to and including `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> OpenAIStub:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _reply(self, number: int, body: Body) -> Reply:
        if callable(self.answer):
            answer = self.answer(body)
        elif isinstance(self.answer, list):
            answer = self.answer[min(number, len(self.answer) - 1)]
        else:
            answer = self.answer
        return Reply(answer) if isinstance(answer, str) else answer

    def _completion(self, body: Body, reply: Reply) -> Body:
        if reply.status != 200:
            return {"error": {"message": reply.text or "it went wrong", "type": "error", "code": None}}
        sent = sum(self.count_tokens(str(message.get("content") or "")) for message in body.get("messages", []))
        usage = {"prompt_tokens": sent, "completion_tokens": self.count_tokens(reply.text or "")}
        usage["total_tokens"] = sum(usage.values())
        with self._lock:
            self.usage.append(usage)
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body.get("model", "stub"),
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": reply.text}, "finish_reason": reply.finish}
            ],
            "usage": usage,
        }
