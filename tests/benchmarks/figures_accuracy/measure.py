"""Runs a pipeline over a set and scores it: the whole set, its domains, and the places that are flagged."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from grapheval import Evaluation, Failure, GraphEval
from grapheval.bench.metrics import gain, score, share_interval, weighted_gain
from grapheval.protocols import Pair, Verifier
from grapheval.types import Span
from tests.benchmarks.figures_accuracy.sets import Case

CHUNK = 32
"""Answers between two signs of life."""
CLASSES = ("entailment", "neutral", "contradiction")
_WORD = re.compile(r"\w+")

Results = list[Evaluation | Failure]
Tell = Callable[[int], None]


def evaluate(pipeline: GraphEval, cases: Sequence[Case], tell: Tell) -> Results:
    """Judge all answers; `tell` hears how many more are done."""
    results: Results = []
    for first in range(0, len(cases), CHUNK):
        part = cases[first : first + CHUNK]
        results += pipeline.evaluate_many([case.sample for case in part])
        tell(len(part))
    return results


def probabilities(results: Results) -> list[float | None]:
    """`p_inconsistent` of each result; None where nothing was judged."""
    return [result.p_inconsistent if isinstance(result, Evaluation) else None for result in results]


def scores(cases: Sequence[Case], found: Sequence[float | None], *, resamples: int = 1000) -> dict[str, Any]:
    """`grapheval.bench.metrics.score` as a dictionary; answers that share a context are resampled together."""
    labels = [case.label for case in cases]
    return asdict(score(labels, found, groups=[case.group for case in cases], resamples=resamples))


def by_domain(cases: Sequence[Case], found: Sequence[float | None]) -> dict[str, dict[str, Any]]:
    """The scores of each domain of a set, in the order in which they come."""
    made: dict[str, dict[str, Any]] = {}
    for domain in dict.fromkeys(case.domain for case in cases):
        kept = [(case, p) for case, p in zip(cases, found, strict=True) if case.domain == domain]
        made[domain] = scores([case for case, _ in kept], [p for _, p in kept])
    return made


def gains(cases: Sequence[Case], base: Sequence[float | None], ours: Sequence[float | None]) -> dict[str, Any]:
    """Balanced accuracy of `ours` over `base` on one set, with its paired interval."""
    return asdict(gain([c.label for c in cases], base, ours, groups=[c.group for c in cases]))


def overall_gain(by_set: Sequence[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    """The gains of several sets weighted by their sizes, and the standard error over the sets, as in the paper."""
    known = [(n, found["value"]) for n, found in by_set if found["value"] is not None]
    if not known:
        return {"value": None, "standard_error": None, "sets": 0}
    value, error = weighted_gain([v for _, v in known], [n for n, _ in known])
    return {"value": value, "standard_error": error, "sets": len(known)}


# -------------------------------------------------------------------------------------------------- localisation


@dataclass(frozen=True, slots=True)
class Localised:
    """How well the flagged places are the wrong ones.

    Args:
        touched: For each annotated place, whether a flagged claim touches it.
        correct_words: Words of the answers that people call correct.
        correct_flagged: Those among them that stand in a flagged claim's place.
        wrong_words: Words of the answers with annotated places.
        wrong_flagged: Those among them that are flagged.
        marked_words: Those among them that are annotated.
        marked_flagged: Those among the annotated that are flagged.
        unplaced: Flagged claims that have no place in the answer.
    """

    touched: tuple[bool, ...]
    correct_words: int
    correct_flagged: int
    wrong_words: int
    wrong_flagged: int
    marked_words: int
    marked_flagged: int
    unplaced: int


def localise(cases: Sequence[Case], results: Results) -> Localised:
    """Compare the places of the flagged claims with the places that people marked."""
    touched: list[bool] = []
    counts = dict.fromkeys(
        ("correct_words", "correct_flagged", "wrong_words", "wrong_flagged", "marked_words", "marked_flagged"), 0
    )
    unplaced = 0
    for case, result in zip(cases, results, strict=True):
        verdicts = [v for v in result.verdicts if v.flagged] if isinstance(result, Evaluation) else []
        flagged = [v.claim.span for v in verdicts if v.claim.span is not None]
        unplaced += len(verdicts) - len(flagged)
        words = [Span(*match.span()) for match in _WORD.finditer(case.sample.answer)]
        held = [touches(word, flagged) for word in words]
        if not case.label:
            counts["correct_words"] += len(words)
            counts["correct_flagged"] += sum(held)
        elif case.wrong:
            touched += [touches(place, flagged) for place in case.wrong]
            marked = [touches(word, case.wrong) for word in words]
            counts["wrong_words"] += len(words)
            counts["wrong_flagged"] += sum(held)
            counts["marked_words"] += sum(marked)
            counts["marked_flagged"] += sum(h and m for h, m in zip(held, marked, strict=True))
    return Localised(touched=tuple(touched), unplaced=unplaced, **counts)


def touches(span: Span, others: Sequence[Span]) -> bool:
    """Whether a place shares a character with any of the others."""
    return any(span.start < other.end and other.start < span.end for other in others)


def localisation(found: Localised) -> dict[str, Any]:
    """The shares that are reported, None where there is nothing to count."""
    interval = share_interval(list(found.touched))
    return {
        "places": len(found.touched),
        "touched": _share(sum(found.touched), len(found.touched)),
        "touched_ci": None if interval is None else asdict(interval),
        "correct_words": found.correct_words,
        "correct_flagged": _share(found.correct_flagged, found.correct_words),
        "wrong_flagged": _share(found.wrong_flagged, found.wrong_words),
        "marked": _share(found.marked_words, found.wrong_words),
        "flagged_that_is_marked": _share(found.marked_flagged, found.wrong_flagged),
        "unplaced": found.unplaced,
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# ---------------------------------------------------------------------------------------------- explicit evidence


def findings(cases: Sequence[Case], results: Results) -> dict[str, dict[str, Any]]:
    """How many inconsistent and consistent answers hold something that the comparison by rules found, by kind."""
    kinds: dict[str, list[int]] = {}
    for case, result in zip(cases, results, strict=True):
        verdicts = result.verdicts if isinstance(result, Evaluation) else ()
        found = {str(finding.kind) for verdict in verdicts for finding in getattr(verdict, "findings", ())}
        for kind in (found | {"any"}) if found else found:
            kinds.setdefault(kind, [0, 0])[case.label] += 1
    totals = [sum(case.label == label for case in cases) for label in (0, 1)]
    return {
        kind: {
            "consistent": counts[0],
            "inconsistent": counts[1],
            "of_consistent": _share(counts[0], totals[0]),
            "of_inconsistent": _share(counts[1], totals[1]),
        }
        for kind, counts in sorted(kinds.items(), key=lambda item: (item[0] != "any", -sum(item[1]), item[0]))
    }


# ------------------------------------------------------------------------------------------------ verifier alone


def three_way(verifier: Verifier, rows: Sequence[dict[str, Any]], tell: Tell) -> dict[str, Any]:
    """Accuracy over entailment, neutral and contradiction; a pair without three probabilities is wrong."""
    hits: list[bool] = []
    for first in range(0, len(rows), CHUNK):
        part = rows[first : first + CHUNK]
        for row, judged in zip(part, verifier.verify([Pair(r["premise"], r["hypothesis"]) for r in part]), strict=True):
            p = judged.probabilities
            hits.append(p is not None and CLASSES[p.index(max(p))] == row["label"])
        tell(len(part))
    interval = share_interval(hits)
    return {
        "n": len(hits),
        "accuracy": _share(sum(hits), len(hits)),
        "accuracy_ci": None if interval is None else asdict(interval),
        "floor": _share(max((sum(r["label"] == c for r in rows) for c in CLASSES), default=0), len(rows)),
    }
