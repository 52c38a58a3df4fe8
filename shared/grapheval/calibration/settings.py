"""The settings file: which pipeline was calibrated, its threshold and map, and how well they were supported."""

from __future__ import annotations

import copy
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from grapheval.aggregation import MaxAggregator
from grapheval.calibration.maps import IsotonicMap, LogisticMap
from grapheval.correction.policy import on_scale
from grapheval.errors import InputError

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval

logger = logging.getLogger(__name__)

AnyMap = Annotated[LogisticMap | IsotonicMap, Field(discriminator="kind")]
"""The maps that a settings file can hold."""

FORMAT: Literal["grapheval-settings"] = "grapheval-settings"
_MAX_BYTES = 4 * 1024 * 1024
_REVISION = re.compile(r"@[^@]*$")


@dataclass(frozen=True, slots=True)
class PipelineChoices:
    """The pipeline that the settings were fitted for, as the command line names it.

    Args:
        extractor: `local`, `llm`, or None for whichever the rest asks for.
        verifier: Name in the registry, None for the bundled model.
        llm: `PROVIDER:MODEL`; keys and addresses are never stored.
        protocol: `ours` or `paper`.
    """

    extractor: Literal["local", "llm"] | None = None
    verifier: str | None = None
    llm: str | None = None
    protocol: Literal["ours", "paper"] = "ours"


