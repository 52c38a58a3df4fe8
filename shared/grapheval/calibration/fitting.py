"""Fit a pipeline's threshold, and a map of its probabilities where that helps, to labelled answers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from grapheval.aggregation import MaxAggregator
from grapheval.calibration.advice import is_enough, summary
from grapheval.calibration.candidates import Observed, choose, folds
from grapheval.calibration.labelled import LabelledSample, fingerprint, group_of
from grapheval.calibration.settings import FitReport, PipelineChoices, Settings
from grapheval.calibration.threshold import choose_threshold
from grapheval.drive import batch_size_of
from grapheval.errors import InputError
from grapheval.extras import require
from grapheval.types import Evaluation, Failure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from grapheval.pipeline import GraphEval

DEFAULT_THRESHOLD = 0.5
LEAST_OF_EACH = 10
"""With fewer answers of a kind nothing is fitted: the result would be noise."""
_FEWEST_GROUPS = 10
"""With fewer contexts than this, whole contexts cannot be held out: answers are."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a calibration came to.

    Args:
        settings: To be saved, or handed to `GraphEval.calibrated`.
        report: What they rest on; the same as `settings.report`.
        failures: Answers on which the pipeline failed; they took no part.
    """

    settings: Settings
    report: FitReport
    failures: tuple[Failure, ...] = ()


def calibrate(
    pipeline: GraphEval,
    answers: Iterable[LabelledSample],
    *,
    max_false_alarms: float | None = None,
    choices: PipelineChoices | None = None,
    progress: Callable[[], None] | None = None,
) -> Calibrated:
    """Fit threshold and map to labelled answers.

    The pipeline judges each answer once, as it is without calibration. Every figure of the report is cross-validated:
    threshold and map, the choice of the map included, are fitted anew without the answers that they then judge, and
    answers to one context are held out together.

    Args:
        pipeline: What is to be calibrated.
        answers: With people's labels; at least 10 of each kind that the pipeline can judge, better hundreds.
        max_false_alarms: In (0, 1): the largest share of consistent answers that may be flagged; None = the threshold
            is chosen for balanced accuracy.
        choices: How the pipeline was built, for the settings file; None = the local one, or with stages of your own
            those that you hand to `GraphEval.calibrated` again.
        progress: Called once for each answer that was judged.

    Raises:
        InputError: The answers are too few or of one kind.
        MissingExtraError: scikit-learn is not installed (extra `calibrate`).
    """
    require("sklearn", extra="calibrate")
    _check_share(max_false_alarms)
    listed = list(answers)
    results = _judge(uncalibrated(pipeline), listed, progress)
    return calibrated_from(pipeline, listed, results, max_false_alarms=max_false_alarms, choices=choices)


def calibrated_from(
    pipeline: GraphEval,
    answers: Sequence[LabelledSample],
    results: Sequence[Evaluation | Failure],
    *,
    max_false_alarms: float | None = None,
    choices: PipelineChoices | None = None,
) -> Calibrated:
    """As `calibrate`, for answers that the pipeline has judged already.

    Args:
        pipeline: What judged them, without calibration.
        answers: With people's labels.
        results: One for each answer, in order.
        max_false_alarms: See `calibrate`.
        choices: See `calibrate`.

    Raises:
        InputError: The answers are too few or of one kind.
        MissingExtraError: scikit-learn is not installed (extra `calibrate`).
    """
    _check_share(max_false_alarms)
    plain = uncalibrated(pipeline)
    made = plain.provenance()
    data = observed(answers, results)
    settings = fit(data, max_false_alarms)
    default = [
        float(result.p_inconsistent > plain.threshold)
        for result in results
        if isinstance(result, Evaluation) and result.p_inconsistent is not None
    ]
    report = _report(data, settings, default, max_false_alarms, len(answers) - len(default), fingerprint(answers))
    settings = replace(
        settings,
        pipeline=choices or PipelineChoices(),
        extractor=made.extractor,
        verifier=made.verifier,
        report=report,
    )
    return Calibrated(settings, report, tuple(result for result in results if isinstance(result, Failure)))


def uncalibrated(pipeline: GraphEval) -> GraphEval:
    """A copy of a pipeline that leaves its probabilities as they are; it shares the stages."""
    plain = copy.copy(pipeline)
    if plain.calibration is not None:
        plain.calibration, plain.threshold = None, DEFAULT_THRESHOLD  # the threshold is one of the map's scale
    return plain


def _check_share(max_false_alarms: float | None) -> None:
    if max_false_alarms is not None and not 0 < max_false_alarms < 1:
        msg = f"max_false_alarms must lie between 0 and 1, not at {max_false_alarms}"
        raise InputError(msg)


def observed(answers: Sequence[LabelledSample], results: Sequence[Evaluation | Failure]) -> Observed:
    """The answers that were judged, as numbers; the worst claim speaks for its answer, whatever the aggregator.

    Raises:
        InputError: Too few are left, or only one kind.
    """
    np: Any = require("numpy", extra="calibrate")
    rows = [
        (MaxAggregator().aggregate(result.verdicts), len(result.verdicts), item.label, group_of(item.sample))
        for item, result in zip(answers, results, strict=True)
        if isinstance(result, Evaluation) and result.p_inconsistent is not None
    ]
    positives = sum(label for _, _, label, _ in rows)
    if min(positives, len(rows) - positives) < LEAST_OF_EACH:
        msg = (
            f"a calibration needs at least {LEAST_OF_EACH} answers of each kind that the pipeline can judge; here are "
            f"{positives} inconsistent and {len(rows) - positives} consistent ones ({len(answers) - len(rows)} could "
            "not be judged)"
        )
        raise InputError(msg)
    names = [group for *_, group in rows]
    known = {name: number for number, name in enumerate(dict.fromkeys(names))}
    groups = [known[name] for name in names] if len(known) >= _FEWEST_GROUPS else list(range(len(rows)))
    return Observed(
        np.array([float(p or 0.0) for p, *_ in rows]),
        np.array([claims for _, claims, *_ in rows]),
        np.array([label for _, _, label, _ in rows]),
        np.array(groups),
    )


def fit(data: Observed, max_false_alarms: float | None = None) -> Settings:
    """Map and threshold on all of the data, without a report."""
    by = choose(data)
    threshold, _ = choose_threshold(data.mapped(by), data.label, data.group, max_false_alarms)
    return Settings(threshold, by)


def held_out_decisions(data: Observed, max_false_alarms: float | None = None) -> NDArray[Any]:
    """Each answer's decision (1 = flagged) by settings that were fitted without its fold; NaN where none could be."""
    np: Any = require("numpy", extra="calibrate")
    decided = np.full(len(data.p), np.nan)
    for train, test in folds(data):
        settings = fit(data.take(train), max_false_alarms)
        decided[test] = data.take(test).mapped(settings.map) > settings.threshold
    return decided  # type: ignore[no-any-return]


