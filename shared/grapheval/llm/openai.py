"""A client for servers that speak the OpenAI chat API: OpenAI, vLLM, Ollama, llama.cpp, LM Studio."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from grapheval.errors import InputError, ModelError
from grapheval.extras import require
from grapheval.forks import renew_after_fork
from grapheval.llm.adapters import stop_of
from grapheval.llm.deadline import sooner
from grapheval.llm.retry import aretrying, retrying, with_wait
from grapheval.offload import offload
from grapheval.protocols import Completion, Message
from grapheval.types import Usage

if TYPE_CHECKING:
    import ssl

    import httpx

DEFAULT_URL: Final = "https://api.openai.com/v1"
MAX_BYTES: Final = 32_000_000
"""A reply larger than this is refused unread."""


class OpenAICompatible:
    """A chat model behind an OpenAI-compatible server. Needs the extra `llm`.

    Safe for threads and event loops; pickles as its settings.

    Args:
        model: The model's name on the server.
        base_url: Up to and including `/v1`; None = the environment's `OPENAI_BASE_URL`, or OpenAI.
        api_key: None = the environment's `OPENAI_API_KEY`. Never shown or logged.
        timeout: Seconds for one try, from the connection to the last byte of the reply.
        max_tokens: Longest reply; None = the server decides.
        temperature: None = the server decides.
        top_p: None = the server decides.
        seed: For servers that can repeat a sampling.
        tries: How often a call is tried when the server is overloaded, slow or unreachable.
        backoff: Seconds that the pauses between tries begin with; they double, with jitter.
        extra: Further fields of the request body.

    Raises:
        MissingExtraError: `httpx` is not installed.
        InputError: OpenAI itself is asked for and there is no key.
    """

    concurrency = 8

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_tokens: int | None = 2048,
        temperature: float | None = 0.0,
        top_p: float | None = None,
        seed: int | None = None,
        tries: int = 3,
        backoff: float = 0.5,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        require("httpx", extra="llm")
        self.model = model
        self.base_url = (base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        self._key = api_key if api_key is not None else os.environ.get("OPENAI_API_KEY", "")
        if not self._key and self.base_url == DEFAULT_URL:
            msg = "there is no OpenAI key: set OPENAI_API_KEY, or pass api_key=..., or base_url=... for your own server"
            raise InputError(msg)
        self.timeout, self.tries, self.backoff = timeout, tries, backoff
        settings = {"temperature": temperature, "top_p": top_p, "seed": seed, "max_tokens": max_tokens}
        self._settings = {name: value for name, value in settings.items() if value is not None} | dict(extra or {})
        self._renew()
        renew_after_fork(self._renew)

    def _renew(self) -> None:
        """A child process must not write into its parent's connections."""
        self._client: httpx.Client | None = None
        self._tls: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.model!r}, base_url={self.base_url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in {"_client", "_tls", "_lock"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._renew()
        renew_after_fork(self._renew)

    @property
    def name(self) -> str:
        """Model name, for provenance."""
        return self.model

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Answer a chat prompt.

        Raises:
            ModelError: The server could not be reached, refused, or replied with something else.
        """
        for attempt in retrying(self.tries, self.backoff):
            with attempt:
                return self._once(messages)
        raise AssertionError  # pragma: no cover - the last try returns or raises

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """As `complete`, without blocking the event loop."""
        async for attempt in aretrying(self.tries, self.backoff):
            with attempt:
                return await self._aonce(messages)
        raise AssertionError  # pragma: no cover - the last try returns or raises

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    # ----------------------------------------------------------------------------------------------------- one try

    def _once(self, messages: Sequence[Message]) -> Completion:
        import httpx

        seconds = self._seconds()
        end = time.monotonic() + seconds
        try:
            with self._shared_client().stream(
                "POST", self._url(), content=self._body(messages), timeout=seconds
            ) as response:
                data = bytearray()
                for chunk in response.iter_bytes():
                    self._grow(data, chunk)
                    if time.monotonic() > end:  # a server that sends byte after byte never times out by itself
                        raise self._too_slow(seconds)
        except httpx.HTTPError as error:
            raise self._unreachable(error, seconds) from error
        if response.status_code == 400 and self._learn(bytes(data)):
            return self._once(messages)
        return self._read(response.status_code, bytes(data), response.headers)

    async def _aonce(self, messages: Sequence[Message]) -> Completion:
        import httpx

        seconds = self._seconds()
        tls = await offload(self._shared_tls) if self._tls is None else self._tls
        try:
            async with (
                asyncio.timeout(seconds),
                httpx.AsyncClient(headers=self._headers(), timeout=seconds, verify=tls) as client,
                client.stream("POST", self._url(), content=self._body(messages)) as response,
            ):
                data = bytearray()
                async for chunk in response.aiter_bytes():
                    self._grow(data, chunk)
        except httpx.HTTPError as error:
            raise self._unreachable(error, seconds) from error
        except TimeoutError as error:
            raise self._too_slow(seconds) from error
        if response.status_code == 400 and self._learn(bytes(data)):
            return await self._aonce(messages)
        return self._read(response.status_code, bytes(data), response.headers)

    def _seconds(self) -> float:
        """For this try: never more than the answer has left."""
        return sooner(self.timeout) or 0.001

    def _shared_client(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(headers=self._headers(), timeout=self.timeout)
            return self._client

    def _shared_tls(self) -> ssl.SSLContext:
        """Made once: it reads the system's certificates, which takes tens of milliseconds."""
        import httpx

        with self._lock:
            if self._tls is None:
                self._tls = httpx.create_ssl_context()
            return self._tls

    def _url(self) -> str:
        return f"{self.base_url}/chat/completions"

    def _headers(self) -> dict[str, str]:
        base = {"Content-Type": "application/json"}
        return base | ({"Authorization": f"Bearer {self._key}"} if self._key else {})

    def _body(self, messages: Sequence[Message]) -> bytes:
        chat = [{"role": message.role, "content": message.content} for message in messages]
        return json.dumps({"model": self.model, "messages": chat} | self._settings).encode("utf-8", "replace")

    def _grow(self, data: bytearray, chunk: bytes) -> None:
        data += chunk
        if len(data) > MAX_BYTES:
            msg = f"{self._at()} sent more than {MAX_BYTES // 1_000_000} MB for one reply"
            raise ModelError(msg, code="reply_too_large")

    def _learn(self, data: bytes) -> bool:
        """Some models take no temperature, or call the limit differently: adapt once and say whether to try again."""
        text = data[:2000].decode("utf-8", "replace")
        if "max_completion_tokens" in text and "max_tokens" in self._settings:
            self._settings["max_completion_tokens"] = self._settings.pop("max_tokens")
            return True
        return "temperature" in text and self._settings.pop("temperature", None) is not None

    # -------------------------------------------------------------------------------------------- replies and errors

    def _at(self) -> str:
        return f"{self.model} at {self.base_url}"

    def _too_slow(self, seconds: float) -> ModelError:
        msg = f"{self._at()} did not answer within {seconds:g} s; raise timeout=, or try a smaller model"
        return ModelError(msg, retryable=True, code="timeout")

    def _unreachable(self, error: httpx.HTTPError, seconds: float) -> ModelError:
        import httpx

        if isinstance(error, httpx.TimeoutException):
            return self._too_slow(seconds)
        if isinstance(error, httpx.ConnectError):
            msg = f"no server answers at {self.base_url}: is it running, and is the address right? ({error})"
            return ModelError(msg, retryable=True, code="unreachable")
        if isinstance(error, httpx.UnsupportedProtocol | httpx.DecodingError):
            return ModelError(f"cannot talk to {self.base_url}: {error}")
        msg = f"the connection to {self.base_url} broke: {type(error).__name__}: {error}"
        return ModelError(msg, retryable=True, code="unreachable")

    def _read(self, status: int, data: bytes, headers: Mapping[str, str]) -> Completion:
        if status != 200:
            raise self._refusal(status, data, headers)
        try:
            reply = json.loads(data)
            choice = reply["choices"][0]
            content, refusal = choice["message"].get("content"), choice["message"].get("refusal")
            usage = reply.get("usage") or {}
            counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
            text = content if content is not None else refusal or ""
            if not isinstance(text, str):
                raise TypeError("content is no string")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            shown = data[:80].decode("utf-8", "replace")
            msg = f"{self._at()} sent something else than an OpenAI chat reply ({type(error).__name__}): {shown!r}"
            raise ModelError(msg, code="bad_reply") from error
        input_tokens, output_tokens = (n if isinstance(n, int) else None for n in counts)
        return Completion(
            text,
            stop_of(choice.get("finish_reason")),
            Usage(1, input_tokens, output_tokens),
            str(reply.get("model") or self.model),
        )

    def _refusal(self, status: int, data: bytes, headers: Mapping[str, str]) -> ModelError:
        says = _message_of(data)
        if status in {401, 403}:
            msg = f"{self.base_url} refused the API key ({status}): check OPENAI_API_KEY or api_key=. {says}"
            return ModelError(msg, code="unauthorized")
        if status == 404:
            msg = f"there is no model {self.model!r} at {self.base_url}, or no chat API (404): check both names. {says}"
            return ModelError(msg, code="unknown_model")
        if status == 429:
            spent = "quota" in says.lower() or "billing" in says.lower()
            error = ModelError(
                f"{self._at()} is over its rate limit (429). {says}", retryable=not spent, code="rate_limit"
            )
            return with_wait(error, _seconds(headers.get("retry-after")))
        if status >= 500 or status == 408:
            return ModelError(f"{self._at()} failed ({status}). {says}", retryable=True, code="server_error")
        return ModelError(f"{self._at()} refused the request ({status}). {says}", code="bad_request")


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        return 0.0


def _message_of(data: bytes) -> str:
    """What the server says about an error, in at most 300 characters of one line."""
    try:
        reply = json.loads(data)
        error = reply.get("error", reply) if isinstance(reply, dict) else reply
        text = error.get("message") or error.get("detail") or "" if isinstance(error, dict) else str(error)
    except (ValueError, RecursionError):
        text = data[:300].decode("utf-8", "replace")
    return f"The server says: {' '.join(str(text).split())[:300]}" if text else ""
