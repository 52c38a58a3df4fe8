"""The choice of a threshold on probabilities that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grapheval.extras import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 100
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
    values, last = np.unique(np.sort(p), return_index=True)
    ends = np.append(last[1:], len(p))  # how many answers lie at or below each value
    cuts = np.concatenate([[values[0] - 1e-6], (values[:-1] + values[1:]) / 2, [values[-1]]])
    names, member = np.unique(group, return_inverse=True)
    draws = np.random.default_rng(SEED).multinomial(len(names), [1 / len(names)] * len(names), size=RESAMPLES)
    order = np.argsort(p, kind="stable")
    weight = np.concatenate([np.ones((1, len(names))), draws])[:, member][:, order]
    caught, alarms = (_above(weight * (label[order] == kind), ends) for kind in (1, 0))
    known = ~np.isnan(caught[:, 0] + alarms[:, 0])  # a resample without one of the classes says nothing
    caught, alarms = caught[known], alarms[known]
    if max_false_alarms is None:
        gain = caught - alarms
        top = gain >= gain.max(axis=1, keepdims=True) - 1e-12
        best = [cuts[places[len(places) // 2]] for places in map(np.flatnonzero, top)]
    else:
        best = cuts[np.argmax(alarms <= max_false_alarms + 1e-12, axis=1)]
    low, middle, high = np.clip(np.quantile(best, [0.025, 0.5, 0.975]), _LOWEST, _HIGHEST)
    return float(middle), (float(low), float(high))


def _above(weight: NDArray[Any], ends: NDArray[Any]) -> NDArray[Any]:
    """Share of each row's weight that lies above each cut, from the lowest cut on; NaN for rows without weight."""
    np: Any = require("numpy", extra="calibrate")
    below = np.concatenate([np.zeros((len(weight), 1)), np.cumsum(weight, axis=1)], axis=1)
    total = below[:, -1:]
    with np.errstate(invalid="ignore", divide="ignore"):
        above: NDArray[Any] = 1.0 - below[:, np.append(0, ends)] / total
    return above
