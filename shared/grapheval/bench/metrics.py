"""Scores of a detector and of a repair, and how sure they are.

Label 1 = inconsistent, and that is the positive class: precision and recall are those of finding hallucinations. An
answer that was not judged (no probability) counts as wrong, whatever its label: as a wrong prediction, and at the
worst end of the ranking for AUC.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grapheval.errors import InputError
from grapheval.extras import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

THRESHOLD = 0.5
"""The paper's: a probability above it means inconsistent."""

RESAMPLES = 1000
SEED = 0
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A bootstrap confidence interval (percentile, 95 %)."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """How well probabilities of being inconsistent fit people's labels; shares in [0, 1].

    Args:
        n: Answers.
        inconsistent: Answers that people call inconsistent.
        unjudged: Answers without a probability, counted as wrong.
        balanced_accuracy: Mean of the recalls of the two classes; None when there is only one class.
        balanced_accuracy_ci: Its interval.
        auc: Area under the ROC curve; None when there is only one class.
        auc_ci: Its interval.
        precision: Share of the answers called inconsistent that are; None when none was called so.
        recall: Share of the inconsistent answers that were called so; None when there is none.
        specificity: Share of the consistent answers that were called so; None when there is none.
    """

    n: int
    inconsistent: int
    unjudged: int
    balanced_accuracy: float | None
    balanced_accuracy_ci: Interval | None
    auc: float | None
    auc_ci: Interval | None
    precision: float | None
    recall: float | None
    specificity: float | None


@dataclass(frozen=True, slots=True)
class Gain:
    """Balanced accuracy of one detector over another's on the same answers; differences of shares.

    Args:
        value: Difference; None when there is only one class.
        interval: Paired bootstrap: both detectors see the same resampled answers.
    """

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Rouge:
    """F1 of ROUGE-1, ROUGE-2 and ROUGE-L between an answer and its repair, in [0, 1]: higher = less was touched."""

    rouge1: float
    rouge2: float
    rouge_l: float


def score(
    labels: Sequence[int],
    probabilities: Sequence[float | None],
    *,
    groups: Sequence[str] | None = None,
    threshold: float = THRESHOLD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Scores:
    """Score a detector.

    Args:
        labels: 1 = inconsistent, 0 = consistent.
        probabilities: Of being inconsistent, in [0, 1]; None = not judged.
        groups: Answers that belong together (to the same context) are resampled together: SummEval has sixteen
            answers per article, which are not independent. None = each answer for itself.
        threshold: A probability above it means inconsistent.
        resamples: Bootstrap size; 0 = no intervals.
        seed: Of the bootstrap.

    Raises:
        InputError: Lengths differ, or a value is out of range.
        MissingExtraError: scikit-learn is not installed (extra `bench`).
    """
    metrics: Any = require("sklearn.metrics", extra="bench")
    truth, called, ranks = _arrays(labels, probabilities, threshold)
    positives = int(truth.sum())
    both = 0 < positives < len(truth)
    weights = _weights(groups or [str(i) for i in range(len(truth))], resamples, seed) if both else None
    return Scores(
        n=len(truth),
        inconsistent=positives,
        unjudged=sum(p is None for p in probabilities),
        balanced_accuracy=float(metrics.balanced_accuracy_score(truth, called)) if both else None,
        balanced_accuracy_ci=None if weights is None else _interval(_balanced(truth, called, weights)),
        auc=float(metrics.roc_auc_score(truth, ranks)) if both else None,
        auc_ci=None if weights is None else _interval(_aucs(truth, ranks, weights)),
        precision=float(metrics.precision_score(truth, called)) if called.any() else None,
        recall=float(metrics.recall_score(truth, called)) if positives else None,
        specificity=float(metrics.recall_score(truth, called, pos_label=0)) if positives < len(truth) else None,
    )


def gain(
    labels: Sequence[int],
    base: Sequence[float | None],
    ours: Sequence[float | None],
    *,
    groups: Sequence[str] | None = None,
    threshold: float = THRESHOLD,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Gain:
    """Balanced accuracy of `ours` minus that of `base`, with a paired bootstrap interval; arguments as of `score`."""
    metrics: Any = require("sklearn.metrics", extra="bench")
    truth, called_base, _ = _arrays(labels, base, threshold)
    _, called_ours, _ = _arrays(labels, ours, threshold)
    if not 0 < int(truth.sum()) < len(truth):
        return Gain(None, None)
    value = metrics.balanced_accuracy_score(truth, called_ours) - metrics.balanced_accuracy_score(truth, called_base)
    weights = _weights(groups or [str(i) for i in range(len(truth))], resamples, seed)
    if weights is None:
        return Gain(float(value), None)
    return Gain(
        float(value), _interval(_balanced(truth, called_ours, weights) - _balanced(truth, called_base, weights))
    )


def weighted_gain(gains: Sequence[float], sizes: Sequence[int]) -> tuple[float, float | None]:
    """Mean of the gains weighted by the sizes of the sets, and its standard error over the sets.

    The standard error is the standard deviation of the gains (divisor k) over the root of k, unweighted: the reading
    that reproduces the paper's own 6.2 points with SE 1.3 from its table 2.

    Returns:
        Mean and standard error; the latter is None for a single set.

    Raises:
        InputError: There are no gains, or lengths differ.
    """
    if not gains or len(gains) != len(sizes) or sum(sizes) <= 0:
        msg = "a weighted gain needs one size for each of at least one gain"
        raise InputError(msg)
    mean = sum(g * n for g, n in zip(gains, sizes, strict=True)) / sum(sizes)
    if len(gains) < 2:
        return mean, None
    centre = sum(gains) / len(gains)
    return mean, math.sqrt(sum((g - centre) ** 2 for g in gains) / len(gains)) / math.sqrt(len(gains))


def rouge(original: str, repaired: str) -> Rouge:
    """ROUGE between an answer and its repair (rouge-score, without stemming).

    Raises:
        MissingExtraError: rouge-score is not installed (extra `bench`).
    """
    scorer: Any = require("rouge_score.rouge_scorer", extra="bench")
    found = scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False).score(original, repaired)
    return Rouge(*(float(found[name].fmeasure) for name in ("rouge1", "rouge2", "rougeL")))


def mean_rouge(found: Sequence[Rouge]) -> Rouge | None:
    """Means of each score, None for none."""
    if not found:
        return None
    total = len(found)
    return Rouge(
        sum(r.rouge1 for r in found) / total,
        sum(r.rouge2 for r in found) / total,
        sum(r.rouge_l for r in found) / total,
    )


def share_interval(hits: Sequence[bool], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval | None:
    """Bootstrap interval of a share of answers; None when there are none."""
    np: Any = require("numpy", extra="bench")
    weights = _weights([str(i) for i in range(len(hits))], resamples, seed) if hits else None
    return None if weights is None else _interval(weights @ np.asarray(hits, dtype=float) / len(hits))


def _arrays(
    labels: Sequence[int], probabilities: Sequence[float | None], threshold: float
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Truth, prediction and rank of each answer; what was not judged is wrong and ranks worst."""
    np: Any = require("numpy", extra="bench")
    if not labels or len(labels) != len(probabilities):
        msg = f"{len(labels)} labels and {len(probabilities)} probabilities: there must be as many, and at least one"
        raise InputError(msg)
    if any(label not in (0, 1) for label in labels):
        msg = "labels must be 0 or 1"
        raise InputError(msg)
    if any(p is not None and not 0 <= p <= 1 for p in probabilities):
        msg = "probabilities must lie in [0, 1]"
        raise InputError(msg)
    pairs = list(zip(labels, probabilities, strict=True))
    called = [(1 - label) if p is None else int(p > threshold) for label, p in pairs]
    ranks = [(-1.0 if label else 2.0) if p is None else p for label, p in pairs]
    return np.asarray(labels), np.asarray(called), np.asarray(ranks)


