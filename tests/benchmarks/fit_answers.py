"""Fit the weights of `Support` for the bundled verifier on the answers of the dev sets, cross-validated.

    python -m tests.benchmarks.fit_answers [--data PATH] [--cache FOLDER] [--folds N] [--no-carry]

Each answer of BEGIN (Wizard) dev, of the dev summaries and of Falke's sentences is taken apart by the local pipeline
(with `--cache`, once for each version of the model). The weights minimise
the log loss of the answers' probabilities as the pipeline gives them: each claim by its best window, the answer by its
worst claim. In each domain both classes weigh the same. The weights are pulled gently to a prior that lets
every feature count in the direction that its name says, and may not change that direction: differences in polarity and
roles are too rare in the dev sets to be fitted.

Prints the weights to be written into `grapheval.verification.support`; then balanced accuracy at 0.5 and AUC of the
verifier alone, of the weights in use, of the fit cross-validated over contexts (what is quoted), and of fits that never
saw the domain they are tried on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grapheval.bench.metrics import score
from grapheval.verification.support import BUNDLED, FEATURES, ClaimWording, log_odds
from grapheval.verification.surroundings import surroundings
from tests.benchmarks.data import DEFAULT
from tests.benchmarks.dev_answers import DevAnswer, read

NAMES = ("model", *FEATURES)
PRIOR = {
    "model": 0.5,
    "words": 0.5,
    "pairs": 0.5,
    "absent": -0.5,
    "sentence": 0.5,
    "nowhere": -0.5,
    "together": 0.5,
    "strange_name": -1.0,
    "strange_number": -1.0,
    "number": -0.7,
    "instead": -1.2,
    "names": -0.5,
    "negation": -1.0,
    "modality": -1.7,
    "opposite": -1.5,
    "roles": -1.5,
}
PULL = 0.01
TEMPERATURE = 0.02
"""Next to the maximum, and with a gradient."""
COUNTS = {"begin-wow": 1.0, "summaries": 1.0, "falke19": 0.25}
"""What each set counts for. Falke's are single sentences of which half were picked for being wrong, so they count less;
without them next to nothing is flagged that repeats its source almost word for word."""
LEAST_OF_A_CLASS = 5
"""A domain with fewer answers of a class weighs nothing by itself."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Answers as arrays.

    Args:
        rows: Features of each window of each claim, and a 1 for the bias, (windows, features + 1).
        first_row: The first row of each claim.
        first_claim: The first claim of each answer that has any.
        judged: The positions of these answers.
        labels: 1 = inconsistent, of all answers.
        domains: Of all answers.
        groups: Of all answers.
    """

    rows: Any
    first_row: Any
    first_claim: Any
    judged: Any
    labels: Any
    domains: Any
    groups: list[str]


def features(answer: DevAnswer) -> list[Any]:
    """For each claim that was judged, its windows' features in the order of `NAMES`."""
    claims = []
    for each in answer.claims:
        wording = ClaimWording(each.claim)
        known = [(w, j.p_entailment) for w, j in zip(each.windows, each.judgements, strict=True)]
        known = [(window, p) for window, p in known if p is not None]
        passages = [passage for window, _ in known for passage in window.passages]
        around = surroundings(passages, answer.sample.sources)
        mismatches = [wording.explicit.against(window.text) for window, _ in known]
        found = wording.among(mismatches, around, answer.sample.sources) if known else []
        rows = [
            [log_odds(p), *(getattr(one, name) for name in FEATURES), 1.0]
            for (_, p), one in zip(known, found, strict=True)
            if p is not None
        ]
        if rows:
            claims.append(np.array(rows))
    return claims


