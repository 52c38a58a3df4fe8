"""Fit the weights of `Support` for the bundled verifier on the answers of the dev sets, cross-validated.

    python -m tests.benchmarks.fit_answers [--data PATH] [--cache FILE]

Each answer of BEGIN (Wizard) dev and of the dev summaries is taken apart by the local pipeline. The weights minimise
the log loss of the answer (its least supported claim, each claim by its best window), both classes and both sets
weighing the same. Prints the weights, and balanced accuracy and AUC of the verifier alone, of the weights in use, of
the fit on its own data, and of the fit on each set cross-validated over its contexts (what is quoted).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from grapheval import GraphEval
from grapheval.bench.metrics import score
from grapheval.protocols import Pair
from grapheval.verification.support import BUNDLED, ClaimWording, log_odds
from tests.benchmarks.data import DEFAULT, DEV, labelled

NAMES = ("model", "words", "pairs", "number", "names", "negation")
PRIOR = np.array([0.5, 0.5, 0.5, -0.5, -0.5, -0.5])
"""Where the weights are pulled to, gently: every feature counts a little, in the direction that its name says."""
STARTS = ([0.5, 1.0, 0.5, -0.5, -0.5, -1.0, 0.0], [1.0, 0.2, 0.2, -0.3, -0.3, -0.3, 0.0])
FOLDS = 4

Answer = dict[str, Any]
"""`label`, `group`, and `claims`: for each claim, for each of its windows, the features in the order of `NAMES`."""


def collect(data: Path) -> dict[str, list[Answer]]:
    """The dev answers with the features of their claims; an answer without claims has none."""
    pipeline = GraphEval.local()
    verifier = pipeline.verifier
    made: dict[str, list[Answer]] = {}
    for name in DEV:
        items = labelled(name, data)
        made[name] = []
        extractions = pipeline.extractor.extract([item.sample for item in items])
        for item, extraction in zip(items, extractions, strict=True):
            found = pipeline.selector.select(
                extraction.claims, item.sample.sources, verifier.count_tokens, verifier.info
            )
            claims = []
            for claim, windows in zip(extraction.claims, found.windows, strict=True):
                wording = ClaimWording(claim.text)
                judged = verifier.verify([Pair(window.text, claim.text) for window in windows])
                rows = []
                for window, judgement in zip(windows, judged, strict=True):
                    w = wording.against(window.text)
                    if judgement.p_entailment is not None:
                        rows.append([log_odds(judgement.p_entailment), w.words, w.pairs, w.number, w.names, w.negation])
                if rows:
                    claims.append(rows)
            made[name].append({"label": item.label, "group": item.group, "claims": claims})
    return made


def support(answer: Answer, weights: Any) -> float:
    """The log odds that an answer's least supported claim is supported."""
    return min(max(float(np.dot(weights[:-1], row)) + weights[-1] for row in claim) for claim in answer["claims"])


def fit(sets: list[list[Answer]]) -> Any:
    """Weights, bias last."""
    from scipy.optimize import minimize

    judged = [[answer for answer in answers if answer["claims"]] for answers in sets]
    packed = [[[np.array(claim) for claim in answer["claims"]] for answer in answers] for answers in judged]
    labels = [np.array([answer["label"] for answer in answers]) for answers in judged]

    def loss(weights: Any) -> float:
        total = 0.0
        for answers, truth in zip(packed, labels, strict=True):
            odds = np.array([min((claim @ weights[:-1]).max() for claim in answer) for answer in answers]) + weights[-1]
            each = np.logaddexp(0, np.where(truth == 1, odds, -odds))
            total += 0.5 * float(each[truth == 1].mean() + each[truth == 0].mean())
        return total / len(packed) + 0.02 * float(np.sum((weights[:-1] - PRIOR) ** 2))

    runs = [minimize(loss, start, method="Powell", options={"maxiter": 6, "maxfev": 1500}) for start in STARTS]
    return min(runs, key=lambda run: float(run.fun)).x


def probabilities(answers: list[Answer], weights: Any) -> list[float | None]:
    """P(inconsistent) of each answer; None where nothing was judged."""
    return [float(1 / (1 + np.exp(support(a, weights)))) if a["claims"] else None for a in answers]


def figures(answers: list[Answer], found: list[float | None]) -> str:
    """Balanced accuracy and AUC, in per cent; what was not judged counts as wrong."""
    scores = score([answer["label"] for answer in answers], found, resamples=0)
    assert scores.balanced_accuracy is not None
    assert scores.auc is not None
    return f"{100 * scores.balanced_accuracy:.1f} / {100 * scores.auc:.1f}"


def cross_validated(answers: list[Answer], others: list[list[Answer]]) -> list[float | None]:
    """Each answer's probability by weights that were fitted without its fold's contexts."""
    from sklearn.model_selection import StratifiedGroupKFold

    truth = [answer["label"] for answer in answers]
    groups = [answer["group"] for answer in answers]
    found: list[float | None] = [None] * len(answers)
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(truth, truth, groups):
        weights = fit([[answers[i] for i in train], *others])
        for i, p in zip(test, probabilities([answers[i] for i in test], weights), strict=True):
            found[i] = p
    return found


def main() -> None:
    """Fit and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--cache", type=Path, help="keep the features here")
    given = parser.parse_args()
    if given.cache and given.cache.exists():
        sets = json.loads(given.cache.read_text(encoding="utf-8"))
    else:
        sets = collect(given.data)
        if given.cache:
            given.cache.write_text(json.dumps(sets), encoding="utf-8")
    weights = fit(list(sets.values()))
    print("Support(" + ", ".join(f"{n}={w:.2f}" for n, w in zip((*NAMES, "bias"), weights, strict=True)) + ")")
    alone = np.array([1.0] + [0.0] * len(NAMES))
    used = np.array([getattr(BUNDLED, name) for name in (*NAMES, "bias")])
    for name, answers in sets.items():
        others = [other for key, other in sets.items() if key != name]
        print(
            f"{name} ({len(answers)} answers): verifier alone {figures(answers, probabilities(answers, alone))}; "
            f"in use {figures(answers, probabilities(answers, used))}; "
            f"fit {figures(answers, probabilities(answers, weights))}; "
            f"cross-validated {figures(answers, cross_validated(answers, others))}"
        )


if __name__ == "__main__":
    main()
