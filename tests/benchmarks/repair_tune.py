"""The limits of the repair (`grapheval.correction.evidence.choice.Limits`), fitted: `--part tune` of the repair script.

Every candidate is judged once, and those that could be chosen are made and checked again, once. The limits are then
varied one at a time, over and over, until none gets better; nothing is judged for that. Only documents of the half
"tuning" are read. What is counted against restored values: values that were changed to other wrong ones, correct
summaries that did not come back as they were, and repairs that touch none of the words that people marked as wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from grapheval import GraphEval, Sample
from grapheval.correction.evidence import EvidenceCorrector
from grapheval.correction.evidence.choice import Judged, Limits, choose
from grapheval.correction.evidence.task import Task
from grapheval.correction.loop import Asks, Work, drive, repair_plan
from grapheval.types import Correction
from tests.benchmarks.corruptions import Corruption, corruptions, half_of, restored
from tests.benchmarks.data import rows

GRID: dict[str, tuple[float, ...]] = {
    "absent": (1.0, 1.2, 1.4, 1.6, 1.9, 2.3),
    "present": (1.6, 2.0, 2.4, 2.6, 2.8, 3.0, 3.3),
    "about": (0.3, 0.4, 0.5, 0.6, 0.7),
    "exact": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5),
    "alike": (0.5, 0.8, 1.0, 1.3),
    "placed": (0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0, 1.3),
    "gain": (-0.05, 0.0, 0.03, 0.06, 0.1, 0.15),
    "doubt": (0.0, 0.05, 0.1, 0.2, 0.3, 0.45),
    "slack": (0.0, 0.02, 0.05, 0.1, 0.2),
}
"""`about` and `alike` have a floor: nothing here tells how bad a name is that another wrong one took the place of."""
_LOOSE = Limits(absent=1.0, present=1.6, about=0.0, exact=0.0, placed=0.0, alike=0.0)
_MOST_TRIED = 4
_BAD = {"corrupted": 0.5, "correct": 1.5, "erroneous": 0.5}
"""What a wrong repair counts beside a restored value, each as a share of its kind."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A sentence: its candidates, and what came of each when it was made: "right", "wrong" or "" (taken back)."""

    kind: str
    answer: int
    judged: tuple[Judged, ...]
    outcomes: tuple[str, ...]


class _Recording(EvidenceCorrector):
    """Judges all candidates and makes none."""

    found: list[tuple[Task, list[Judged]]]

    def _score(self, tasks: Sequence[Task], work: Work) -> None:
        self.found = list(zip(tasks, self._judged(tasks, work), strict=True))


@dataclass(frozen=True, slots=True)
class _One:
    """Makes one candidate."""

    task: Task
    judged: Judged

    def propose(self, work: Work) -> Asks:
        """Make it."""
        changes = self.task.piece.to_answer(work.sample.answer, self.judged.candidate.changes)
        if changes:
            work.edit(changes, self.task.verdicts[0].claim)
        return
        yield


def record(data: Path, limit: int, marked: Callable[[dict[str, Any]], set[int]]) -> list[Recorded]:
    """What `limit` answers, half of them corrupted, give."""
    pipeline = GraphEval.local()
    corrector = _Recording(pipeline.verifier, limits=_LOOSE)
    found: list[Recorded] = []
    for number, (kind, sample, verdict) in enumerate(_answers(data, limit, marked)):
        before = pipeline.evaluate(sample)
        corrector.found = []
        if before.flagged:
            corrector.correct(sample, before, pipeline.evaluate)
        if not corrector.found:
            found.append(Recorded(kind, number, (), ()))
        for task, judged in corrector.found:
            tried = sorted(judged, key=lambda item: -item.worth)[:_MOST_TRIED]
            outcomes = []
            for item in tried:
                done = drive(repair_plan(sample, before, _One(task, item), undo=True), None, pipeline.evaluate)
                outcomes.append(verdict(done) if done.edits else "")
            found.append(Recorded(kind, number, tuple(tried), tuple(outcomes)))
    return found


