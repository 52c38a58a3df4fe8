"""The verifier alone on 500 claims whose true and false forms are made of the same words.

    python -m tests.benchmarks.same_words [--errors] [--folder DIR]

Exchanged roles, fused sentences, moved negation, exchanged numbers and times, passive and active, comparatives,
attribution, scope: a verifier that counts words gets half of them right. An answer is right if P(entailment) >= 0.5 for
a true claim and below for a false one; no feature of the wording takes part. The pairs (tests/data) were written and
read by hand; the verifier's training data has none of their sentences. The last lines say what word order alone would
give: in how many of the premises the true claim repeats more of the premise's word pairs than the false one does.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from grapheval.bench.metrics import share_interval
from grapheval.protocols import Pair, Verifier
from grapheval.verification.bundled import BundledVerifier

PAIRS = Path(__file__).resolve().parents[1] / "data" / "same_bag_of_words.jsonl"
_WORD = re.compile(r"[\w'’]+")


def rows() -> list[dict[str, str]]:
    """The claims, the true and the false one of a premise together: kind, premise, claim, label."""
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def words(text: str) -> list[str]:
    """The words in lower case."""
    return _WORD.findall(text.lower())


def verbatim(claim: str, premise: str) -> float:
    """Share of the claim's pairs of neighbouring words that stand in the premise as such, in [0, 1]."""
    sequence, own = words(premise), words(claim)
    known = set(pairwise(sequence))
    pairs = list(pairwise(own))
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 0.0


def order_alone(found: Sequence[Mapping[str, str]]) -> tuple[int, int, int]:
    """Of how many premises the true claim is more verbatim than the false one, equally, and less."""
    more = equal = less = 0
    for true, false in zip(found[::2], found[1::2], strict=True):
        difference = verbatim(true["claim"], true["premise"]) - verbatim(false["claim"], false["premise"])
        more, equal, less = more + (difference > 0), equal + (difference == 0), less + (difference < 0)
    return more, equal, less


def right_by_group(found: Sequence[Mapping[str, str]], verifier: Verifier) -> dict[str, list[bool]]:
    """Whether each claim is judged rightly: all, by label, by kind, and for both claims of a premise together."""
    judged = verifier.verify([Pair(r["premise"], r["claim"]) for r in found])
    hits = [
        j.p_entailment is not None and (j.p_entailment >= 0.5) == (row["label"] == "entailment")
        for row, j in zip(found, judged, strict=True)
    ]
    groups: dict[str, list[bool]] = defaultdict(list)
    for name in ("all", "label", "kind"):
        for row, hit in zip(found, hits, strict=True):
            groups["all" if name == "all" else row[name]].append(hit)
    groups["both of a premise"] = [a and b for a, b in zip(hits[::2], hits[1::2], strict=True)]
    return dict(groups)


def summary(hits: Sequence[bool]) -> dict[str, Any]:
    """Number, share that is right, and its bootstrap interval."""
    interval = share_interval(list(hits))
    return {"n": len(hits), "share": sum(hits) / len(hits), "ci": None if interval is None else asdict(interval)}


def main() -> None:
    """Print the share of right verdicts, by label and by kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="the model's folder (default: the package's)")
    parser.add_argument("--errors", action="store_true", help="print the claims that are judged wrongly")
    arguments = parser.parse_args()
    pairs = rows()
    verifier = BundledVerifier(arguments.folder)
    if arguments.errors:
        for row, judged in zip(pairs, verifier.verify([Pair(r["premise"], r["claim"]) for r in pairs]), strict=True):
            p = judged.p_entailment
            if p is None or (p >= 0.5) != (row["label"] == "entailment"):
                print("?" if p is None else f"{p:.2f}", row["label"], "|", row["claim"], "<<", row["premise"])
    for name, hits in right_by_group(pairs, verifier).items():
        print(f"{name:18} {100 * sum(hits) / len(hits):5.1f} % right of {len(hits)}")
    more, equal, less = order_alone(pairs)
    print(
        f"the true claim is more verbatim than the false one for {more} premises, equally for {equal}, less for {less}"
    )


if __name__ == "__main__":
    main()
