"""What the correctors that ask an LLM have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from grapheval.correction.loop import Asks, Work, adrive, drive, repair_plan
from grapheval.llm.adapt import as_llm
from grapheval.prompts import PromptSet
from grapheval.protocols import LLM
from grapheval.types import Correction, Evaluation, Sample


class LLMCorrector(ABC):
    """Repairs by what an LLM replies; a subclass says what is asked.

    Args:
        llm: An `LLM`, or anything that `as_llm` takes.
        prompts: Replacements for packaged prompts: text by name, or a directory.
        rounds: Most rounds of repair and re-check.
        context_tokens: The context goes whole into a prompt when it has at most this many tokens (estimated);
            otherwise the passages that bear on what is flagged, which the edits then name as their evidence.
    """

    method: ClassVar[str]
    prompt_names: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        llm: LLM | Any,
        prompts: Mapping[str, str] | str | Path | PromptSet | None = None,
        *,
        rounds: int = 1,
        context_tokens: int = 6000,
    ) -> None:
        self.llm = as_llm(llm)
        self.prompts = PromptSet(prompts)
        self.rounds = rounds
        self.context_tokens = context_tokens

    @property
    def info(self) -> str:
        """Name of the method and the model."""
        return f"{self.method}/{self.llm.name}"

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """SHA-256 of the prompts."""
        return self.prompts.hashes(self.prompt_names)

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        """Repair an answer that `before` flags, judge the result by `evaluate`; what fails is said, never raised."""
        return drive(repair_plan(sample, before, self, rounds=self.rounds), self.llm, evaluate)

    async def acorrect(
        self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Awaitable[Evaluation]]
    ) -> Correction:
        """As `correct`, without blocking the event loop."""
        return await adrive(repair_plan(sample, before, self, rounds=self.rounds), self.llm, evaluate)

    @abstractmethod
    def propose(self, work: Work) -> Asks:
        """Repair what is flagged; see `Proposer`."""
