"""Limits on a language model's traffic: timeouts, retries, rate, concurrency, budget; synchronous and asynchronous."""

from __future__ import annotations

import asyncio
import copy
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from grapheval.errors import GraphEvalError, InputError, ModelError
from grapheval.llm.adapt import as_llm
from grapheval.llm.bounded import abounded, bounded, in_thread
from grapheval.llm.deadline import check_time, out_of_time, remaining, sooner
from grapheval.llm.drive import checked, typed
from grapheval.llm.gates import Budget, Gate, Pace
from grapheval.llm.retry import aretrying, retrying
from grapheval.protocols import LLM, Completion, Message, SupportsAsyncComplete
from grapheval.types import Usage

_CHARACTERS_PER_TOKEN: Final = 4
"""For prompts, and for models that do not report tokens."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model may be asked. None = no limit.

    Args:
        timeout: Seconds for one try, from the request to the last byte of the reply; waiting for a place or for the
            rate limit does not count.
        tries: How often a call is made at most; only errors that may pass (`retryable`) are tried again.
        backoff: Seconds that the pauses between tries begin with; they double, with jitter, up to 30 seconds, or last
            as long as the server asks.
        calls_per_minute: Rate of tries, evenly spaced.
        tokens_per_minute: Rate of input and output tokens together.
        concurrency: Calls under way at once.
        max_calls: Budget of tries in all; then every further call raises `BudgetExceeded`.
        max_tokens: Budget of input and output tokens in all.

    Raises:
        InputError: A limit is not positive, or not a number.
    """

    timeout: float | None = 60.0
    tries: int = 3
    backoff: float = 0.5
    calls_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            least = 0 if field.name in {"backoff", "max_calls", "max_tokens"} else 1e-9
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < math.inf:
                msg = f"{field.name} must be a positive number, not {value!r}"
                raise InputError(msg)
            if field.name in {"tries", "concurrency", "max_calls", "max_tokens"} and value != int(value):
                msg = f"{field.name} must be a whole number, not {value!r}"
                raise InputError(msg)


