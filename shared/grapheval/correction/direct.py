"""The direct prompt, the baseline of arXiv 2407.10793: one call with context and answer, "correct it"."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from grapheval.correction.edits import Change, diff
from grapheval.correction.loop import Ask, Asks, Work, adrive, drive, repair_plan
from grapheval.correction.replies import implausible, text_in, with_margins
from grapheval.correction.sources import Excerpt, excerpt, whole_context
from grapheval.errors import GraphEvalError
from grapheval.llm.adapt import as_llm
from grapheval.prompts import PromptSet
from grapheval.protocols import LLM
from grapheval.types import Claim, Correction, Evaluation, Evidence, Sample, Verdict

PROMPTS: Final = ("direct",)


class DirectPrompt:
    """Has an LLM rewrite the whole answer; nothing confines what it changes.

    Args:
        llm: An `LLM`, or anything that `as_llm` takes.
        prompts: Replacements for packaged prompts: text by name, or a directory.
        rounds: Most rounds of repair and re-check.
        context_tokens: As for `GraphCorrect`.
    """

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
        return f"direct/{self.llm.name}"

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """SHA-256 of the prompt."""
        return self.prompts.hashes(PROMPTS)

    def correct(self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Evaluation]) -> Correction:
        """Rewrite an answer that `before` flags, judge the result by `evaluate`; what fails is said, never raised."""
        return drive(repair_plan(sample, before, self, rounds=self.rounds), self.llm, evaluate)

    async def acorrect(
        self, sample: Sample, before: Evaluation, evaluate: Callable[[Sample], Awaitable[Evaluation]]
    ) -> Correction:
        """As `correct`, without blocking the event loop."""
        return await adrive(repair_plan(sample, before, self, rounds=self.rounds), self.llm, evaluate)

    def propose(self, work: Work) -> Asks:
        """One call; each difference is booked on the flagged claim that is nearest to it."""
        prompt, text = self.prompts["direct"], work.draft.text
        context = self._context(work)
        try:
            completion = yield Ask(prompt.render(context=context.text, answer=text.strip()))
        except GraphEvalError as error:
            for verdict in work.flagged:
                work.fail_by(verdict.claim, error)
            return
        reply = text_in(completion.text, "text", prompt)
        if reply is None or completion.stop == "length":
            wrong: str | None = "the reply broke off"
        else:
            wrong = implausible(text, reply)
        changes = [] if wrong or reply is None else diff(text, with_margins(text, reply))
        if not changes:
            for verdict in work.flagged:
                work.fail(verdict.claim, wrong or "the reply left the answer as it is")
        for change in reversed(changes):
            verdict = _nearest(change, work.flagged)
            work.edit([change], verdict.claim, context.passages or verdict.evidence)

    def _context(self, work: Work) -> Excerpt:
        """The context whole if it fits, otherwise the passages of all flagged claims within the limit."""
        sources = work.sample.sources
        fits = whole_context(sources, self.context_tokens)
        if fits is not None:
            return fits
        share = self.context_tokens // len(work.flagged)
        found: dict[Evidence, None] = {}
        for verdict in work.flagged:
            found |= dict.fromkeys(excerpt(verdict, sources, share).passages)
        order = {source.id: number for number, source in enumerate(sources)}
        passages = tuple(sorted(found, key=lambda item: (order[item.source_id], item.start)))
        return Excerpt("\n[…]\n".join(item.text for item in passages), False, passages)


def _nearest(change: Change, verdicts: tuple[Verdict, ...]) -> Verdict:
    def gap(claim: Claim) -> int:
        if claim.span is None:
            return 10**9
        return max(claim.span.start - change.end, change.start - claim.span.end, 0)

    return min(verdicts, key=lambda verdict: gap(verdict.claim))
