"""The maps that may be fitted, simplest first, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grapheval.calibration.maps import IsotonicMap, LogisticMap, logit
from grapheval.calibration.settings import AnyMap
from grapheval.extras import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
SEED = 0
ISOTONIC_ANSWERS = 200
"""Fewer answers than this say too little about the shape of a curve."""
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Observed:
    """What the pipeline said about labelled answers, and what people said.

    Args:
        p: `p_inconsistent` of each answer, in [0, 1].
        claims: Claims of each answer, at least 1.
        label: 1 = inconsistent.
        group: Number of the group of answers that share their contexts.
    """

    p: NDArray[Any]
    claims: NDArray[Any]
    label: NDArray[Any]
    group: NDArray[Any]

    def take(self, rows: NDArray[Any]) -> Observed:
        """Some of the answers."""
        return Observed(self.p[rows], self.claims[rows], self.label[rows], self.group[rows])

    def mapped(self, by: AnyMap | None) -> NDArray[Any]:
        """The answers' probabilities on the scale of a map."""
        np: Any = require("numpy", extra="calibrate")
        if by is None:
            return self.p
        pairs = zip(self.p, self.claims, strict=True)
        return np.array([by.apply(float(p), int(claims)) for p, claims in pairs])  # type: ignore[no-any-return]


def folds(data: Observed) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Rows to fit on and rows to judge: groups stay together, both classes are in every part where that is possible."""
    np: Any = require("numpy", extra="calibrate")
    selection: Any = require("sklearn.model_selection", extra="calibrate")
    least = min(int(n) for n in np.bincount(data.label, minlength=2))
    parts = max(2, min(FOLDS, least, len(np.unique(data.group))))
    splitter = selection.StratifiedGroupKFold(parts, shuffle=True, random_state=SEED)
    for train, test in splitter.split(data.p, data.label, data.group):
        if len(np.unique(data.label[train])) == 2:
            yield train, test


def logistic(data: Observed, *, by_claims: bool) -> LogisticMap | None:
    """Platt's map; None where the data ask for one that is not monotone."""
    np: Any = require("numpy", extra="calibrate")
    linear: Any = require("sklearn.linear_model", extra="calibrate")
    columns = [[logit(float(p)) for p in data.p]]
    if by_claims:
        columns.append([float(x) for x in np.log(data.claims)])
    model = linear.LogisticRegression(C=10.0, max_iter=1000).fit(np.array(columns).T, data.label)
    slope, *rest = (float(weight) for weight in model.coef_[0])
    per_log_claims = rest[0] if rest else 0.0
    if slope <= 0 or (by_claims and per_log_claims >= 0):
        return None
    return LogisticMap(slope, float(model.intercept_[0]), per_log_claims)


def isotonic(data: Observed) -> IsotonicMap | None:
    """The rising line that fits best; None where there are too few answers or it would be flat."""
    isotonic_module: Any = require("sklearn.isotonic", extra="calibrate")
    n = len(data.p)
    if n < ISOTONIC_ANSWERS:
        return None
    edge = 1.0 / (n + 2)  # never quite sure
    model = isotonic_module.IsotonicRegression(y_min=edge, y_max=1.0 - edge, out_of_bounds="clip")
    model.fit(data.p, data.label)
    x, y = (tuple(float(v) for v in values) for values in (model.X_thresholds_, model.y_thresholds_))
    return IsotonicMap(x, y) if len(x) >= 2 else None


def fitted(data: Observed) -> list[AnyMap | None]:
    """One of each kind, simplest first; None for the identity, and for a kind that the data do not allow."""
    return [None, logistic(data, by_claims=False), logistic(data, by_claims=True), isotonic(data)]


def choose(data: Observed) -> AnyMap | None:
    """The simplest map than which none is better by more than chance: cross-validated log loss, one standard error.

    Returns:
        The map, fitted on all of the data; None where the probabilities are best left as they are.
    """
    np: Any = require("numpy", extra="calibrate")
    losses: list[Any] = [np.full(len(data.p), np.nan) for _ in range(4)]
    for train, test in folds(data):
        part, held_out = data.take(train), data.take(test)
        for kind, by in enumerate(fitted(part)):
            if kind == 0 or by is not None:
                losses[kind][test] = _loss(held_out.mapped(by), held_out.label)
    whole = fitted(data)
    best = 0
    for kind in range(1, 4):
        if whole[kind] is None:
            continue
        better = losses[best] - losses[kind]
        known = better[~np.isnan(better)]
        if len(known) and known.mean() > known.std() / np.sqrt(len(known)):
            best = kind
    return whole[best]


def _loss(p: NDArray[Any], label: NDArray[Any]) -> NDArray[Any]:
    np: Any = require("numpy", extra="calibrate")
    p = np.clip(p, _LEAST, 1.0 - _LEAST)
    return -np.log(np.where(label == 1, p, 1.0 - p))  # type: ignore[no-any-return]
