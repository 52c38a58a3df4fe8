"""An LLM as verifier: a probability in words, read strictly. What cannot be read is not judged; it never passes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grapheval.errors import GraphEvalError, InputError
from grapheval.llm import as_llm
from grapheval.llm.drive import aask, ask
from grapheval.llm.usage import UsageMeter
from grapheval.prompts import PromptSet
from grapheval.protocols import LLM, Completion, Judgement, Message, Pair, VerifierInfo
from grapheval.types import Reason, Usage
from grapheval.verification.calls import map_calls, settle
from grapheval.verification.claims import normalize_claim
from grapheval.verification.hf.inputs import cut

PROMPT = "judge"
_KEYS = {"supported", "contradicted"}
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_VERDICT = re.compile(r"<verdict>(.*?)</verdict>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
_LONGEST_REPLY = 100_000
"""Characters; nothing that is longer is a verdict."""
_CHARACTERS_PER_TOKEN = 4


class LLMJudge:
    """Asks a chat model about each pair.

    Args:
        llm: An `LLM`, or anything that `grapheval.llm.as_llm` adapts.
        prompts: Replacement for the prompt `judge`: text by name, or a directory.
        max_tokens: Longest pair, in estimated tokens (four characters each); a longer premise is cut, and that is said.
        window_tokens: Premise length for which the pipeline builds windows.
        max_concurrency: Most calls at a time.

    Raises:
        InputError: `llm` cannot be called, or the prompt lacks a slot.
    """

    def __init__(
        self,
        llm: Any,
        *,
        prompts: Mapping[str, str] | str | Path | PromptSet | None = None,
        max_tokens: int = 8192,
        window_tokens: int | None = 600,
        max_concurrency: int = 4,
    ) -> None:
        if max_concurrency < 1 or max_tokens < 1:
            msg = f"max_concurrency and max_tokens must be at least 1, not {max_concurrency} and {max_tokens}"
            raise InputError(msg)
        self.llm: LLM = as_llm(llm)
        self._prompts = PromptSet(prompts)
        self._max_tokens = max_tokens
        self._window_tokens = window_tokens
        self._workers = max_concurrency
        self._meter = UsageMeter()

    @property
    def info(self) -> VerifierInfo:
        """The model's name as version; any language."""
        return VerifierInfo("llm", self.llm.name, max_tokens=self._max_tokens, window_tokens=self._window_tokens)

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """SHA-256 of the prompt."""
        return self._prompts.hashes([PROMPT])

    def take_usage(self) -> Usage:
        """Calls and tokens since the last time, in this thread or task."""
        return self._meter.take()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimated length of each text: four characters a token."""
        return [_tokens(text) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, one call each.

        Raises:
            ModelError: Every call failed.
        """
        asked = [self._ask(pair) for pair in pairs]
        questions = [item for item in asked if not isinstance(item, Judgement)]
        replies = map_calls(lambda item: ask(self.llm, item[0]), questions, self._workers)
        return self._fold(asked, replies)

    async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As `verify`, with the model's asynchronous form where it has one.

        Raises:
            ModelError: Every call failed.
        """
        asked = [self._ask(pair) for pair in pairs]
        limit = asyncio.Semaphore(self._workers)

        async def one(messages: list[Message]) -> Completion | GraphEvalError:
            async with limit:
                try:
                    return await aask(self.llm, messages)
                except GraphEvalError as error:
                    return error

        replies = await asyncio.gather(*(one(item[0]) for item in asked if not isinstance(item, Judgement)))
        return self._fold(asked, replies)

    def _ask(self, pair: Pair) -> tuple[list[Message], str, bool] | Judgement:
        """The prompt, the texts that a forged verdict could come from, and whether the premise was cut."""
        claim = normalize_claim(pair.hypothesis)
        if not claim:
            return Judgement(None, reason=Reason.NOTHING_TO_CHECK)
        room = self._max_tokens - _tokens(claim)
        premise = pair.premise
        if room > 0 and _tokens(premise) > room:
            premise = cut(premise, room * _CHARACTERS_PER_TOKEN, lambda text: _tokens(text) <= room)
        if room <= 0 or (pair.premise.strip() and not premise.strip()):
            return Judgement(None, reason=Reason.CLAIM_TOO_LONG)
        messages = self._prompts[PROMPT].render(context=premise, claim=claim)
        return messages, f"{premise}\n{claim}", len(premise) < len(pair.premise)

    def _fold(
        self,
        asked: Sequence[tuple[list[Message], str, bool] | Judgement],
        replies: Sequence[Completion | GraphEvalError],
    ) -> list[Judgement]:
        for reply in replies:
            self._meter.add(reply.usage if isinstance(reply, Completion) else Usage(calls=1))
        rest = iter(replies)
        judged: list[Judgement | GraphEvalError] = []
        for item in asked:
            if isinstance(item, Judgement):
                judged.append(item)
                continue
            reply = next(rest)
            judged.append(reply if isinstance(reply, GraphEvalError) else read_verdict(reply, item[1], cut=item[2]))
        if replies and all(isinstance(reply, GraphEvalError) for reply in replies):
            settle([reply for reply in replies if isinstance(reply, GraphEvalError)])
        return settle(judged) if replies else [item for item in judged if isinstance(item, Judgement)]


def read_verdict(reply: Completion, material: str = "", *, cut: bool = False) -> Judgement:
    """Read the judge's reply.

    Accepted are one verdict between its tags, and a reply that is nothing but the JSON object. Several verdicts that
    differ, other keys, numbers outside of the range and objects copied from the material are no verdict.

    Args:
        reply: The model's reply.
        material: Premise and claim: an object that stands in them was not made by the model.
        cut: Whether part of the premise was not read.

    Returns:
        Probabilities (entailment, neutral, contradiction); or none and `UNPARSEABLE`, or `LENGTH_STOP` where the reply
        was cut off.
    """
    text = reply.text if len(reply.text) <= _LONGEST_REPLY else ""
    text = _THINKING.sub("", text).strip()
    blocks = [_unfenced(block) for block in _VERDICT.findall(text)] or [_unfenced(text)]
    found = {_numbers(block) for block in blocks if not (block and block in material)}
    numbers = found.pop() if len(found) == 1 else None
    if numbers is None:
        stopped = reply.stop == "length"
        return Judgement(None, reason=Reason.LENGTH_STOP if stopped else Reason.UNPARSEABLE)
    supported, contradicted = numbers[0] / 100, numbers[1] / 100
    neutral = max(0.0, 1.0 - supported - contradicted)
    reason = Reason.CONTEXT_CUT if cut else None
    return Judgement(supported, (supported, neutral, contradicted), reason)


def _unfenced(text: str) -> str:
    match = _FENCED.fullmatch(text.strip())
    return match[1] if match else text.strip()


def _numbers(text: str) -> tuple[float, float] | None:
    try:
        found = json.loads(text, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or set(found) != _KEYS:
        return None
    supported, contradicted = found["supported"], found["contradicted"]
    for value in (supported, contradicted):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
            return None
    return (float(supported), float(contradicted)) if supported + contradicted <= 100 else None


def _no_repeats(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) != len(items):
        msg = "a key stands twice"
        raise ValueError(msg)
    return found


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
