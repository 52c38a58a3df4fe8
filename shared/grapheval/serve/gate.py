"""What stands before the service: who may call it, and how much they may send. Plain ASGI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from typing import Any

from grapheval.io.batch import dump

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""On every reply."""


class Gate:
    """Refuses foreign hosts and origins, and requests that are too long, before anything is read into memory.

    A page on another site must not be able to use a service on the reader's own machine: neither by a form that it
    sends (`Origin`, `Sec-Fetch-Site`), nor under a name of its own that it points at this machine (`Host`).

    Args:
        app: What stands behind it.
        hosts: Names under which the service may be called, without ports; empty = any.
        body_bytes: Longest request.
    """

    def __init__(self, app: App, *, hosts: Iterable[str] = (), body_bytes: int) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sending = _with_headers(send)
        headers = {name.lower(): value for name, value in scope["headers"]}
        refusal = self._refusal(headers)
        if refusal is not None:
            await _refuse(sending, *refusal)
            return
        counting = _Counting(receive, self._body_bytes)
        started = False

        async def watching(message: Message) -> None:
            nonlocal started
            if not counting.exceeded or started:
                started = True
                await sending(message)

        with suppress(_TooLong):
            await self._app(scope, counting, watching)
        if counting.exceeded and not started:  # whatever the application made of it
            await _refuse(sending, 413, "too_long", self._too_long())

    def _refusal(self, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        host = host_name(headers.get(b"host", b"").decode("latin-1"))
        if self._hosts and host not in self._hosts:
            return 400, "unknown_host", "this service does not answer under that host name"
        if _foreign(headers, host):
            return 403, "foreign_origin", "requests from other sites' pages are refused"
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._body_bytes:
            return 413, "too_long", self._too_long()
        return None

    def _too_long(self) -> str:
        return f"the request is longer than {self._body_bytes:,} bytes"


def host_name(value: str) -> str:
    """The name in a `Host` header or an origin's authority, without the port."""
    value = value.strip().lower()
    if value.startswith("["):
        return value.partition("]")[0] + "]"
    return value.partition(":")[0]


def _foreign(headers: dict[bytes, bytes], host: str) -> bool:
    """Whether a page of another site sent the request; programs that are no browsers send neither header."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in {b"same-origin", b"none"}
    origin = headers.get(b"origin")
    return origin is not None and host_name(origin.decode("latin-1").partition("://")[2]) != host


class _TooLong(Exception):  # noqa: N818 - never leaves this module
    """More came than may."""


class _Counting:
    """Receives until too much has come: chunked requests do not say their length."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left, self.exceeded = receive, limit, False

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.exceeded = True
            raise _TooLong
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message.get("headers", [])}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in known]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


async def _refuse(send: Send, status: int, code: str, text: str) -> None:
    body = dump({"error": {"code": code, "message": text, "retryable": False}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
