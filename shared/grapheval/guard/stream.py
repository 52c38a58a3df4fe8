"""An answer on its way through a guard, chunk by chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grapheval.errors import InputError
from grapheval.guard.session import Session
from grapheval.guard.splitter import Piece, SentenceBuffer
from grapheval.guard.standing import Frame, Standing, failure_of_step, standing
from grapheval.guard.steps import Judge, Steps, adrive, drive
from grapheval.guard.telemetry import record
from grapheval.guard.types import Cause, Decision, GuardError, GuardResult, Policy
from grapheval.types import Evaluation
from grapheval.types.sample import clean_text

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


class GuardStream:
    """Takes an answer in chunks and gives back what may leave.

    >>> stream = guard.stream(context)            # doctest: +SKIP
    >>> for chunk in model_output:                # doctest: +SKIP
    ...     send(stream.feed(chunk))
    >>> send(stream.close())                      # doctest: +SKIP
    >>> stream.result.decision                    # doctest: +SKIP

    The texts that `feed` and `close` return, joined, are `result.text`, however the answer is cut into chunks. One
    stream serves one answer, from one thread or task at a time; use either the plain or the `a…` methods.
    Obtained from `Guard.stream`.
    """

    def __init__(self, pipeline: GraphEval, policy: Policy, frame: Frame, *, telemetry: bool = True) -> None:
        self._pipeline = pipeline
        self._policy = policy
        self._frame = frame
        self._telemetry = telemetry
        self._buffer = SentenceBuffer()
        self._session = Session(policy, frame) if policy.by_sentence else None
        self._begun = False
        self._held: list[str] = []
        self._result: GuardResult | None = None

    @property
    def result(self) -> GuardResult:
        """What became of the answer.

        Raises:
            InputError: The stream was not closed yet.
        """
        if self._result is None:
            msg = "the result of a guarded stream is there after close()"
            raise InputError(msg)
        return self._result

    @property
    def stopped(self) -> bool:
        """Whether the answer has ended early, so that nothing that still comes can leave."""
        return self._session is not None and self._session.cause is not None

    def feed(self, chunk: str) -> str:
        """Add a chunk of the answer.

        Returns:
            What may leave now; often "".

        Raises:
            GuardError: With `on_flagged="raise"` and `hold="sentence"`, a sentence was refused.
            InputError: The stream was closed.
        """
        return drive(self._feed(chunk), self._pipeline)

    async def afeed(self, chunk: str) -> str:
        """As `feed`, without blocking the event loop."""
        return await adrive(self._feed(chunk), self._pipeline, light=True)

    def close(self) -> str:
        """The answer has ended.

        Returns:
            The rest of what may leave.

        Raises:
            GuardError: With `on_flagged="raise"`, the answer was refused.
            InputError: The stream was closed before.
        """
        return drive(self._close(), self._pipeline)

    async def aclose(self) -> str:
        """As `close`, without blocking the event loop."""
        return await adrive(self._close(), self._pipeline)

    # -------------------------------------------------------------------------------------------------- the steps

    def _feed(self, chunk: str) -> Steps[str]:
        self._check_open()
        chunk = clean_text(chunk)
        if self._session is None:
            self._buffer.text += chunk
            return chunk if self._policy.passes_through else ""
        if self.stopped and self._policy.on_flagged == "raise":
            raise refusal(self._session.result(self._buffer.text + chunk))
        return (yield from self._sentences(self._session, self._buffer.feed(chunk)))

    def _close(self) -> Steps[str]:
        self._check_open()
        text = self._buffer.text
        if self._session is None:
            self._result = yield from _whole(self._policy, self._frame, text)
            leaving = "" if self._policy.passes_through else self._result.text
        else:
            leaving = yield from self._sentences(self._session, self._buffer.close(), closing=True)
            self._result = self._session.result(text)
        if self._telemetry:
            record(self._result.evaluation)
        if self._result.blocked and self._policy.on_flagged == "raise":
            raise refusal(self._result)
        return leaving

    def _sentences(self, session: Session, pieces: list[Piece], *, closing: bool = False) -> Steps[str]:
        leaving = []
        text = self._buffer.text
        if pieces and not self._begun:
            self._begun = True
            session.begin(text[: pieces[0].start])
        for piece in pieces:
            left = yield from session.sentence(text, piece)
            leaving.append(left)
        if closing:
            if not self._begun:
                session.begin(text)
            leaving.append(session.finish(text))
        if self._policy.hold == "answer":
            return session.text if closing else ""
        return "".join(leaving)

    def _check_open(self) -> None:
        if self._result is not None:
            msg = "this guarded stream was closed: begin a new one for the next answer"
            raise InputError(msg)


def refusal(result: GuardResult) -> GuardError:
    """The exception for a blocked answer; its message names the first reason."""
    if result.cause is Cause.FLAGGED:
        claims = "; ".join(verdict.claim.text for verdict in result.evaluation.flagged)
        return GuardError(f"the answer is not grounded in its context: {claims}", result)
    if result.failures:
        return GuardError(f"the answer could not be judged: {result.failures[0].message}", result)
    reason = result.evaluation.reason
    return GuardError(f"the answer could not be judged: {reason.value if reason else 'no reason given'}", result)


def _whole(policy: Policy, frame: Frame, answer: str) -> Steps[GuardResult]:
    """Judge an answer as a whole."""
    judged = yield Judge(frame.sample(answer))
    failures = () if isinstance(judged, Evaluation) else (failure_of_step(judged),)
    evaluation = judged if isinstance(judged, Evaluation) else frame.not_judged(judged)
    found, cause = standing(evaluation), None
    if found is Standing.FLAGGED:
        decision = Decision.FLAGGED
        cause = None if policy.on_flagged == "flag" else Cause.FLAGGED
    elif found is Standing.UNJUDGED:
        decision = Decision.UNJUDGED
        if policy.on_unjudged == "block":
            cause = Cause.FAILED if failures else Cause.UNJUDGED
    else:
        decision = Decision.PASSED
    text = answer
    if cause is not None:
        decision = Decision.BLOCKED
        text = "" if policy.on_flagged == "raise" else policy.block_message
    return GuardResult(text, decision, answer, evaluation, cause=cause, failures=failures)