def pack(answers: Sequence[DevAnswer], made: Sequence[list[Any]]) -> Packed:
    """Answers with their features as arrays."""
    claims = [claim for each in made for claim in each]
    counts = [len(each) for each in made if each]
    return Packed(
        rows=np.vstack(claims),
        first_row=np.concatenate([[0], np.cumsum([len(claim) for claim in claims])[:-1]]).astype(int),
        first_claim=np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(int),
        judged=np.array([number for number, each in enumerate(made) if each]),
        labels=np.array([answer.label for answer in answers]),
        domains=np.array([answer.domain for answer in answers]),
        groups=[answer.group for answer in answers],
    )


def forward(packed: Packed, weights: Any) -> tuple[Any, Any]:
    """The log odds of support of each judged answer, and their gradients."""
    rows = packed.rows @ weights
    claims = np.maximum.reduceat(rows, packed.first_row)
    sizes = np.diff(np.append(packed.first_row, len(rows)))
    hits = np.flatnonzero(rows == np.repeat(claims, sizes))
    _, first = np.unique(np.repeat(np.arange(len(claims)), sizes)[hits], return_index=True)
    best = packed.rows[hits[first]]
    counts = np.diff(np.append(packed.first_claim, len(claims)))
    least = np.minimum.reduceat(claims, packed.first_claim)
    shares = np.exp(-(claims - np.repeat(least, counts)) / TEMPERATURE)
    sums = np.add.reduceat(shares, packed.first_claim)
    answers = least - TEMPERATURE * np.log(sums / counts)
    shares /= np.repeat(sums, counts)
    return answers, np.add.reduceat(shares[:, None] * best, packed.first_claim, axis=0)


def importance(packed: Packed) -> Any:
    """What each answer weighs: within each domain both classes the same.

    Not over the set as a whole: summaries of XSum are mostly wrong and those of CNN/DM mostly right, so weights that
    tell the one kind of text from the other look well on the whole set and flag next to nothing in new text.
    """
    total = np.zeros(len(packed.labels))
    domains = [packed.domains == name for name in np.unique(packed.domains)]
    usable = [cell for cell in domains if min((packed.labels[cell] == k).sum() for k in (0, 1)) >= LEAST_OF_A_CLASS]
    for cell in usable:
        for k in (0, 1):
            members = cell & (packed.labels == k)
            total[members] += 0.5 / members.sum() / len(usable)
    return total


def fit(sets: Sequence[tuple[Packed, float]]) -> Any:
    """Weights in the order of `NAMES`, bias last, for sets with what each of them counts for."""
    from scipy.optimize import minimize

    prior = np.array([*(PRIOR[name] for name in NAMES), 0.0])
    pull = np.array([PULL] * len(NAMES) + [0.0])
    whole = sum(count for _, count in sets)
    weighed = [(packed, count / whole * importance(packed)) for packed, count in sets]

    def loss(weights: Any) -> tuple[float, Any]:
        total = float((pull * (weights - prior) ** 2).sum())
        slope = 2 * pull * (weights - prior)
        for packed, counts in weighed:
            odds, gradients = forward(packed, weights)
            signs = np.where(packed.labels[packed.judged] == 1, 1.0, -1.0)
            own = counts[packed.judged]
            total += float((own * np.logaddexp(0, signs * odds)).sum())
            slope = slope + gradients.T @ (own * signs / (1 + np.exp(-signs * odds)))
        return total, slope

    bounds = [(0.0, None) if value > 0 else (None, 0.0) for value in prior[:-1]] + [(None, None)]
    return minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200}).x


def probabilities(packed: Packed, weights: Any) -> Any:
    """P(inconsistent) of each answer; NaN where nothing was judged."""
    found = np.full(len(packed.labels), np.nan)
    found[packed.judged] = 1 / (1 + np.exp(forward(packed, weights)[0]))
    return found


def figures(labels: Any, found: Any) -> str:
    """Balanced accuracy and AUC, in per cent; what was not judged counts as wrong."""
    given = [None if np.isnan(value) else float(value) for value in found]
    scores = score([int(label) for label in labels], given, resamples=0)
    if scores.balanced_accuracy is None or scores.auc is None:
        return "–"
    return f"{100 * scores.balanced_accuracy:.1f} / {100 * scores.auc:.1f}"


