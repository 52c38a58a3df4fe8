"""The bundled verifier on 200 pairs whose true and false claims are made of the same words.

    python -m tests.benchmarks.same_words [--errors]

Exchanged roles, fused sentences, moved negation: a verifier that counts words gets half of them right. An answer is
right if P(entailment) >= 0.5 for a true claim and below for a false one. The pairs (tests/data) were written and read
by hand; the verifier's training data has none of their sentences.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from grapheval.protocols import Pair
from grapheval.verification.bundled import BundledVerifier

PAIRS = Path(__file__).resolve().parents[1] / "data" / "same_bag_of_words.jsonl"


def rows() -> list[dict[str, str]]:
    """The pairs: kind, premise, claim, label (`entailment` or `not_entailment`)."""
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Print the share of right verdicts, by kind and by label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="the model's folder (default: the package's)")
    parser.add_argument("--errors", action="store_true", help="print the pairs that are judged wrongly")
    arguments = parser.parse_args()
    pairs = rows()
    judged = BundledVerifier(arguments.folder).verify([Pair(r["premise"], r["claim"]) for r in pairs])
    groups: dict[str, list[bool]] = defaultdict(list)
    for row, judgement in zip(pairs, judged, strict=True):
        p = judgement.p_entailment
        right = p is not None and (p >= 0.5) == (row["label"] == "entailment")
        for name in ("all", row["kind"], row["label"]):
            groups[name].append(right)
        if arguments.errors and not right:
            print("?" if p is None else f"{p:.2f}", row["label"], "|", row["claim"], "<<", row["premise"])
    for name, values in groups.items():
        print(f"{name:15} {100 * sum(values) / len(values):5.1f} % right of {len(values)}")


if __name__ == "__main__":
    main()
