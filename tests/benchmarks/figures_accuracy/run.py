"""One run: which sets, which pipeline, and what was found so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grapheval import Failure, GraphEval
from grapheval.protocols import Verifier
from tests.benchmarks.figures_accuracy import measure
from tests.benchmarks.figures_accuracy.configurations import Workbench
from tests.benchmarks.figures_accuracy.progress import step
from tests.benchmarks.figures_accuracy.sets import Case, cases

Say = Callable[[str], None]


@dataclass
class Run:
    """What the sections share.

    Args:
        data: Folder of the data.
        sets: Which sets are measured.
        ablate: On which of them the parts are taken out.
        limit: Answers of each set at most.
        base: The pipeline as it ships, with nothing remembered: for speed.
        verifier: Its verifier, with a cache before it.
        bench: Its configurations.
        say: Prints.
    """

    data: Path
    sets: Sequence[str]
    ablate: Sequence[str]
    limit: int | None
    base: GraphEval
    verifier: Verifier
    bench: Workbench
    say: Say
    _cases: dict[str, list[Case]] = field(default_factory=dict)
    _results: dict[tuple[str, str], measure.Results] = field(default_factory=dict)

    def cases(self, name: str) -> list[Case]:
        """The answers of a set, read once."""
        if name not in self._cases:
            self._cases[name] = cases(name, self.data, self.limit)
        return self._cases[name]

    def results(self, name: str, what: str, pipeline: GraphEval) -> measure.Results:
        """What a configuration finds on a set, once."""
        if (name, what) not in self._results:
            known = self.cases(name)
            with step(f"{name}, {what}", len(known)) as tell:
                found = measure.evaluate(pipeline, known, tell)
            self._results[name, what] = found
            failures = Counter(result.code for result in found if isinstance(result, Failure))
            for code, count in failures.items():
                self.say(f"**{count} answers of {name} failed ({what}): {code}.** They count as wrong.")
        return self._results[name, what]

    def probabilities(self, name: str, what: str, pipeline: GraphEval) -> list[float | None]:
        """Only the probabilities."""
        return measure.probabilities(self.results(name, what, pipeline))
