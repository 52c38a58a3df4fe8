"""The seams: every stage of the pipeline is a small Protocol, every implementation a plug-in.

Each stage is called synchronously; one that is natively asynchronous adds the `a…` form (`SupportsAsync…`), otherwise
the asynchronous pipeline runs the synchronous form in a worker thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from grapheval.types import Claim, Correction, Evaluation, Extraction, Reason, Sample, Source, Span, Usage, Verdict

# ---------------------------------------------------------------------------------------------------- extraction


@runtime_checkable
class Extractor(Protocol):
    """Answer -> claims. Reads the answer and the question, never the context."""

    @property
    def info(self) -> str:
        """Name and version, for provenance: `"local/en_core_web_sm-3.8.0"`."""
        ...

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample, in order.

        Raises:
            ExtractionError: A reply could not be read.
            ModelError: A model or service failed.
        """
        ...


@runtime_checkable
class SupportsAsyncExtract(Protocol):
    """An extractor with a native asynchronous form."""

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `Extractor.extract`."""
        ...


@runtime_checkable
class SupportsPrompts(Protocol):
    """A stage that sends prompts: their SHA-256 go into provenance."""

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """SHA-256 of each prompt template by name."""
        ...


@runtime_checkable
class SupportsUsage(Protocol):
    """A stage that counts the LLM calls and tokens of its calls on this thread or task since the last `take_usage`."""

    def take_usage(self) -> Usage:
        """The usage since the last call, which it resets."""
        ...


# ------------------------------------------------------------------------------------------ windows and verification


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a source: `source.text[span.start:span.end]`, sentence-aligned."""

    source_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Window:
    """What a verifier reads as premise.

    Args:
        text: The premise.
        passages: Where it comes from: one passage, or several that were joined (in source order).
        tokens: Length of `text` in the verifier's own tokens, without special tokens.
    """

    text: str
    passages: tuple[Passage, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Premise and hypothesis of one NLI judgement."""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a verifier says about one pair.

    Args:
        p_entailment: Probability in [0, 1] that the premise entails the hypothesis; None when it could not be judged.
        probabilities: (entailment, neutral, contradiction), summing to 1, for models with three classes.
        reason: Why there is no probability, or what limits it.
    """

    p_entailment: float | None
    probabilities: tuple[float, float, float] | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class VerifierInfo:
    """What the pipeline must know about a verifier.

    Args:
        name: Registry key or model id.
        version: Whatever pins the weights: checksum, revision.
        max_tokens: Longest pair that the model reads, special tokens included; None where there is no limit.
        window_tokens: Premise length that it judges best (and that the pipeline builds windows of); None = the whole
            context as `max_tokens` allows.
        languages: ISO 639-1 codes that it can judge; empty = any.
    """

    name: str
    version: str = ""
    max_tokens: int | None = 512
    window_tokens: int | None = None
    languages: tuple[str, ...] = ()


@runtime_checkable
class Verifier(Protocol):
    """(premise, hypothesis) -> probability of entailment, in batches."""

    @property
    def info(self) -> VerifierInfo:
        """Name, limits, languages."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens, without special tokens."""
        ...

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order. A pair that cannot be judged gets a reason, not an exception.

        Raises:
            ModelError: The model or service failed as a whole.
        """
        ...


@runtime_checkable
class SupportsAsyncVerify(Protocol):
    """A verifier with a native asynchronous form."""

    async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As `Verifier.verify`."""
        ...


@dataclass(frozen=True, slots=True)
class Selected:
    """The windows that can decide each claim.

    Args:
        windows: For each claim, its windows, best first; may be empty (nothing in the context bears on it).
        counts: For provenance: `windows` in all, `kept`, `unread_chars`, …
    """

    windows: tuple[tuple[Window, ...], ...]
    counts: dict[str, int] = field(default_factory=dict)


@runtime_checkable
class EvidenceSelector(Protocol):
    """Contexts -> the few windows that can decide each claim."""

    @property
    def info(self) -> str:
        """Name and settings, for provenance."""
        ...

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        """Cut the sources into windows and keep, for each claim, those that can decide it."""
        ...


@runtime_checkable
class Folder(Protocol):
    """The judgements of a claim's windows -> its verdict: the rules across passages."""

    def fold(
        self,
        claim: Claim,
        windows: Sequence[Window],
        judgements: Sequence[Judgement],
        sources: Sequence[Source],
        threshold: float,
    ) -> Verdict:
        """One verdict; the order of the windows never changes it."""
        ...


@runtime_checkable
class Aggregator(Protocol):
    """Verdicts -> probability that the answer is inconsistent."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        ...

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        """Probability in [0, 1] that at least one claim is ungrounded; None when no claim was judged."""
        ...


# ---------------------------------------------------------------------------------------------------- correction


@runtime_checkable
class Corrector(Protocol):
    """Flagged claims -> a repaired answer that was evaluated again."""

    @property
    def info(self) -> str:
        """Name and version, for provenance."""
        ...

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        """Repair what `before` flags; `evaluate` is the pipeline that made it, for the re-check.

        Raises:
            ModelError: A model or service failed.
        """
        ...


@runtime_checkable
class SupportsAsyncCorrect(Protocol):
    """A corrector with a native asynchronous form."""

    async def acorrect(
        self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Awaitable[Evaluation]]
    ) -> Correction:
        """As `Corrector.correct`."""
        ...


# ---------------------------------------------------------------------------------------------------------- LLMs


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """An LLM's reply.

    Args:
        text: The reply as text, never block lists.
        stop: Why it ended: `stop`, `length`, or None where the model does not say.
        usage: Calls and tokens.
        model: Model name as the server reports it.
    """

    text: str
    stop: Literal["stop", "length"] | None = None
    usage: Usage = Usage(calls=1)
    model: str = ""


@runtime_checkable
class LLM(Protocol):
    """Any chat model. `grapheval.llm.as_llm` adapts callables and the frameworks' models."""

    @property
    def name(self) -> str:
        """Model name, for provenance."""
        ...

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Answer a chat prompt.

        Raises:
            ModelError: The call failed; `retryable` says whether to try again.
        """
        ...


@runtime_checkable
class SupportsAsyncComplete(Protocol):
    """An LLM with a native asynchronous form."""

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """As `LLM.complete`."""
        ...
