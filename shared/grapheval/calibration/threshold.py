"""The choice of a threshold on probabilities that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grapheval.extras import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 200
SEED = 0
_LOWEST, _HIGHEST = 0.01, 0.99


def choose_threshold(
    p: NDArray[Any], label: NDArray[Any], group: NDArray[Any], max_false_alarms: float | None = None
) -> tuple[float, tuple[float, float]]:
    """The threshold that resampled data ask for most steadily.

    Args:
        p: Probabilities of being inconsistent.
        label: 1 = inconsistent; both classes are there.
        group: Answers of one group are drawn together.
        max_false_alarms: At most this share of the consistent answers may be flagged, and as many inconsistent ones
            as that allows; None = balanced accuracy counts.

    Returns:
        The median of the best thresholds of the resamples, kept between 0.01 and 0.99, and 95 % of them.
    """
    np: Any = require("numpy", extra="calibrate")
    values, level = np.unique(p, return_inverse=True)
    between = (values[:-1] + values[1:]) / 2
    cuts = np.concatenate([[values[0] - 1e-6], between, [values[-1]]])
    names, member = np.unique(group, return_inverse=True)
    draws = np.random.default_rng(SEED).multinomial(len(names), [1 / len(names)] * len(names), size=RESAMPLES)
    best = []
    for weights in (np.ones(len(names)), *draws):
        weight = weights[member].astype(float)
        caught = _above(weight * (label == 1), level, len(values))
        alarms = _above(weight * (label == 0), level, len(values))
        if caught is None or alarms is None:
            continue  # a resample without one of the classes says nothing
        if max_false_alarms is None:
            gain = caught - alarms
            top = np.flatnonzero(gain >= gain.max() - 1e-12)
            best.append(float(cuts[top[len(top) // 2]]))
        else:
            best.append(float(cuts[int(np.argmax(alarms <= max_false_alarms + 1e-12))]))
    low, middle, high = np.clip(np.quantile(best, [0.025, 0.5, 0.975]), _LOWEST, _HIGHEST)
    return float(middle), (float(low), float(high))


def _above(weight: NDArray[Any], level: NDArray[Any], levels: int) -> NDArray[Any] | None:
    """Share of the weight that lies above each cut, from the lowest cut on; None for no weight."""
    np: Any = require("numpy", extra="calibrate")
    by_level = np.bincount(level, weight, minlength=levels)
    total = by_level.sum()
    if total <= 0:
        return None
    above: NDArray[Any] = 1.0 - np.concatenate([[0.0], np.cumsum(by_level)]) / total
    return above