@dataclass(frozen=True, slots=True)
class FitReport:
    """What the settings rest on; shares in [0, 1].

    Args:
        answers: Labelled answers that took part.
        inconsistent: How many of these people call inconsistent.
        unjudged: Labelled answers that were left out because the pipeline could not judge them.
        objective: What the threshold was chosen for.
        balanced_accuracy: Cross-validated: every answer judged by settings that were fitted without it.
        interval: 95 % bootstrap interval of it.
        false_alarms: Share of the consistent answers that the settings flag, cross-validated.
        found: Share of the inconsistent answers that they flag, cross-validated.
        default_balanced_accuracy: The same pipeline's without calibration, at its default threshold.
        gain: `balanced_accuracy - default_balanced_accuracy`.
        gain_interval: 95 % paired bootstrap interval of it.
        threshold_interval: 95 % of the thresholds that resampled data lead to.
        enough: Whether the answers were enough to rely on the result.
        summary: The same for people, in plain sentences.
        data_sha256: Of the labelled answers, to tell later what the settings were fitted on.
    """

    answers: int
    inconsistent: int
    unjudged: int
    objective: str
    balanced_accuracy: float
    interval: tuple[float, float]
    false_alarms: float
    found: float
    default_balanced_accuracy: float
    gain: float
    gain_interval: tuple[float, float]
    threshold_interval: tuple[float, float]
    enough: bool
    summary: str
    data_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """A calibrated pipeline's settings.

    Args:
        threshold: In (0, 1), on the scale of the map where there is one.
        map: From the pipeline's probabilities to calibrated ones; None = they stay as they are.
        pipeline: How the pipeline is built.
        extractor: The extractor's name and version at the time, as in provenance.
        verifier: The verifier's.
        report: What they rest on; None for settings written by hand.
        format: Always `grapheval-settings`.
        version: Of the format.

    Raises:
        InputError: The threshold is out of range.
    """

    threshold: float = 0.5
    map: AnyMap | None = None
    pipeline: PipelineChoices = PipelineChoices()
    extractor: str = ""
    verifier: str = ""
    report: FitReport | None = None
    format: Literal["grapheval-settings"] = FORMAT
    version: Literal[1] = 1

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            msg = f"threshold must lie between 0 and 1, not at {self.threshold}"
            raise InputError(msg)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form."""
        from grapheval.serialize import to_plain

        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Read what `to_dict` wrote.

        Raises:
            InputError: It is something else; the message names the first place.
        """
        from grapheval.serialize import from_plain

        if data.get("format") != FORMAT:
            msg = f'not a settings file of grapheval: it lacks "format": "{FORMAT}"'
            raise InputError(msg)
        return from_plain(cls, data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all.

        Raises:
            InputError: It cannot be written.
        """
        from grapheval.io.batch import dump
        from grapheval.io.reading import why_unreadable

        target = Path(path)
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            draft.write_text(dump(self.to_dict(), indent=2) + "\n", encoding="utf-8")
            draft.replace(target)
        except (OSError, ValueError) as error:
            raise InputError(why_unreadable(str(path), error)) from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Settings:
        """Read a file that `save` wrote.

        Raises:
            InputError: It cannot be read, or is something else.
        """
        from grapheval.io.reading import decode, parse_json, read_bytes

        name = os.fspath(path)
        data = read_bytes(Path(name))
        if len(data) > _MAX_BYTES:
            msg = f"{name} is too long for a settings file"
            raise InputError(msg)
        document = parse_json(decode(data, name), name)
        if not isinstance(document, Mapping):
            msg = f"{name} is not a settings file: it holds no JSON object"
            raise InputError(msg)
        try:
            return cls.from_dict(document)
        except InputError as error:
            msg = f"{name}: {error}"
            raise InputError(msg) from error

    def apply_to(self, pipeline: GraphEval) -> GraphEval:
        """A copy of a pipeline with these settings; it shares the stages.

        What was fitted was fitted to the worst claim of each answer, so that decides, whatever the pipeline's own
        aggregator; settings that only name a threshold leave the aggregator as it is.

        Raises:
            InputError: The pipeline has another verifier than the one that the settings were fitted for: a
                probability of one model is not one of another.
        """
        made = pipeline.provenance()
        if self.verifier and _model(made.verifier) != _model(self.verifier):
            msg = (
                f"these settings were fitted for the verifier {self.verifier}, not for {made.verifier}: "
                "calibrate again with it"
            )
            raise InputError(msg)
        for what, then, now in (
            ("verifier", self.verifier, made.verifier),
            ("extractor", self.extractor, made.extractor),
        ):
            if then and then != now:
                logger.warning("the settings were fitted with %s %s, this one is %s", what, then, now)
        calibrated = copy.copy(pipeline)
        calibrated.threshold = self.threshold
        calibrated.calibration = self.map
        calibrated.corrector = on_scale(pipeline.corrector, self.map)
        if self.map is not None or self.report is not None:
            calibrated.aggregator = MaxAggregator()
        return calibrated


def as_settings(settings: Settings | Mapping[str, Any] | str | os.PathLike[str]) -> Settings:
    """Settings from whatever names them: themselves, their plain form, or a path.

    Raises:
        InputError: They cannot be read.
    """
    if isinstance(settings, Settings):
        return settings
    if isinstance(settings, Mapping):
        return Settings.from_dict(settings)
    return Settings.load(settings)


def build(settings: Settings, stages: dict[str, Any]) -> GraphEval:
    """The pipeline that the settings describe, with some stages replaced.

    Args:
        settings: What was fitted.
        stages: Arguments of `GraphEval.local`, or with `llm` those of `GraphEval.from_llm`.

    Raises:
        InputError: The pipeline cannot be built, or has another verifier than the settings' one.
        MissingExtraError: Something is not installed.
    """
    from grapheval import defaults
    from grapheval.pipeline import GraphEval

    named = settings.pipeline
    arguments = {"verifier": named.verifier, "llm": named.llm, "protocol": named.protocol} | stages
    if arguments["llm"] is None:
        del arguments["llm"]
        paper = arguments.pop("protocol") == "paper"
        pipeline = GraphEval.local(**arguments)
        if paper:
            from grapheval.paper import as_paper

            pipeline = as_paper(pipeline)
        return settings.apply_to(pipeline)
    if arguments["verifier"] == "llm":
        from grapheval.llm import as_llm
        from grapheval.verification.registry import load_verifier

        arguments["verifier"] = load_verifier("llm", llm=as_llm(arguments["llm"]))
    if named.extractor == "local":
        arguments.setdefault("extractor", defaults.extractor())
    arguments["verifier"] = arguments["verifier"] or "bundled"
    return settings.apply_to(GraphEval.from_llm(**arguments))


def _model(name: str) -> str:
    return _REVISION.sub("", name)