def _weights(groups: Sequence[str], resamples: int, seed: int) -> NDArray[Any] | None:
    """How often each answer is drawn in each resample (resamples x answers), whole groups at a time."""
    np: Any = require("numpy", extra="bench")
    if resamples <= 0:
        return None
    names, member = np.unique(np.asarray(groups), return_inverse=True)
    drawn = np.random.default_rng(seed).multinomial(len(names), [1 / len(names)] * len(names), size=resamples)
    weights: NDArray[Any] = drawn[:, member].astype(float)
    return weights


def _balanced(truth: NDArray[Any], called: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Balanced accuracy of every resample; NaN where a class is absent."""
    np: Any = require("numpy", extra="bench")
    recalls = []
    for label in (0, 1):
        here = weights * (truth == label)
        with np.errstate(invalid="ignore"):
            recalls.append((here * (called == label)).sum(axis=1) / here.sum(axis=1))
    mean: NDArray[Any] = (recalls[0] + recalls[1]) / 2
    return mean


def _aucs(truth: NDArray[Any], ranks: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """AUC of every resample; NaN where a class is absent."""
    np: Any = require("numpy", extra="bench")
    _, level = np.unique(ranks, return_inverse=True)
    found = []
    for row in weights:
        negatives = np.bincount(level, row * (truth == 0), minlength=level.max() + 1)
        positives = np.bincount(level, row * (truth == 1), minlength=level.max() + 1)
        below = np.concatenate([[0.0], np.cumsum(negatives)[:-1]])
        pairs = positives.sum() * negatives.sum()
        found.append((positives * (below + negatives / 2)).sum() / pairs if pairs else float("nan"))
    return np.asarray(found)  # type: ignore[no-any-return]


def _interval(values: NDArray[Any]) -> Interval | None:
    np: Any = require("numpy", extra="bench")
    kept = values[~np.isnan(values)]  # resamples in which a class is absent say nothing
    if not len(kept):
        return None
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(kept, [tail, 1 - tail])
    return Interval(float(low), float(high))