def _answers(
    data: Path, limit: int, marked: Callable[[dict[str, Any]], set[int]]
) -> Iterator[tuple[str, Sample, Callable[[Correction], str]]]:
    """(kind, answer, how its repair is judged), half of them corrupted, the others correct and erroneous in equal parts."""
    for item in corruptions(data, limit // 2, half="tuning"):

        def back(done: Correction, item: Corruption = item) -> str:
            return "right" if restored(item, done.answer) else "wrong"

        yield "corrupted", item.sample, back
    own = [row for row in rows("factuality/summaries", data) if half_of(row) == "tuning"]
    right = [row for row in own if row["error_type"] in {"correct", ""}]
    wrong = [row for row in own if row["error_type"] not in {"correct", ""}]
    for row in right[: limit // 4]:
        yield "correct", Sample(row["output"], row["context"]), lambda done: "wrong"
    for row in wrong[: limit // 4]:
        places = marked(row)

        def touched(done: Correction, places: set[int] = places) -> str:
            return "right" if any(e.start <= place < e.end for e in done.edits for place in places) else "wrong"

        yield "erroneous", Sample(row["output"], row["context"]), touched


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of the answers of each kind, by what came of them."""

    right: dict[str, float]
    wrong: dict[str, float]

    @property
    def worth(self) -> float:
        """Restored values less what wrong repairs count."""
        return self.right["corrupted"] - sum(weight * self.wrong[kind] for kind, weight in _BAD.items())


def simulate(recorded: Sequence[Recorded], limits: Limits) -> Figures:
    """What the repair would have made with some limits."""
    outcomes: dict[tuple[str, int], set[str]] = defaultdict(set)
    for item in recorded:
        best = choose(item.judged, 0.5, limits)
        outcome = item.outcomes[item.judged.index(best)] if best is not None else ""
        outcomes[item.kind, item.answer].add(outcome)
    totals = {kind: sum(key[0] == kind for key in outcomes) or 1 for kind in _BAD}
    counts = {
        name: {kind: sum(k == kind and name in found for (k, _), found in outcomes.items()) for kind in _BAD}
        for name in ("right", "wrong")
    }
    shares = {name: {kind: counts[name][kind] / totals[kind] for kind in _BAD} for name in counts}
    return Figures(shares["right"], shares["wrong"])


def fit(recorded: Sequence[Recorded], start: Limits, rounds: int = 4) -> Limits:
    """The limits that do best, by coordinate ascent from `start`; of equal ones those nearest to it."""
    best, worth = start, simulate(recorded, start).worth
    for _ in range(rounds):
        before = best
        for field in fields(Limits):
            given = getattr(best, field.name)
            for value in sorted(GRID[field.name], key=lambda value: abs(value - given)):
                tried = replace(best, **{field.name: value})
                found = simulate(recorded, tried).worth
                if found > worth + 1e-9:
                    best, worth = tried, found
        if best == before:
            break
    return best


def tune(data: Path, limit: int | None, marked: Callable[[dict[str, Any]], set[int]]) -> dict[str, Any]:
    """Record, fit, and say what the limits of now and the fitted ones come to."""
    recorded = record(data, limit or 300, marked)
    fitted = fit(recorded, Limits())
    found: dict[str, Any] = {"answers": len({item.answer for item in recorded})}
    found |= {f"now: {name}": value for name, value in _shown(simulate(recorded, Limits())).items()}
    found |= {f"fitted: {name}": value for name, value in _shown(simulate(recorded, fitted)).items()}
    found["fitted limits"] = repr(fitted)
    for name in ("about", "doubt", "present"):
        line = []
        for value in GRID[name]:
            figures = simulate(recorded, replace(fitted, **{name: value}))
            line.append(f"{value}: {figures.right['corrupted']:.3f}/{1 - figures.wrong['correct']:.3f}")
        found[f"restored/byte-identical by {name}"] = "  ".join(line)
    return found


def _shown(figures: Figures) -> dict[str, float]:
    return {
        "restored": figures.right["corrupted"],
        "changed to another wrong value": figures.wrong["corrupted"],
        "correct summaries byte-identical": 1 - figures.wrong["correct"],
        "erroneous summaries with a marked word changed": figures.right["erroneous"],
        "erroneous summaries changed elsewhere only": figures.wrong["erroneous"],
    }
