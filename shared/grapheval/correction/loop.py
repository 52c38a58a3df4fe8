"""The repair loop that all correctors share: propose, edit, re-check, keep only what is better.

It is a plan without input or output: it yields what it needs (`Ask` an LLM, `Evaluate` a text) and is sent the
results, so that synchronous and asynchronous callers run the very same one. A corrector brings a `Proposer`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from grapheval.correction.edits import Change, Draft, confine
from grapheval.correction.undo import found_by_rule, helping
from grapheval.errors import BudgetExceeded, GraphEvalError
from grapheval.llm.drive import aask, ask
from grapheval.protocols import LLM, Completion, Message
from grapheval.types import (
    Action,
    Claim,
    Correction,
    CorrectionStatus,
    Edit,
    Evaluation,
    Evidence,
    Reason,
    Sample,
    Span,
    Usage,
    Verdict,
)
from grapheval.types.correction import Unrepaired


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the LLM; the result is a `Completion`."""

    messages: Sequence[Message]


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Judge a text; the result is an `Evaluation`."""

    sample: Sample


Asks = Generator[Ask, Completion, None]
Plan = Generator[Ask | Evaluate, Any, Correction]


@dataclass(slots=True)
class Work:
    """One round of repair: the text, what is flagged in it, and what has been done so far.

    Args:
        sample: The answer as this round finds it, with its contexts.
        evaluation: Its evaluation; spans of claims point into `sample.answer`.
        draft: The round's edits.
        round: How many rounds went before.
        more: Set by the proposer: it has more to propose in the next round, even if it made no edit in this one.
        reasons: Why a claim was not repaired, by its text.
        errors: Calls that failed.
    """

    sample: Sample
    evaluation: Evaluation
    draft: Draft
    round: int = 0
    more: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    errors: list[GraphEvalError] = field(default_factory=list)
    _sentences: list[Span] | None = field(default=None, init=False, repr=False)

    @property
    def flagged(self) -> tuple[Verdict, ...]:
        """What is to be repaired, in the order of the answer."""
        return self.evaluation.flagged

    def sentence_of(self, claim: Claim) -> Span | None:
        """Where the claim's sentence (or sentences) stand in the text now; None if the claim has no place."""
        return None if claim.span is None else self.draft.now(self.around(*claim.span))

    def around(self, start: int, end: int) -> Span:
        """The sentence, or sentences, of the round's text that a range of it touches."""
        from grapheval.context.sentences import split_sentences

        if self._sentences is None:
            self._sentences = split_sentences(self.sample.answer)
        touched = [s for s in self._sentences if s.start < max(end, start + 1) and start < s.end]
        return Span(touched[0].start, touched[-1].end) if touched else Span(start, end)

    def edit(
        self,
        changes: Sequence[Change],
        claim: Claim,
        evidence: tuple[Evidence, ...] = (),
        action: Action = Action.REPLACE,
    ) -> None:
        """Make changes, sorted and in coordinates of the text as it stands now."""
        for change in reversed(changes):
            self.draft.change(change, claim, evidence, action)

    def edit_within(
        self, changes: Sequence[Change], claim: Claim, place: Span | None, evidence: tuple[Evidence, ...] = ()
    ) -> None:
        """Make the changes that stay inside the claim's sentence; say why the others, or all, are refused.

        Args:
            changes: Sorted, in coordinates of the text as it stands now.
            claim: The claim that they repair.
            place: Its sentence; None = it has no place, then all changes must lie in one and the same sentence.
            evidence: The passages that they follow.
        """
        if not changes:
            self.fail(claim, "the reply left the answer as it is")
            return
        text = self.draft.text
        if place is None:
            place = _only_sentence(text, changes)
            if place is None:
                self.fail(claim, "the claim has no place in the answer, and the reply changes more than one sentence")
                return
        inside, outside = confine(text, changes, place)
        if not inside:
            self.fail(claim, "the reply changes text outside the claim's sentence")
            return
        self.edit(inside, claim, evidence)
        if outside:
            self.reasons[claim.text] = "the reply also changed text outside the claim's sentence, which was undone"

    def fail(self, claim: Claim, reason: str) -> None:
        """Say why a claim is not repaired."""
        self.reasons[claim.text] = reason

    def fail_by(self, claim: Claim, error: GraphEvalError) -> None:
        """A call failed: the claim is not repaired, the others may be."""
        self.errors.append(error)
        self.fail(claim, f"{error.code}: {error}")


def _only_sentence(text: str, changes: Sequence[Change]) -> Span | None:
    from grapheval.context.sentences import split_sentences

    first, last = changes[0].start, changes[-1].end
    return next((s for s in split_sentences(text) if s.start <= first and last <= s.end), None)


class Proposer(Protocol):
    """How a corrector repairs: by an LLM, or from the evidence alone (then it yields nothing)."""

    def propose(self, work: Work) -> Asks:
        """Repair what is flagged, by `work.edit…`, and say what cannot be repaired, by `work.fail…`."""
        ...


@dataclass(slots=True)
class _State:
    """A text that was judged."""

    draft: Draft
    evaluation: Evaluation

    @property
    def key(self) -> tuple[int, int, float]:
        """Smaller is better: flagged claims, then what a rule finds in them, then the probability."""
        p = self.evaluation.p_inconsistent
        flagged = self.evaluation.flagged
        return len(flagged), found_by_rule(flagged), 1.0 if p is None else p


