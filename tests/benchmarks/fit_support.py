"""Fit the weights of `Support` for the bundled verifier, on development data.

    python -m tests.benchmarks.fit_support [--data PATH] [--model FOLDER] [--stride N] [--cache FILE]

Rows: NLI dev pairs of Wikipedia and dialogue (FM2, ConjNLI, BEGIN), the Falke'19 pairs, and the claims of the dev
summaries with their best windows: a claim of a consistent summary is supported, one that holds the words that the
annotators marked is not, the others of an inconsistent summary are left out. Every set weighs the same, and within a
set both classes. Prints the weights, and for each set the balanced accuracy and the area under the curve of the
model alone, of the fit, and of the fit without that set (does it carry over?).
"""

from __future__ import annotations

import argparse
import ast
import json
import random
from pathlib import Path
from typing import Any

from grapheval.context.selector import HybridSelector
from grapheval.protocols import Pair
from grapheval.types import Source
from grapheval.verification.bundled import MODEL_FOLDER, BundledVerifier
from grapheval.verification.support import ClaimWording, log_odds
from tests.benchmarks.data import DEFAULT, rows
from tests.benchmarks.long_context import sentence_claims

NAMES = ("model", "words", "pairs", "number", "names", "negation")
Row = tuple[str, list[str], str, int]
"""Set, windows, claim, 1 = supported."""


def collect(data: Path, verifier: BundledVerifier, stride: int) -> list[Row]:
    """The labelled claims with their windows."""
    found: list[Row] = [
        (row["source"], [row["premise"]], row["hypothesis"], int(row["label"] == "entailment"))
        for row in rows("nli/pairs", data)
        if row["split"] == "dev" and row["source"] in {"fm2", "conjnli", "begin-wow"}
    ]
    found += [
        ("falke19", [r["premise"]], r["hypothesis"], int(r["label"] == "entailment"))
        for r in rows("factuality/falke19_pairs", data)
    ]
    # Pairs of a kind alternate in some sets: a stride would take only one of them.
    chance = random.Random(5)
    found = chance.sample(found, len(found) // stride)
    for row in rows("factuality/summaries", data)[::stride]:
        claims = sentence_claims(row["output"])
        selected = HybridSelector().select(claims, [Source(row["context"], "1")], verifier.count_tokens, verifier.info)
        spans = [span for span in _marked(row["annotated_span"]) if span]
        for claim, windows in zip(claims, selected.windows, strict=True):
            consistent = row["error_type"] in {"correct", ""}
            wrong = any(span in claim.text for span in spans) or len(claims) == 1
            if consistent or wrong:
                found.append(("summaries", [w.text for w in windows], claim.text, int(consistent)))
    return found


def _marked(value: Any) -> list[str]:
    """The marked words; the set writes them as the text of a list."""
    if not value:
        return []
    try:
        read = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError):
        read = [value]
    return [str(item) for item in read] if isinstance(read, list | tuple) else [str(read)]


def features(found: list[Row], verifier: BundledVerifier, cache: Path | None) -> list[list[list[float]]]:
    """For each row, for each window, the features in the order of `NAMES`."""
    known: dict[str, float] = json.loads(cache.read_text(encoding="utf-8")) if cache and cache.exists() else {}

    def key(premise: str, claim: str) -> str:
        return f"{verifier.info.version}\n{premise}\n{claim}"

    todo = [Pair(w, claim) for _, windows, claim, _ in found for w in windows if key(w, claim) not in known]
    for start in range(0, len(todo), 200):
        part = todo[start : start + 200]
        for pair, judgement in zip(part, verifier.verify(part), strict=True):
            p = judgement.p_entailment
            known[key(pair.premise, pair.hypothesis)] = 0.5 if p is None else p
        if cache:
            cache.write_text(json.dumps(known), encoding="utf-8")
    made = []
    for _, windows, claim, _ in found:
        wording = ClaimWording(claim)
        row = []
        for window in windows:
            w = wording.against(window)
            row.append([log_odds(known[key(window, claim)]), w.words, w.pairs, w.number, w.names, w.negation])
        made.append(row)
    return made


def fit(found: list[Row], made: list[list[list[float]]], left_out: str = "") -> tuple[list[float], float]:
    """Weights and bias: logistic regression on each row's best window, which is found anew in each of a few rounds."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    used = [i for i, row in enumerate(found) if row[0] != left_out]
    labels = np.array([found[i][3] for i in used])
    groups = [(found[i][0], found[i][3]) for i in used]
    weights = np.array([1.0 / groups.count(group) for group in groups])
    weights *= len(used) / weights.sum()
    coefficients = np.array([1.0, 3.0, 3.0, 0.0, 0.0, 0.0])
    bias = 0.0
    for _ in range(4):
        best = np.array([max(made[i], key=lambda row: float(np.dot(coefficients, row))) for i in used])
        model = LogisticRegression(C=10.0, max_iter=1000).fit(best, labels, sample_weight=weights)
        coefficients, bias = model.coef_[0], float(model.intercept_[0])
    return [float(value) for value in coefficients], bias


def report(found: list[Row], made: list[list[list[float]]]) -> None:
    """Print what the fit gives on each set."""
    import numpy as np
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    coefficients, bias = fit(found, made)
    print(
        "Support(" + ", ".join(f"{n}={c:.2f}" for n, c in zip(NAMES, coefficients, strict=True)) + f", bias={bias:.2f})"
    )
    for name in sorted({row[0] for row in found}):
        own = [i for i, row in enumerate(found) if row[0] == name]
        labels = [found[i][3] for i in own]
        variants = {
            "model": ([1.0] + [0.0] * (len(NAMES) - 1), 0.0),
            "fit": (coefficients, bias),
            "fit without": fit(found, made, left_out=name),
        }
        line = f"  {name} ({len(own)} claims):"
        for title, (weights, offset) in variants.items():
            scores = [max(float(np.dot(weights, row)) + offset for row in made[i]) for i in own]
            accuracy = balanced_accuracy_score(labels, [score > 0 for score in scores])
            line += f" {title} {100 * accuracy:.1f} / {100 * roc_auc_score(labels, scores):.1f};"
        print(line)


def main() -> None:
    """Fit and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--model", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--stride", type=int, default=1, help="use every n-th row")
    parser.add_argument("--cache", type=Path, default=None, help="keep the model's judgements here")
    arguments = parser.parse_args()
    verifier = BundledVerifier(arguments.model)
    found = collect(arguments.data, verifier, arguments.stride)
    report(found, features(found, verifier, arguments.cache))


if __name__ == "__main__":
    main()
