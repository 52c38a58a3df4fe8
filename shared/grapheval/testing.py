"""Fakes for tests: small, deterministic, recording. They stand in for models, not for the pipeline.

>>> from grapheval import GraphEval
>>> from grapheval.testing import FakeExtractor, FakeVerifier
>>> pipeline = GraphEval(
...     extractor=FakeExtractor({"Oslo is big.": [("Oslo", "is", "big")]}),
...     verifier=FakeVerifier({"Oslo is big": 0.9}),
... )
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from grapheval.errors import ModelError
from grapheval.protocols import Completion, Judgement, Message, Pair, VerifierInfo
from grapheval.types import Claim, Extraction, Outcome, Reason, Sample, Span, Triple, Usage

TripleLike = Triple | tuple[str, str, str]


@dataclass(slots=True)
class FakeExtractor:
    """Claims from a table: answer -> triples.

    Args:
        table: Triples by answer; an answer that is not in it has one sentence-level claim, itself.
        fail: Raised instead, if given.
        calls: The answers that it was asked for, in order.
    """

    table: Mapping[str, Sequence[TripleLike]] = field(default_factory=dict)
    fail: Exception | None = None
    calls: list[str] = field(default_factory=list)
    compute_bound: ClassVar[bool] = True

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "fake"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample."""
        self.calls += [sample.answer for sample in samples]
        if self.fail is not None:
            raise self.fail
        return [self._one(sample.answer) for sample in samples]

    def _one(self, answer: str) -> Extraction:
        if answer not in self.table:
            return Extraction((Claim(answer.strip(), None, Span(0, len(answer))),))
        triples = [item if isinstance(item, Triple) else Triple(*item) for item in self.table[answer]]
        if not triples:
            return Extraction((), outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
        return Extraction(tuple(Claim(str(t), t, _find(str(t), answer)) for t in triples))


def _find(text: str, answer: str) -> Span | None:
    start = answer.find(text)
    return Span(start, start + len(text)) if start >= 0 else None


@dataclass(slots=True)
class FakeVerifier:
    """Judgements from a table or a function.

    Args:
        judge: Hypothesis -> P(entailment) or (entailment, neutral, contradiction) or a `Reason` for "not judged", or
            a function of (premise, hypothesis) that returns one of these.
        default: For hypotheses that the table lacks.
        fail: Raised instead, if given.
        words_per_window: Window size; words are the tokens.
        pairs: What it was asked, in order.
    """

    judge: (
        Mapping[str, float | tuple[float, float, float] | Reason]
        | Callable[[str, str], float | tuple[float, float, float] | Reason]
    ) = field(default_factory=dict)
    default: float = 0.5
    fail: Exception | None = None
    words_per_window: int | None = 100
    pairs: list[Pair] = field(default_factory=list)
    compute_bound: ClassVar[bool] = True

    @property
    def info(self) -> VerifierInfo:
        """Words are its tokens."""
        return VerifierInfo("fake", "1", max_tokens=10_000, window_tokens=self.words_per_window)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of words."""
        return [len(text.split()) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair."""
        self.pairs += pairs
        if self.fail is not None:
            raise self.fail
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> Judgement:
        if callable(self.judge):
            found = self.judge(pair.premise, pair.hypothesis)
        else:
            found = self.judge.get(pair.hypothesis, self.default)
        if isinstance(found, Reason):
            return Judgement(None, reason=found)
        if isinstance(found, tuple):
            return Judgement(found[0], found)
        return Judgement(found)


@dataclass(slots=True)
class FakeLLM:
    """Replies from a list (in order, the last one again and again) or from a function; records the prompts.

    Args:
        replies: Texts, `Completion`s or exceptions to raise; or a function from messages to one of these.
        prompts: The messages that it was sent, in order.
    """

    replies: Sequence[str | Completion | Exception] | Callable[[Sequence[Message]], str | Completion | Exception] = ()
    prompts: list[list[Message]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Model name, for provenance."""
        return "fake"

    def complete(self, messages: Sequence[Message]) -> Completion:
        """The next reply."""
        self.prompts.append(list(messages))
        if callable(self.replies):
            reply = self.replies(messages)
        elif self.replies:
            reply = self.replies[min(len(self.prompts), len(self.replies)) - 1]
        else:
            msg = "this FakeLLM has no reply"
            raise ModelError(msg)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        words = sum(len(message.content.split()) for message in messages)
        return Completion(reply, "stop", Usage(1, words, len(reply.split())), "fake")

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """The next reply."""
        return self.complete(messages)
