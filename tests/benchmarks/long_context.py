"""Long contexts: is the passage that decides still found, are verdicts the same, what does it cost?

    python -m tests.benchmarks.long_context [--data PATH] [--model FOLDER] [--part recall|cost|accuracy|all]

* `recall`: a gold passage stands first, in the middle or last among 1 to 500 unrelated paragraphs. A claim's gold
  window counts as kept when one of its kept windows overlaps the best window of the gold passage alone.
* `cost`: one answer of about 60 words against contexts of 2,000 and 100,000 words, selection (with splitting and
  indexing) and verification timed apart. Processor time is given too, for busy machines.
* `accuracy`: balanced accuracy on the dev summaries with the selected windows against that with all windows.

Bars: the gold window kept for 98 % of the claims; accuracy within half a point; 100,000 words at most 4 times 2,000.
Verdicts are folded as the default pipeline folds them. `--stride N` uses every n-th case.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grapheval import defaults
from grapheval.context.selector import AllWindowsSelector, HybridSelector
from grapheval.context.sentences import split_sentences
from grapheval.protocols import EvidenceSelector, Pair, Selected
from grapheval.types import Claim, Source
from grapheval.verification.bundled import BundledVerifier
from tests.benchmarks.data import DEFAULT, rows


def sentence_claims(text: str) -> list[Claim]:
    """Each sentence of a text as a claim."""
    return [Claim(span.of(text), None, span) for span in split_sentences(text)]


def summaries(root: Path) -> list[dict[str, Any]]:
    """The dev summaries."""
    return rows("factuality/summaries", root)


def paragraphs(root: Path) -> list[str]:
    """Unrelated paragraphs."""
    return [str(row["text"]) for row in rows("text/paragraphs", root)]


def gold_cases(root: Path) -> dict[str, list[tuple[str, list[Claim]]]]:
    """Passages with claims that they support, questions aside.

    `articles`: consistent summaries with their news articles. `fragments`: verified claims with the few Wikipedia
    sentences that prove them, torn from their page, often without the name of what they speak of: no selector can
    find all of these.
    """
    articles = [
        (str(r["context"]), [c for c in sentence_claims(r["output"]) if not c.text.endswith("?")])
        for r in summaries(root)
        if r["error_type"] == "correct"
    ]
    by_premise: dict[str, list[Claim]] = {}
    for row in rows("nli/pairs", root):
        if row["split"] == "dev" and row["source"] == "fm2" and row["label"] == "entailment":
            by_premise.setdefault(row["premise"], []).append(Claim(row["hypothesis"]))
    return {"articles": [case for case in articles if case[1]], "fragments": list(by_premise.items())}


def recall(root: Path, verifier: BundledVerifier, selector: HybridSelector, stride: int) -> None:
    """Print the share of claims whose gold window is kept, by number of distractors and gold position."""
    for name, cases in gold_cases(root).items():
        _recall(name, cases[::stride], paragraphs(root), verifier, selector)


def _recall(
    name: str,
    cases: list[tuple[str, list[Claim]]],
    others: list[str],
    verifier: BundledVerifier,
    selector: HybridSelector,
) -> None:
    print(
        f"recall, {name}: {len(cases)} gold passages, {sum(len(c) for _, c in cases)} claims, {selector.info}; bar: 98 %"
    )
    for count in (1, 10, 100, 500):
        kept_at = dict.fromkeys(("first", "middle", "last"), 0)
        first_at = dict.fromkeys(kept_at, 0)
        total = 0
        for number, (gold, claims) in enumerate(cases):
            alone = selector.select(claims, [Source(gold, "gold")], verifier.count_tokens, verifier.info)
            start = number * 37 % (len(others) - count)
            noise = [Source(text, str(i)) for i, text in enumerate(others[start : start + count])]
            total += len(claims)
            for place, at in (("first", 0), ("middle", count // 2), ("last", count)):
                sources = [*noise[:at], Source(gold, "gold"), *noise[at:]]
                found = selector.select(claims, sources, verifier.count_tokens, verifier.info)
                hits = [_hit(one, many) for one, many in zip(alone.windows, found.windows, strict=True)]
                kept_at[place] += sum(hit is not None for hit in hits)
                first_at[place] += sum(hit == 0 for hit in hits)
        shares = ", ".join(
            f"{place} {100 * kept_at[place] / total:.1f} % (as best window {100 * first_at[place] / total:.1f} %)"
            for place in kept_at
        )
        print(f"  {count:4d} distractors: {shares}")


def _hit(alone: Sequence[Any], found: Sequence[Any]) -> int | None:
    """The rank of the kept window that overlaps the best gold window, None when there is none."""
    gold = alone[0].passages
    for rank, window in enumerate(found):
        for passage in window.passages:
            for piece in gold:
                if (
                    passage.source_id == "gold"
                    and passage.span.start < piece.span.end
                    and piece.span.start < passage.span.end
                ):
                    return rank
    return None


def cost(root: Path, verifier: BundledVerifier, selector: HybridSelector, repeats: int = 7) -> None:
    """Print what one answer costs against short and long contexts."""
    fitting = [r for r in summaries(root) if r["error_type"] == "correct" and 50 <= len(r["output"].split()) <= 70]
    row = max(fitting, key=lambda r: len(split_sentences(r["output"])))
    # Two claims a sentence: about what the extractor makes.
    claims = [claim for claim in sentence_claims(row["output"]) for _ in range(2)]
    others = paragraphs(root)
    figures = {}
    for words in (2_000, 100_000):
        sources = [Source(row["context"], "gold")]
        size = len(row["context"].split())
        for number, text in enumerate(others * 20):
            if size >= words:
                break
            size += len(text.split())
            sources.append(Source(text, str(number)))
        timed = [_timed(claims, sources, verifier, selector) for _ in range(repeats)]
        figures[words] = timed
        wall = [statistics.median(column) * 1000 for column in zip(*(t[0] for t in timed), strict=True)]
        cpu = [min(column) * 1000 for column in zip(*(t[1] for t in timed), strict=True)]
        print(
            f"cost: {size:,} words, {len(claims)} claims: selection {wall[0]:.0f} ms, verification {wall[1]:.0f} ms "
            f"(median wall); {cpu[0]:.0f} ms, {cpu[1]:.0f} ms (least processor time)"
        )
    ratios = [
        statistics.median(sum(t[kind]) for t in figures[100_000])
        / statistics.median(sum(t[kind]) for t in figures[2_000])
        for kind in (0, 1)
    ]
    print(
        f"  100,000 words cost {ratios[0]:.2f} times 2,000 (wall), {ratios[1]:.2f} times (processor time); bar: 4 times"
    )


def _timed(
    claims: Sequence[Claim], sources: Sequence[Source], verifier: BundledVerifier, selector: EvidenceSelector
) -> tuple[tuple[float, float], tuple[float, float]]:
    marks = [(time.perf_counter(), time.process_time())]
    selected = selector.select(claims, sources, verifier.count_tokens, verifier.info)
    marks.append((time.perf_counter(), time.process_time()))
    verifier.verify(_pairs(claims, selected))
    marks.append((time.perf_counter(), time.process_time()))
    return (
        (marks[1][0] - marks[0][0], marks[2][0] - marks[1][0]),
        (marks[1][1] - marks[0][1], marks[2][1] - marks[1][1]),
    )


def _pairs(claims: Sequence[Claim], selected: Selected) -> list[Pair]:
    return [Pair(w.text, c.text) for c, ws in zip(claims, selected.windows, strict=True) for w in ws]


def accuracy(root: Path, verifier: BundledVerifier, selector: HybridSelector, stride: int) -> None:
    """Print balanced accuracy at 0.5 with selected and with all windows."""
    chosen_rows = summaries(root)[::stride]
    rules = defaults.folder(verifier)
    scores: dict[str, list[float]] = {}
    tokens: dict[str, int] = {}
    for name, chosen in (("selected", selector), ("all", AllWindowsSelector())):
        scores[name] = []
        tokens[name] = 0
        for row in chosen_rows:
            sources = [Source(row["context"], "1")]
            claims = sentence_claims(row["output"])
            selected = chosen.select(claims, sources, verifier.count_tokens, verifier.info)
            judgements = iter(verifier.verify(_pairs(claims, selected)))
            verdicts = [
                rules.fold(claim, windows, [next(judgements) for _ in windows], sources, 0.5)
                for claim, windows in zip(claims, selected.windows, strict=True)
            ]
            scores[name].append(max(v.p_ungrounded if v.p_ungrounded is not None else 0.5 for v in verdicts))
            tokens[name] += sum(window.tokens for windows in selected.windows for window in windows)
    labels = [row["error_type"] not in {"correct", ""} for row in chosen_rows]
    print(f"accuracy: {len(chosen_rows)} dev summaries, whole sentences as claims")
    for name, values in scores.items():
        print(
            f"  {name}: balanced accuracy {100 * balanced(labels, [v > 0.5 for v in values]):.1f} %, "
            f"{tokens[name] / len(chosen_rows):.0f} premise tokens an answer"
        )
    reached = [100 * balanced(labels, [v > 0.5 for v in scores[name]]) for name in ("selected", "all")]
    print(f"  selected against all: {reached[0] - reached[1]:+.2f} points (bar: within 0.5)")


def balanced(labels: Sequence[bool], guesses: Sequence[bool]) -> float:
    """The mean of the two classes' recalls."""
    parts = []
    for wanted in (True, False):
        own = [guess for label, guess in zip(labels, guesses, strict=True) if label is wanted]
        parts.append(sum(guess is wanted for guess in own) / len(own))
    return sum(parts) / 2


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--model", type=Path, default=None, help="folder of the bundled model's files")
    parser.add_argument("--part", choices=("recall", "cost", "accuracy", "all"), default="all")
    parser.add_argument("--stride", type=int, default=1, help="use every n-th case")
    arguments = parser.parse_args()
    root = arguments.data
    verifier = BundledVerifier(arguments.model)
    selector = HybridSelector()
    if arguments.part in ("recall", "all"):
        recall(root, verifier, selector, arguments.stride)
    if arguments.part in ("cost", "all"):
        cost(root, verifier, selector)
    if arguments.part in ("accuracy", "all"):
        accuracy(root, verifier, selector, arguments.stride)


if __name__ == "__main__":
    main()