def _judge(
    pipeline: GraphEval, answers: Sequence[LabelledSample], progress: Callable[[], None] | None
) -> list[Evaluation | Failure]:
    results: list[Evaluation | Failure] = []
    size = batch_size_of(pipeline.extractor)
    for start in range(0, len(answers), size):
        chunk = [item.sample for item in answers[start : start + size]]
        results += pipeline.evaluate_many(chunk)
        for _ in chunk if progress is not None else ():
            progress()  # type: ignore[misc]
    return results


def _report(
    data: Observed,
    settings: Settings,
    default_decisions: Sequence[float],
    max_false_alarms: float | None,
    unjudged: int,
    data_sha256: str,
) -> FitReport:
    from grapheval.bench.metrics import gain, score

    np: Any = require("numpy", extra="calibrate")
    decided = held_out_decisions(data, max_false_alarms)
    known = np.flatnonzero(~np.isnan(decided))
    labels = [int(label) for label in data.label[known]]
    groups = [str(group) for group in data.group[known]]
    ours = [float(flag) for flag in decided[known]]
    default = [default_decisions[row] for row in known]
    scores = score(labels, ours, groups=groups)
    difference = gain(labels, default, ours, groups=groups)
    before = score(labels, default, resamples=0)
    _, interval = choose_threshold(data.mapped(settings.map), data.label, data.group, max_false_alarms)
    numbers = FitReport(
        answers=len(data.p),
        inconsistent=int(data.label.sum()),
        unjudged=unjudged,
        objective="balanced accuracy"
        if max_false_alarms is None
        else f"at most {100 * max_false_alarms:g} % false alarms",
        balanced_accuracy=scores.balanced_accuracy or 0.0,
        interval=_pair(scores.balanced_accuracy_ci),
        false_alarms=1.0 - (scores.specificity or 0.0),
        found=scores.recall or 0.0,
        default_balanced_accuracy=before.balanced_accuracy or 0.0,
        gain=difference.value or 0.0,
        gain_interval=_pair(difference.interval),
        threshold_interval=interval,
        enough=False,
        summary="",
        data_sha256=data_sha256,
    )
    numbers = replace(numbers, enough=is_enough(numbers))
    return replace(numbers, summary=summary(numbers, settings))


def _pair(interval: Any) -> tuple[float, float]:
    return (0.0, 1.0) if interval is None else (interval.low, interval.high)
