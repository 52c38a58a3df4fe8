"""From the command line's options to a pipeline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from grapheval.cli.quick import start
from grapheval.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from grapheval.correction.policy import Unrepairable
    from grapheval.llm import Limits
    from grapheval.pipeline import GraphEval
    from grapheval.protocols import Verifier

Extractor = Literal["local", "llm"]
Protocol = Literal["ours", "paper"]


@dataclass(frozen=True, slots=True)
class Choices:
    """Which pipeline the user asked for.

    Args:
        extractor: None = `llm` where an LLM is named, otherwise `local`.
        verifier: Name in the registry; None = the bundled model.
        llm: `PROVIDER:MODEL`.
        protocol: Windows and rules of ours, or the paper's.
        given_threshold: In (0, 1); None = the settings' own, or 0.5.
        correct: Whether the pipeline must be able to repair.
        settings: A file that `grapheval calibrate` saved; what stands above comes before what it says.
        unrepaired: What happens to a flagged claim that cannot be repaired.
        limits: Of the LLM's traffic.
        answer_timeout: Seconds for all calls of an answer.
    """

    extractor: Extractor | None = None
    verifier: str | None = None
    llm: str | None = None
    protocol: Protocol = "ours"
    given_threshold: float | None = None
    correct: bool = False
    settings: Path | None = None
    unrepaired: Unrepairable = "keep"
    limits: Limits | None = None
    answer_timeout: float | None = None

    @property
    def threshold(self) -> float:
        """The threshold, where no settings say another."""
        return 0.5 if self.given_threshold is None else self.given_threshold


Factory = Callable[[Choices], "GraphEval"]


def _calibrated(choices: Choices, file: Path) -> GraphEval:
    """The pipeline that a settings file describes, as far as the options name no other."""
    from grapheval.calibration import Settings

    found = Settings.load(file)
    named = found.pipeline
    if choices.protocol == "paper" != named.protocol:
        msg = f"{file} was fitted for --protocol {named.protocol}, not for the paper's: calibrate again"
        raise InputError(msg)
    from grapheval.pipeline import checked_threshold

    uncalibrated = replace(
        choices,
        extractor=choices.extractor or named.extractor,
        verifier=choices.verifier or named.verifier,
        llm=choices.llm or named.llm,
        protocol=named.protocol,
        given_threshold=None,
        settings=None,
    )
    pipeline = found.apply_to(build(uncalibrated))
    if choices.given_threshold is not None:
        pipeline.threshold = checked_threshold(choices.given_threshold)
    return pipeline


def build(choices: Choices) -> GraphEval:
    """The pipeline that the options describe.

    Raises:
        InputError: The options do not go together, or name something unknown.
        MissingExtraError: Something is not installed.
    """
    from grapheval.pipeline import GraphEval

    if choices.settings is not None:
        return _calibrated(choices, choices.settings)
    if choices.llm is None:
        if choices.extractor == "llm":
            msg = "--extractor llm needs a model: add --llm PROVIDER:MODEL"
            raise InputError(msg)
        if choices.verifier == "llm":
            msg = "--verifier llm needs a model: add --llm PROVIDER:MODEL"
            raise InputError(msg)
        pipeline = GraphEval.local(threshold=choices.threshold, verifier=choices.verifier)
        if choices.protocol == "paper":
            from grapheval.paper import as_paper

            pipeline = as_paper(pipeline)
    else:
        from grapheval.llm import from_spec
        from grapheval.llm.limits import limited

        llm = limited(from_spec(choices.llm), choices.limits)
        verifier: Verifier | str = choices.verifier or "bundled"
        if verifier == "llm":
            from grapheval.verification.registry import load_verifier

            verifier = load_verifier("llm", llm=llm)
        stages: dict[str, Any] = {}
        if choices.extractor == "local":
            from grapheval import defaults

            stages["extractor"] = defaults.extractor()
        pipeline = GraphEval.from_llm(
            llm,
            verifier=verifier,
            protocol=choices.protocol,
            threshold=choices.threshold,
            **stages,
        )
    if choices.correct and choices.unrepaired != "keep":
        from grapheval.correction.policy import SupportsUnrepaired

        if not isinstance(pipeline.corrector, SupportsUnrepaired):
            msg = f"--unrepaired {choices.unrepaired} goes with the repair from the evidence: leave --llm out"
            raise InputError(msg)
        pipeline.corrector = pipeline.corrector.leaving(choices.unrepaired)
    pipeline.answer_timeout = choices.answer_timeout
    start(pipeline)
    return pipeline