class Sets:
    """The dev sets with their features.

    Args:
        data: Where the data lies.
        cache: Folder for the verifier's judgements.
    """

    def __init__(self, data: Path, cache: Path | None) -> None:
        self.answers = {name: read(name, data, cache) for name in COUNTS}
        self.made = {name: [features(answer) for answer in answers] for name, answers in self.answers.items()}

    def packed(self, name: str, keep: Sequence[int] | None = None) -> Packed:
        """A set, or some of its answers."""
        chosen = range(len(self.answers[name])) if keep is None else keep
        return pack([self.answers[name][i] for i in chosen], [self.made[name][i] for i in chosen])

    def domain(self, name: str, domain: str) -> Packed:
        """The answers of one domain."""
        return self.packed(name, [i for i, answer in enumerate(self.answers[name]) if answer.domain == domain])

    def cross_validated(self, name: str, others: Sequence[tuple[Packed, float]], folds: int) -> Any:
        """Each answer's probability by weights that were fitted without its fold's contexts."""
        from sklearn.model_selection import StratifiedGroupKFold

        whole = self.packed(name)
        found = np.full(len(whole.labels), np.nan)
        split = StratifiedGroupKFold(folds, shuffle=True, random_state=0)
        for train, test in split.split(whole.labels, whole.labels, whole.groups):
            weights = fit([(self.packed(name, list(train)), COUNTS[name]), *others])
            found[test] = probabilities(self.packed(name, list(test)), weights)
        return found


def report(sets: Sets, folds: int, *, carry: bool) -> None:
    """Print weights and figures."""
    whole = {name: sets.packed(name) for name in COUNTS}
    weights = fit([(packed, COUNTS[name]) for name, packed in whole.items()])
    listed = ", ".join(f"{name}={value:.2f}" for name, value in zip((*NAMES, "bias"), weights, strict=True))
    print(f"BUNDLED = Support({listed})\n")
    alone = np.array([1.0] + [0.0] * (len(NAMES)))
    used = np.array([getattr(BUNDLED, name) for name in (*NAMES, "bias")])
    print(
        "| balanced accuracy / AUC | n | verifier alone | in use | fit | cross-validated |\n|---|---|---|---|---|---|"
    )
    for name, packed in whole.items():
        others = [(other, COUNTS[key]) for key, other in whole.items() if key != name]
        crossed = sets.cross_validated(name, others, folds)
        parts = {name: np.ones(len(packed.labels), bool)}
        parts |= {f"– {domain}": packed.domains == domain for domain in np.unique(packed.domains)}
        for title, part in parts.items():
            if len(parts) == 2 and title != name:
                continue
            columns = [*(probabilities(packed, each) for each in (alone, used, weights)), crossed]
            row = " | ".join(figures(packed.labels[part], column[part]) for column in columns)
            print(f"| {title} | {part.sum()} | {row} |")
    if carry:
        print("\n| fitted on | tried on | balanced accuracy / AUC |\n|---|---|---|")
        begin, summaries = whole["begin-wow"], whole["summaries"]
        news, short = sets.domain("summaries", "cliff-cnndm"), sets.domain("summaries", "cliff-xsum")
        tried = [("BEGIN", begin, "summaries", summaries), ("summaries", summaries, "BEGIN", begin)]
        tried += [("CLIFF, CNN/DM", news, "CLIFF, XSum", short), ("CLIFF, XSum", short, "CLIFF, CNN/DM", news)]
        for first, one, second, other in tried:
            print(f"| {first} | {second} | {figures(other.labels, probabilities(other, fit([(one, 1.0)])))} |")


def main() -> None:
    """Fit and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--cache", type=Path, help="keep what the verifier says in this folder")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--no-carry", action="store_true", help="leave out the fits across domains")
    given = parser.parse_args()
    report(Sets(given.data, given.cache), given.folds, carry=not given.no_carry)


if __name__ == "__main__":
    main()
