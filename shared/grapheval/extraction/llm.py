"""Triples by a language model (arXiv 2407.10793, section 4): one call per answer, without the context."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from grapheval.errors import ExtractionError, GraphEvalError
from grapheval.extraction.abstention import segments
from grapheval.extraction.align import Aligner, uncovered
from grapheval.extraction.parser import parse_triples
from grapheval.llm.adapt import as_llm
from grapheval.llm.drive import Asking, arun, run
from grapheval.llm.usage import UsageMeter
from grapheval.prompts import PromptSet
from grapheval.protocols import LLM, Completion, Message
from grapheval.types import Claim, Extraction, Outcome, Reason, Rejected, Sample, Span, Usage

PROMPTS: Final = ("extract", "extract_more", "extract_retry")

MAX_QUOTED: Final = 8_000
"""Characters of a bad reply that the re-prompt shows to the model again."""


class LLMExtractor:
    """Asks an LLM for the triples of an answer, and finds their places in it.

    Args:
        llm: An `LLM`, or anything that `as_llm` takes.
        prompts: Replacements for packaged prompts: text by name, or a directory.
        retries: How often a reply without triples is asked for again.
        sentence_fallback: Sentences that no triple covers become claims themselves, so that nothing goes unchecked;
            False = triples only, as in the paper.
        concurrency: Calls under way at once in `aextract`.
    """

    batch_size = 1
    """Answers are independent calls: one that fails must not make the pipeline pay for its neighbours again."""

    def __init__(
        self,
        llm: LLM | Any,
        prompts: Mapping[str, str] | str | Path | PromptSet | None = None,
        *,
        retries: int = 1,
        sentence_fallback: bool = True,
        concurrency: int = 8,
    ) -> None:
        self.llm = as_llm(llm)
        self.prompts = PromptSet(prompts)
        self.retries = retries
        self.sentence_fallback = sentence_fallback
        self.concurrency = concurrency
        self._meter = UsageMeter()

    @property
    def info(self) -> str:
        """Name of the model and what fills the gaps."""
        return f"llm/{self.llm.name}" + ("+sentences" if self.sentence_fallback else "")

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """SHA-256 of the prompts."""
        return self.prompts.hashes(PROMPTS)

    def take_usage(self) -> Usage:
        """Calls and tokens on this thread or task since the last time."""
        return self._meter.take()

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """One extraction per sample; answers that state nothing cost no call.

        Raises:
            ExtractionError: A reply holds no triples, and neither does that to the re-prompt; `raw` keeps it.
            ModelError: The LLM failed.
        """
        results = []
        for sample in samples:
            extraction, usage = run(self._plan(sample), self.llm)
            self._meter.add(usage)
            results.append(_unwrap(extraction))
        return results

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `extract`, with up to `concurrency` calls under way."""
        gate = asyncio.Semaphore(self.concurrency)

        async def one(sample: Sample) -> tuple[Extraction | ExtractionError, Usage]:
            async with gate:
                return await arun(self._plan(sample), self.llm)

        pairs = await asyncio.gather(*(one(sample) for sample in samples))
        for _, usage in pairs:
            self._meter.add(usage)
        return [_unwrap(extraction) for extraction, _ in pairs]

    # ---------------------------------------------------------------------------------------------------- the plan

    def _plan(self, sample: Sample) -> Asking[Extraction | ExtractionError]:
        early = _without_call(sample.answer)
        if early is not None:
            return early
        messages = self.prompts["extract"].render(
            answer=sample.answer.strip(), question=(sample.question or "").strip() or "(not given)"
        )
        extraction = yield from self._read_reply(messages)
        if isinstance(extraction, ExtractionError):
            return extraction
        return self._place(sample, extraction)

    def _read_reply(self, messages: list[Message]) -> Asking[Extraction | ExtractionError]:
        """Ask; ask again for a reply without triples; ask for the rest of one that broke off."""
        for attempt in range(self.retries + 1):
            completion = yield messages
            extraction = parse_triples(completion.text)
            if extraction.triples or _cut(extraction, completion):
                return (yield from self._rest(messages, completion, extraction))
            if extraction.reason is Reason.NOTHING_TO_CHECK:
                return extraction
            if attempt < self.retries:
                problem = _problem(extraction)
                messages = [*messages, *_again(completion), *self.prompts["extract_retry"].render(problem=problem)]
        shown = " ".join(completion.text.split())[:120]
        msg = f"{self.llm.name} replied without triples ({_problem(extraction)}): {shown!r}"
        return ExtractionError(msg, raw=completion.text)

    def _rest(self, messages: list[Message], completion: Completion, extraction: Extraction) -> Asking[Extraction]:
        """The extraction with what a reply that broke off still lacked."""
        if not _cut(extraction, completion):
            return extraction
        more = [*messages, *_again(completion), *self.prompts["extract_more"].render()]
        try:
            rest_completion = yield more
        except GraphEvalError:  # what is there already must not be lost
            return replace(extraction, outcome=Outcome.INCOMPLETE, reason=Reason.LENGTH_STOP)
        rest = parse_triples(rest_completion.text)
        whole = not _cut(rest, rest_completion) and (rest.triples or rest.reason is Reason.NOTHING_TO_CHECK)
        seen = {_key(claim) for claim in extraction.claims}
        return Extraction(
            claims=(*extraction.claims, *(claim for claim in rest.claims if _key(claim) not in seen)),
            rejected=(*(r for r in extraction.rejected if not (whole and r.reason == "cut off")), *rest.rejected),
            outcome=Outcome.OK if whole else Outcome.INCOMPLETE,
            raw=f"{extraction.raw}\n{rest.raw}",
            reason=None if whole else Reason.LENGTH_STOP,
        )

    def _place(self, sample: Sample, extraction: Extraction) -> Extraction:
        """Align the triples, drop those that only say that the answer declines, add sentences that none covers."""
        answer = sample.answer
        aligner = Aligner(answer)
        stated = [Span(s.start, s.end) for s in segments(answer) if s.kind == "states"]
        kept, rejected = [], list(extraction.rejected)
        for claim in aligner.align(extraction.claims):
            if claim.span is not None and not _within(claim.span, stated):
                rejected.append(Rejected(json.dumps(_key(claim), ensure_ascii=False), "the answer states nothing here"))
            else:
                kept.append(claim)
        if self.sentence_fallback:
            extra = [
                claim for claim in uncovered(aligner, kept) if claim.span is not None and _within(claim.span, stated)
            ]
            if (
                len(extra) == 1 and not kept and sample.question and len(answer.split()) < 3
            ):  # "Oslo" says nothing alone
                extra = [replace(extra[0], text=f"{sample.question.strip()} {extra[0].text}")]
            kept = sorted([*kept, *extra], key=lambda claim: (claim.span is None, claim.span or Span(0, 0)))
        if kept and extraction.outcome is Outcome.NO_CLAIMS:  # the model found nothing, the sentences are checked
            extraction = replace(extraction, outcome=Outcome.OK, reason=None)
        elif not kept and extraction.outcome is Outcome.OK:
            extraction = replace(extraction, outcome=Outcome.NO_CLAIMS, reason=Reason.NO_TRIPLES)
        return replace(extraction, claims=tuple(kept), rejected=tuple(rejected))


