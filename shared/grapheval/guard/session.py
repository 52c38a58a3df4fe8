"""One answer going through a guard sentence by sentence: the logic, without input or output."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grapheval.errors import GraphEvalError
from grapheval.guard.combine import Part, combined
from grapheval.guard.ledger import Ledger, applied
from grapheval.guard.splitter import Piece
from grapheval.guard.standing import Frame, Standing, failure_of_step, standing
from grapheval.guard.steps import Judge, Repair, Steps
from grapheval.guard.types import Cause, Decision, GuardResult, Policy
from grapheval.types import Action, Claim, Correction, CorrectionStatus, Edit, Evaluation, Failure, Sample, Usage
from grapheval.types.correction import Unrepaired

_TRIED = frozenset({CorrectionStatus.CORRECTED, CorrectionStatus.PARTIAL})


@dataclass(frozen=True, slots=True)
class _Task:
    """A sentence to judge: the answer so far, the sentence's place in it, and what the judge reads."""

    text: str
    piece: Piece
    sample: Sample
    boundary: int
    seen: frozenset[str]

    @property
    def body(self) -> str:
        return self.text[self.piece.start : self.piece.end]


class Session:
    """The state of one answer on its way out.

    Args:
        policy: What to do with what is found.
        frame: The contexts, the question, and the pipeline's settings.
    """

    def __init__(self, policy: Policy, frame: Frame) -> None:
        self.cause: Cause | None = None
        self._policy = policy
        self._frame = frame
        self._ledger = Ledger()
        self._before: list[Part] = []
        self._after: list[Part] = []
        self._failures: list[Failure] = []
        self._unrepaired: list[Unrepaired] = []
        self._seen: set[str] = set()
        self._left_flagged = False
        self._left_unjudged = False
        self._usage = Usage(calls=0)

    @property
    def text(self) -> str:
        """What has left so far."""
        return self._ledger.out

    def begin(self, leading: str) -> None:
        """Take the white space before the first sentence."""
        self._ledger.begin(leading)

    def sentence(self, text: str, piece: Piece) -> Steps[str]:
        """Judge (and repair) the next sentence.

        Args:
            text: The answer as far as it has come.
            piece: The sentence's place in it.

        Returns:
            What leaves now.
        """
        if self.cause is not None:
            return ""
        prefix = self._ledger.lookback(self._policy.lookback)
        sample = self._frame.sample(prefix + text[piece.start : piece.end])
        task = _Task(text, piece, sample, len(prefix), frozenset(self._seen))
        before, failed = yield from self._judge(task, sample)
        part = Part(before, task.boundary, piece.start, text[: piece.start].endswith(prefix))
        self._before.append(part)

        found = standing(before)
        if found is Standing.FLAGGED and self._policy.on_flagged == "correct":
            return (yield from self._repair(task, part))
        if found is Standing.FLAGGED:
            return self._block(task, Cause.FLAGGED, part)
        if found is Standing.UNJUDGED and self._policy.on_unjudged == "block":
            return self._block(task, Cause.FAILED if failed else Cause.UNJUDGED, part)
        self._left_unjudged |= found is Standing.UNJUDGED
        return self._release(task, task.body, before)

    def finish(self, text: str) -> str:
        """The answer has ended.

        Returns:
            What leaves now: white space, or the block message where every sentence was dropped.
        """
        ledger = self._ledger
        if self.cause is not None:
            if self._policy.on_flagged != "raise":
                ledger.extend(text)
            return ""
        if not ledger.out and ledger.edits:
            self.cause = Cause.FLAGGED
            return ledger.replace_rest(text, 0, self._policy.block_message, ledger.edits[0].claim)
        return ledger.finish(len(text))

    def result(self, text: str) -> GuardResult:
        """What left, and why; after `finish`."""
        evaluation = replace(combined(self._before, self._frame), answer=text)
        return GuardResult(
            text=self._ledger.out,
            decision=self._decision(),
            original=text,
            evaluation=evaluation,
            correction=self._correction(evaluation) if self._policy.on_flagged == "correct" else None,
            cause=self.cause,
            failures=tuple(self._failures),
        )

    # --------------------------------------------------------------------------------------------------- judging

    def _judge(self, task: _Task, sample: Sample) -> Steps[tuple[Evaluation, bool]]:
        """The judgement of the sentence as `sample` words it, and whether the judge failed."""
        result = yield Judge(sample, task.boundary, task.seen)
        if isinstance(result, Evaluation):
            return result, False
        self._failures.append(failure_of_step(result))
        return self._frame.not_judged(result), True

    def _repair(self, task: _Task, part: Part) -> Steps[str]:
        result = yield Repair(
            task.sample,
            part.evaluation,
            task.boundary,
            task.seen,
            "drop" if self._policy.on_unrepaired == "drop" else "keep",
        )
        edits: tuple[Edit, ...] = ()
        why = "the corrector changed nothing"
        if isinstance(result, GraphEvalError):
            self._failures.append(failure_of_step(result))
            why = str(result)
        else:
            self._usage += result.usage
            if result.status in _TRIED:
                # What has left cannot be changed any more: only edits of this sentence count.
                edits = tuple(edit for edit in result.edits if edit.start >= task.boundary)
                why = "the repair would change text that has already left"
        if not edits:
            return self._leave(task, part, part.evaluation, why)

        repaired = applied(task.sample.answer, edits)
        if result.after is not None and repaired == result.answer:
            after: Evaluation = result.after
        else:
            after, _ = yield from self._judge(task, replace(task.sample, answer=repaired))
        body = repaired[task.boundary :]
        moved = self._moved(edits, part)
        found = standing(after)
        if found is Standing.CLEAN or (found is Standing.UNJUDGED and self._policy.on_unjudged == "pass"):
            self._left_unjudged |= found is Standing.UNJUDGED
            if body.strip():
                return self._release(task, body, after, moved)
            return self._drop(task, moved[0].claim)
        if found is Standing.UNJUDGED:
            return self._leave(task, part, part.evaluation, "the repair was not judged")
        better = len(after.flagged) < len(part.evaluation.flagged)
        why = "the repaired sentence is still flagged"
        return (
            self._leave(task, part, after, why, body, moved)
            if better
            else self._leave(task, part, part.evaluation, why)
        )

    def _moved(self, edits: tuple[Edit, ...], part: Part) -> list[Edit]:
        """Edits of the text that was read, in coordinates of the answer."""
        shift = part.start - part.boundary
        return [
            replace(edit, start=edit.start + shift, end=edit.end + shift, claim=part.claim(edit.claim))
            for edit in edits
        ]

    # --------------------------------------------------------------------------------------------------- leaving

    def _release(
        self, task: _Task, body: str, evaluation: Evaluation, edits: list[Edit] | None = None, mark: str = ""
    ) -> str:
        ledger = self._ledger
        here = ledger.here()
        fits = here.endswith(task.sample.answer[: task.boundary])
        self._after.append(Part(evaluation, task.boundary, len(here), fits))
        self._seen |= {verdict.claim.text for verdict in evaluation.verdicts}
        return ledger.release(task.text, task.piece, body, edits or (), mark)

    def _leave(
        self,
        task: _Task,
        part: Part,
        evaluation: Evaluation,
        why: str,
        body: str | None = None,
        edits: list[Edit] | None = None,
    ) -> str:
        """What `on_unrepaired` says about a sentence that stays flagged; `evaluation` judges `body`."""
        self._unrepaired += [Unrepaired(part.claim(verdict.claim), why) for verdict in evaluation.flagged]
        policy, claim = self._policy, _reason_claim(part, task.body)
        if policy.on_unrepaired == "block":
            return self._block(task, Cause.FLAGGED, part)
        if policy.on_unrepaired == "drop":
            return self._drop(task, claim)
        self._left_flagged = True
        mark = policy.mark if policy.on_unrepaired == "mark" else ""
        edits = list(edits or ())
        if mark:
            end = task.piece.end
            edits.append(Edit(end, end, "", mark, claim, (), Action.MARK))
        return self._release(task, task.body if body is None else body, evaluation, edits, mark)

    def _drop(self, task: _Task, claim: Claim) -> str:
        self._ledger.drop(task.text, task.piece, claim)
        return ""

    def _block(self, task: _Task, cause: Cause, part: Part) -> str:
        self.cause = cause
        if self._policy.on_flagged == "raise":
            return ""
        message, claim = self._policy.block_message, _reason_claim(part, task.body)
        everything = self._policy.hold == "answer"
        return self._ledger.replace_rest(task.text, task.piece.start, message, claim, everything=everything)

    # --------------------------------------------------------------------------------------------------- outcome

    def _decision(self) -> Decision:
        if self.cause is not None:
            return Decision.BLOCKED
        if self._left_flagged:
            return Decision.FLAGGED
        if self._left_unjudged:
            return Decision.UNJUDGED
        return Decision.CORRECTED if self._ledger.edits else Decision.PASSED

    def _correction(self, before: Evaluation) -> Correction:
        edits = tuple(self._ledger.edits)
        changed = any(edit.action is not Action.MARK for edit in edits)
        if self.cause is not None or (self._left_flagged and not changed):
            status = CorrectionStatus.FAILED
        elif self._left_flagged:
            status = CorrectionStatus.PARTIAL
        else:
            status = CorrectionStatus.CORRECTED if changed else CorrectionStatus.UNCHANGED
        after = combined(self._after, self._frame) if changed and self.cause is None else None
        after = after and replace(after, answer=self._ledger.out)
        return Correction(
            answer=self._ledger.out,
            edits=edits,
            before=before,
            after=after,
            status=status,
            unrepaired=tuple(self._unrepaired),
            usage=self._usage,
        )


def _reason_claim(part: Part, body: str) -> Claim:
    """The claim that speaks against a sentence: the first flagged one, otherwise the first, otherwise itself."""
    verdicts = part.evaluation.flagged or part.evaluation.verdicts
    return part.claim(verdicts[0].claim) if verdicts else Claim(body)
