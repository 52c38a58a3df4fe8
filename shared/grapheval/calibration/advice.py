"""What a calibration came to, in plain sentences, and whether there were enough labelled answers."""

from __future__ import annotations

import math

from grapheval.calibration.maps import IsotonicMap, LogisticMap
from grapheval.calibration.settings import FitReport, Settings

WIDEST = 0.15
"""The widest interval of balanced accuracy with which one can still choose between settings."""
FEWEST = 30
"""The fewest answers of each kind."""


def is_enough(report: FitReport) -> bool:
    """Whether the answers are enough: 30 of each kind, an interval of at most 15 points, and better than chance."""
    low, high = report.interval
    return _rarer(report) >= FEWEST and high - low <= WIDEST and not is_chance(report)


def is_chance(report: FitReport) -> bool:
    """Whether the fitted settings may as well toss a coin."""
    return report.interval[0] <= 0.5


def more_answers(report: FitReport) -> int:
    """About how many further labelled answers it takes, if they are like these; intervals shrink with the root."""
    low, high = report.interval
    by_width = report.answers * max(0.0, ((high - low) / WIDEST) ** 2 - 1.0)
    by_kind = report.answers * max(0.0, FEWEST / max(1, _rarer(report)) - 1.0)
    needed = max(by_width, by_kind)
    return math.ceil(needed / 10) * 10


def summary(report: FitReport, settings: Settings) -> str:
    """Three or four sentences for people."""
    points = 100 * report.gain
    low, high = (100 * value for value in report.gain_interval)
    sentences = [
        f"Fitted on {report.answers:,} labelled answers, {report.inconsistent:,} of them inconsistent"
        + (f" ({report.unjudged:,} more could not be judged)." if report.unjudged else "."),
        _what(settings),
        f"Judged by settings fitted without it, an answer is right {_share(report.balanced_accuracy)} of the time "
        f"(balanced accuracy; 95 %: {_range(report.interval)}); {_share(report.found)} of the inconsistent answers "
        f"are found, {_share(report.false_alarms)} of the consistent ones are flagged.",
        f"Without calibration it is {_share(report.default_balanced_accuracy)}: the difference of {points:+.1f} "
        f"points (95 %: {low:+.1f} to {high:+.1f}) {_sure(report)}.",
    ]
    if report.enough:
        sentences.append("There was enough data to rely on this.")
    elif _rarer(report) >= FEWEST and is_chance(report):
        sentences.append(
            "That may be chance, so do not rely on it: the labels contradict each other, or the pipeline does not see "
            "these errors. Look at some of the labels before you add more."
        )
    else:
        sentences.append(
            "There was not enough data to rely on this: label about "
            f"{more_answers(report):,} more answers like these, so that at least {FEWEST} of each kind are there and "
            f"the interval is at most {100 * WIDEST:.0f} points wide."
        )
    return " ".join(sentences)


def _what(settings: Settings) -> str:
    if settings.map is None:
        return f"Threshold {settings.threshold:.3f}; the probabilities stay as they are, no map was clearly better."
    if isinstance(settings.map, IsotonicMap):
        return f"Threshold {settings.threshold:.3f} on probabilities mapped by an isotonic line."
    return f"Threshold {settings.threshold:.3f} on probabilities mapped by {_logistic(settings.map)}."


def _logistic(by: LogisticMap) -> str:
    return "a logistic curve" + (" that allows for the number of claims" if by.per_log_claims else "")


def _sure(report: FitReport) -> str:
    low, high = report.gain_interval
    if low > 0:
        return "is more than chance"
    return "speaks against these settings" if high < 0 else "may be chance"


def _rarer(report: FitReport) -> int:
    return min(report.inconsistent, report.answers - report.inconsistent)


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _range(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