def _unwrap(result: Extraction | ExtractionError) -> Extraction:
    if isinstance(result, ExtractionError):
        raise result
    return result


def _without_call(answer: str) -> Extraction | None:
    """The extraction of an answer that states nothing: empty, punctuation, a greeting, a refusal."""
    if not any(char.isalnum() for char in answer):
        return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
    kinds = {segment.kind for segment in segments(answer)}
    if "states" in kinds:
        return None
    if "declines" in kinds:
        return Extraction(outcome=Outcome.ABSTAINED, reason=Reason.ANSWER_DECLINES)
    return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK) if kinds else None


def _within(span: Span, stated: Sequence[Span]) -> bool:
    """Whether a place touches text that states something."""
    return any(span.start < other.end and other.start < span.end for other in stated)


def _cut(extraction: Extraction, completion: Completion) -> bool:
    return completion.stop == "length" or extraction.reason is Reason.LENGTH_STOP


def _again(completion: Completion) -> list[Message]:
    """The model's own reply as a turn; an empty one cannot be sent."""
    text = completion.text.strip()[:MAX_QUOTED]
    return [Message("assistant", text or "(empty)")]


def _problem(extraction: Extraction) -> str:
    if not (extraction.raw or "").strip():
        return "the reply was empty"
    if extraction.rejected:
        return extraction.rejected[0].reason
    return "there was no list in it"


def _key(claim: Claim) -> tuple[str, ...]:
    triple = claim.triple
    return (triple.subject, triple.relation, triple.object) if triple else (claim.text,)
