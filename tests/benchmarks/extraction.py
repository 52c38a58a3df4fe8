"""The local extractor's triples beside those of a strong LLM (Claude 2), on answers of seven LLMs.

    python -m tests.benchmarks.extraction [--data FOLDER] [--limit N] [--floors] [--show N]

Our triples are matched one to one with the reference's (Hungarian algorithm) by F1 over content words (a triple's
words in lower case, without spaCy's English stop words, as a multiset). An answer's score is the sum of the matched F1
divided by the larger number of triples; the figure is the mean over the answers, those without any triple counted as
0. Only triples count; `claims` also counts the sentence-level claims for text that no triple covers.

The answers are about 56 words long, with 5.6 reference triples of 8.5 words. The speed is that of one batch; set
OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from pathlib import Path
from statistics import fmean

from grapheval import Extraction, Sample
from grapheval.extraction.local import LocalExtractor
from tests.benchmarks.data import DEFAULT, rows

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r",\s+|;\s+|\s+(?:and|or|but|which|who|because|while)\s+")


def content(text: str) -> Counter[str]:
    """The content words of a text."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return Counter(word for word in re.findall(r"\w+", text.lower()) if word not in STOP_WORDS)


def f1(ours: Counter[str], reference: Counter[str]) -> float:
    """Token F1 of two multisets of words, in [0, 1]."""
    common = (ours & reference).total()
    return 2 * common / (ours.total() + reference.total()) if common else 0.0


def score(ours: list[str], reference: list[str]) -> float:
    """Sum of F1 over the best one-to-one matching, divided by the larger count, in [0, 1]."""
    from scipy.optimize import linear_sum_assignment

    if not ours or not reference:
        return float(not ours and not reference)
    left, right = [content(t) for t in ours], [content(t) for t in reference]
    table = [[f1(a, b) for b in right] for a in left]
    matched = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    return float(sum(table[a][b] for a, b in matched)) / max(len(ours), len(reference))


def sentences(text: str) -> list[str]:
    """Floor: whole sentences."""
    return [part for part in _SENTENCE.split(text) if re.search(r"\w", part)]


def clauses(text: str) -> list[str]:
    """Floor: sentences cut at commas, semicolons and conjunctions."""
    return [part for whole in sentences(text) for part in _CLAUSE.split(whole) if re.search(r"\w", part)]


def show(answer: str, reference: list[list[str]], ours: Extraction) -> None:
    """Print an answer with both lists."""
    print(f"\n### {answer}")
    for triple in reference:
        print("   REF ", " | ".join(triple))
    for claim in ours.claims:
        t = claim.triple
        print("   OURS", " | ".join((t.subject, t.relation, t.object)) if t else "--", "  >>", claim.text)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="folder with extraction/claude2_triples.jsonl.gz")
    parser.add_argument("--limit", type=int, help="every k-th answer only, so that about this many are left")
    parser.add_argument("--floors", action="store_true", help="also score whole sentences and clauses")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N answers (the same every time) with both lists"
    )
    arguments = parser.parse_args()
    found = rows("extraction/claude2_triples", arguments.data)
    if arguments.limit:
        found = found[:: max(1, len(found) // arguments.limit)]
    reference = [[" ".join(triple) for triple in row["triples"]] for row in found]
    samples = [Sample(row["response"]) for row in found]
    extractor = LocalExtractor()
    extractor.extract(samples[:8])
    wall, cpu = time.perf_counter(), time.process_time()
    ours = extractor.extract(samples)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    triples = [[str(t) for t in extraction.triples] for extraction in ours]
    claims = [[str(c.triple) if c.triple else c.text for c in extraction.claims] for extraction in ours]
    count = sum(len(t) for t in reference)
    print(f"{extractor.info}, {len(found)} answers, {count} reference triples")
    print(f"matched F1, triples            {fmean(map(score, triples, reference)):.3f}")
    print(f"matched F1, with sentences     {fmean(map(score, claims, reference)):.3f}")
    print(f"words per triple               {fmean(len(t.split()) for part in triples for t in part):.1f}", end="")
    print(f" (reference {fmean(len(t.split()) for part in reference for t in part):.1f})")
    print(f"triples per reference triple   {sum(map(len, triples)) / count:.2f}")
    print(f"answers without a triple       {sum(not t for t in triples)}")
    print(f"outcomes                       {dict(Counter(e.outcome.value for e in ours))}")
    print(
        f"answers per second             {len(found) / wall:.0f} (per second of processor time {len(found) / cpu:.0f})"
    )
    if arguments.floors:
        for name, split in (("whole sentences", sentences), ("clauses", clauses)):
            floor = fmean(score(split(row["response"]), ref) for row, ref in zip(found, reference, strict=True))
            print(f"floor, {name:23} {floor:.3f}")
    for index in random.Random(1).sample(range(len(found)), min(arguments.show, len(found))):
        show(found[index]["response"], found[index]["triples"], ours[index])


if __name__ == "__main__":
    main()
