"""Does a verdict stay the same when the context changes in ways that must not matter?

    python -m tests.benchmarks.passages [--data PATH] [--model FOLDER] [--stride N]

On dev data: the sentences of the dev summaries, with their article cut into passages of about 80 words, and the claims
of NLI dev pairs with their premise as a source.

* shuffled: the passages in another order; the bar is no flip.
* unrelated: ten unrelated passages added; the bar is a flip of at most 1 % of the verdicts (flagged or not).
* conflicting: verdicts `conflicting` where all sources are one article and unrelated text, so that each is false; the
  bar is 1 %.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from grapheval import defaults
from grapheval.context.selector import HybridSelector
from grapheval.context.sentences import split_sentences
from grapheval.protocols import Pair
from grapheval.types import Claim, Label, Source, Verdict
from grapheval.verification.bundled import MODEL_FOLDER, BundledVerifier
from tests.benchmarks.data import DEFAULT, rows
from tests.benchmarks.long_context import sentence_claims

PASSAGE_WORDS = 80
UNRELATED = 10


def passages(text: str) -> list[str]:
    """A text cut at sentence ends into passages of about `PASSAGE_WORDS` words."""
    found: list[str] = []
    start, size = 0, 0
    for span in split_sentences(text):
        size += len(span.of(text).split())
        if size >= PASSAGE_WORDS:
            found.append(text[start : span.end].strip())
            start, size = span.end, 0
    return [*found, text[start:].strip()] if text[start:].strip() else found


def judge(verifier: BundledVerifier, claims: Sequence[Claim], texts: Sequence[str]) -> list[Verdict]:
    """The verdicts of one answer's claims."""
    sources = [Source(text, str(number)) for number, text in enumerate(texts, start=1)]
    selected = HybridSelector().select(claims, sources, verifier.count_tokens, verifier.info)
    pairs = [Pair(w.text, c.text) for c, ws in zip(claims, selected.windows, strict=True) for w in ws]
    judgements = iter(verifier.verify(pairs))
    rules = defaults.folder(verifier)
    return [
        rules.fold(claim, windows, [next(judgements) for _ in windows], sources, 0.5)
        for claim, windows in zip(claims, selected.windows, strict=True)
    ]


def cases(data: Path) -> dict[str, list[tuple[list[Claim], list[str]]]]:
    """Claims with their passages."""
    nli = [r for r in rows("nli/pairs", data) if r["split"] == "dev" and r["source"] in {"fm2", "mnli", "conjnli"}]
    return {
        "summaries": [
            (sentence_claims(r["output"]), passages(r["context"])) for r in rows("factuality/summaries", data)
        ],
        "nli pairs": [([Claim(r["hypothesis"])], [r["premise"]]) for r in nli],
    }


def main() -> None:
    """Print the share of flips and of false conflicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--model", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--stride", type=int, default=1, help="use every n-th case")
    arguments = parser.parse_args()
    verifier = BundledVerifier(arguments.model)
    others = [str(r["text"]) for r in rows("text/paragraphs", arguments.data)]
    chance = random.Random(7)
    for name, listed in cases(arguments.data).items():
        total = shuffled_flips = changed = unrelated_flips = conflicts = 0
        for claims, texts in listed[:: arguments.stride]:
            before = judge(verifier, claims, texts)
            noise = chance.sample(others, UNRELATED)
            mixed = [*texts, *noise]
            chance.shuffle(mixed)
            with_noise = judge(verifier, claims, mixed)
            order = mixed[:]
            chance.shuffle(order)
            shuffled = judge(verifier, claims, order)
            total += len(claims)
            for one, two, three in zip(before, with_noise, shuffled, strict=True):
                shuffled_flips += two.flagged is not three.flagged or two.label is not three.label
                changed += two.p_ungrounded != three.p_ungrounded
                unrelated_flips += one.flagged is not two.flagged
                conflicts += (one.label is Label.CONFLICTING) + (two.label is Label.CONFLICTING)
        print(
            f"{name}: {total} claims; shuffled: {shuffled_flips} flips, {changed} other probabilities; "
            f"{UNRELATED} unrelated passages: {unrelated_flips} flips ({100 * unrelated_flips / total:.2f} %, bar 1 %); "
            f"conflicting: {conflicts} of {2 * total} ({50 * conflicts / total:.2f} %, bar 1 %)"
        )


if __name__ == "__main__":
    main()