class LimitedLLM:
    """A language model within limits. Threads and event loops that share it share its limits.

    A model of our own (`OpenAICompatible`) leaves the retries to the limits; where a framework's model retries by
    itself, turn that off there, or each of our tries is several of its own. In another process a copy begins with
    what was spent when it was made, and counts for itself from there.

    Args:
        llm: An `LLM`, or anything that `grapheval.llm.as_llm` adapts.
        limits: What it may be asked.
    """

    def __init__(self, llm: LLM | Any, limits: Limits) -> None:
        self.llm = _single_try(as_llm(llm))
        self.limits = limits
        self._budget = Budget(limits.max_calls, limits.max_tokens)
        self._open()

    def _open(self) -> None:
        self._gate = Gate(self.limits.concurrency)
        self._calls = Pace(self.limits.calls_per_minute)
        self._tokens = Pace(self.limits.tokens_per_minute)

    def __getstate__(self) -> dict[str, Any]:
        return {"llm": self.llm, "limits": self.limits, "_budget": self._budget}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __repr__(self) -> str:
        return f"LimitedLLM({self.llm!r}, {self.limits!r})"

    @property
    def name(self) -> str:
        """The model's own."""
        return self.llm.name

    @property
    def spent(self) -> Usage:
        """Tries and tokens so far, of all who share it."""
        return self._budget.spent

    @property
    def under_way(self) -> int | None:
        """Calls that hold a place now; None where `concurrency` is not limited."""
        free = self._gate.free
        return None if free is None or self.limits.concurrency is None else self.limits.concurrency - free

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Answer a chat prompt within the limits.

        Raises:
            BudgetExceeded: The budget is used up; nothing was sent.
            ModelError: The model failed, or took too long (`timeout`).
        """
        for attempt in retrying(self.limits.tries, self.limits.backoff):
            with attempt:
                return self._once(messages)
        raise AssertionError  # pragma: no cover - the last try returns or raises

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """As `complete`, without blocking the event loop; cancellation frees the place."""
        async for attempt in aretrying(self.limits.tries, self.limits.backoff):
            with attempt:
                return await self._aonce(messages)
        raise AssertionError  # pragma: no cover - the last try returns or raises

    # ------------------------------------------------------------------------------------------------------ one try

    def _once(self, messages: Sequence[Message]) -> Completion:
        check_time("before a call")
        try:
            with self._gate.hold(remaining()):
                prompt, wait = self._admit(messages)
                call = _Booking(self._budget, self._tokens, prompt)
                with call:
                    time.sleep(wait)
                    call.completion = self._call(messages)
                return call.completion
        except TimeoutError as error:  # of the gate
            raise out_of_time("while a call waited for its turn") from error

    async def _aonce(self, messages: Sequence[Message]) -> Completion:
        check_time("before a call")
        try:
            async with self._gate.ahold(remaining()):
                prompt, wait = self._admit(messages)
                call = _Booking(self._budget, self._tokens, prompt)
                with call:
                    await asyncio.sleep(wait)
                    call.completion = await self._acall(messages)
                return call.completion
        except TimeoutError as error:
            raise out_of_time("while a call waited for its turn") from error

    def _admit(self, messages: Sequence[Message]) -> tuple[int, float]:
        """Take budget and rate for a call: the tokens of its prompt, and the seconds that it must wait."""
        prompt = _tokens(sum(len(message.content) for message in messages))
        self._budget.take(prompt)
        try:
            wait = max(self._calls.take(1.0, remaining()), self._tokens.take(prompt, remaining()))
        except TimeoutError as error:
            self._budget.give_back(prompt)
            raise out_of_time("before the rate limit allowed a call") from error
        return prompt, wait

    def _call(self, messages: Sequence[Message]) -> Completion:
        seconds = sooner(self.limits.timeout)
        try:
            completion = bounded(lambda: self.llm.complete(messages), seconds)
        except Exception as error:
            raise self._typed(error, seconds) from error
        return checked(completion, self.name)

    async def _acall(self, messages: Sequence[Message]) -> Completion:
        seconds = sooner(self.limits.timeout)
        model = self.llm

        async def call() -> Completion:
            if isinstance(model, SupportsAsyncComplete):
                return await model.acomplete(messages)
            return await asyncio.wrap_future(in_thread(lambda: model.complete(messages)))

        try:
            completion = await abounded(call, seconds)
        except Exception as error:
            raise self._typed(error, seconds) from error
        return checked(completion, self.name)

    def _typed(self, error: Exception, seconds: float | None) -> GraphEvalError:
        if isinstance(error, TimeoutError) and seconds is not None:
            if remaining() == 0.0:
                return out_of_time(f"while {self.name} was asked")
            msg = f"{self.name} did not answer within {seconds:g} s; raise timeout=, or try a smaller model"
            return ModelError(msg, retryable=True, code="timeout")
        return typed(error, self.name)


class _Booking:
    """A call under way: whatever becomes of it, the budget knows."""

    completion: Completion

    def __init__(self, budget: Budget, tokens: Pace, prompt: int) -> None:
        self._budget, self._pace, self._prompt = budget, tokens, prompt

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is not None:
            # A server that refused counts no tokens; one that was too slow, or given up, has read the prompt.
            spent = isinstance(error, GraphEvalError) and error.code != "timeout"
            self._budget.settle(self._prompt, Usage() if spent else Usage(1, self._prompt, 0))
            return
        usage = self.completion.usage
        sent = self._prompt if usage.input_tokens is None else usage.input_tokens
        got = _tokens(len(self.completion.text)) if usage.output_tokens is None else usage.output_tokens
        self._budget.settle(self._prompt, Usage(1, sent, got))
        self._pace.add(sent + got - self._prompt)


def limited(llm: LLM | Any, limits: Limits | None) -> LLM:
    """The model within limits; None = as it is."""
    return as_llm(llm) if limits is None else LimitedLLM(llm, limits)


def _single_try(llm: LLM) -> LLM:
    """A copy that does not retry by itself, of a model that says how often it does."""
    if not isinstance(getattr(llm, "tries", None), int):
        return llm
    one = copy.copy(llm)
    one.tries = 1  # type: ignore[attr-defined]
    return one


def _tokens(characters: int) -> int:
    return -(-characters // _CHARACTERS_PER_TOKEN)