def repair_plan(sample: Sample, before: Evaluation, proposer: Proposer, *, rounds: int = 1, undo: bool = False) -> Plan:
    """Plan the repair of one answer.

    Args:
        sample: The answer with its contexts.
        before: Its evaluation.
        proposer: Makes the edits.
        rounds: Most rounds of repair and re-check; at least 1.
        undo: Whether the edits of sentences that are not clean afterwards are taken back, and the rest judged again.
    """
    if not before.flagged:
        return Correction(sample.answer, (), before, None, CorrectionStatus.UNCHANGED)
    best = state = _State(Draft(sample.answer), before)
    last: Evaluation | None = None
    reasons: dict[str, str] = {}
    errors: list[GraphEvalError] = []
    usage = Usage()
    for number in range(max(1, rounds)):
        now = _sample_with(sample, state.draft.text)
        work = Work(now, state.evaluation, Draft(now.answer), number)
        usage += yield from _asking(proposer.propose(work))
        reasons |= work.reasons
        errors += work.errors
        if not work.draft.edits:
            if work.more:
                continue
            break
        try:
            draft = _absorbed(state.draft, work.draft)
            last = yield Evaluate(_sample_with(sample, draft.text))
            helpful = helping(work, last) if undo else work.draft
            if not helpful.edits:
                if work.more:
                    continue
                break
            if helpful is not work.draft:
                draft = _absorbed(state.draft, helpful)
                last = yield Evaluate(_sample_with(sample, draft.text))
        except GraphEvalError as error:
            errors.append(error)
            reasons |= {v.claim.text: f"the repaired answer could not be judged: {error}" for v in work.flagged}
            break
        state = _State(draft, last)
        if last.p_inconsistent is None:
            reasons |= {v.claim.text: "the repaired answer could not be judged" for v in work.flagged}
            break
        if state.key < best.key:
            best = state
        elif undo:
            state = best
        if not last.flagged or not (state.draft.edits or work.more):
            break
    return _conclude(sample, before, best, last, reasons, errors, usage)


def _absorbed(before: Draft, later: Draft) -> Draft:
    draft = before.copy()
    draft.absorb(later)
    return draft


def _asking(asks: Asks) -> Generator[Ask, Any, Usage]:
    """Pass the proposer's questions on, and count them."""
    usage = Usage()
    step: Any = None
    error: GraphEvalError | None = None
    while True:
        try:
            question = asks.throw(error) if error is not None else asks.send(step)
        except StopIteration:
            return usage
        step, error = None, None
        try:
            step = yield question
            usage += step.usage
        except GraphEvalError as raised:
            usage += Usage(calls=1)
            error = raised


def _conclude(
    sample: Sample,
    before: Evaluation,
    best: _State,
    last: Evaluation | None,
    reasons: dict[str, str],
    errors: Sequence[GraphEvalError],
    usage: Usage,
) -> Correction:
    edits: tuple[Edit, ...] = best.draft.edits
    reason: Reason | None = None
    if edits:
        after: Evaluation | None = best.evaluation
        left = best.evaluation.flagged
        status = CorrectionStatus.PARTIAL if left else CorrectionStatus.CORRECTED
        default = "still flagged after the repair"
    else:
        left, after = before.flagged, last
        default = "the repair made the answer no better" if last else "no repair was found"
        status = CorrectionStatus.REVERTED if last else CorrectionStatus.FAILED
    if status in {CorrectionStatus.FAILED, CorrectionStatus.PARTIAL} and errors:
        reason = reason_of(errors[0])
    unrepaired = tuple(Unrepaired(v.claim, reasons.get(v.claim.text, default)) for v in left)
    text = best.draft.text if edits else sample.answer
    return Correction(text, edits, before, after, status, reason, unrepaired, usage)


def reason_of(error: GraphEvalError) -> Reason:
    """The code under which a failed call is reported."""
    if isinstance(error, BudgetExceeded):
        return Reason.BUDGET_EXCEEDED
    return Reason.TIMEOUT if error.code == "timeout" else Reason.MODEL_ERROR


def _sample_with(sample: Sample, answer: str) -> Sample:
    return Sample(answer, sample.contexts, sample.question, sample.id)


# --------------------------------------------------------------------------------------------------------- drivers


def drive(plan: Plan, llm: LLM | None, evaluate: Callable[[Sample], Evaluation]) -> Correction:
    """Run a plan to its end; `llm` is None for correctors that ask none."""
    error: GraphEvalError | None = None
    result: Completion | Evaluation | None = None
    while True:
        try:
            step = plan.throw(error) if error is not None else plan.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        error, result = None, None
        try:
            result = evaluate(step.sample) if isinstance(step, Evaluate) else ask(_needed(llm), step.messages)
        except GraphEvalError as raised:
            error = raised


async def adrive(plan: Plan, llm: LLM | None, evaluate: Callable[[Sample], Awaitable[Evaluation]]) -> Correction:
    """As `drive`, without blocking the event loop."""
    error: GraphEvalError | None = None
    result: Completion | Evaluation | None = None
    while True:
        try:
            step = plan.throw(error) if error is not None else plan.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        error, result = None, None
        try:
            if isinstance(step, Evaluate):
                result = await evaluate(step.sample)
            else:
                result = await aask(_needed(llm), step.messages)
        except GraphEvalError as raised:
            error = raised


def _needed(llm: LLM | None) -> LLM:
    if llm is None:
        msg = "this corrector asks an LLM, but was given none"
        raise GraphEvalError(msg)
    return llm
