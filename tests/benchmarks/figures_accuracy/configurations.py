"""The pipeline as it ships, the verifier alone, and the pipeline with one part changed or taken out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from grapheval import Claim, Extraction, GraphEval, Sample
from grapheval.aggregation import MaxAggregator
from grapheval.bench.raw import raw_detector
from grapheval.context.selector import AllWindowsSelector, HybridSelector
from grapheval.context.sentences import split_sentences
from grapheval.paper import TriplesOnly, WholeContextSelector, as_paper
from grapheval.protocols import EvidenceSelector, Verifier
from grapheval.types import Label, Outcome, Reason, Verdict
from grapheval.verification.plain import BestWindow
from grapheval.verification.support import Support
from tests.benchmarks.figures_accuracy.remembered import RememberedExtractor, RememberedSelector

DEFAULT = "as it ships"
EXPLICIT = frozenset({"number", "instead", "names", "negation", "modality", "opposite", "roles"})
"""Weights of the mix on what is compared by rule; the others are on how closely the wording follows."""
RAW = "verifier alone: whole answer, every window"
RAW_WHOLE = "verifier alone: whole answer, whole context in one pair"
PAPER = "paper's protocol: triples, whole context, any above 0.5"


class SentencesOnly:
    """An extractor that makes one claim of each sentence."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "sentences"

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """The sentences of each answer."""
        return [self._one(sample.answer) for sample in samples]

    def _one(self, answer: str) -> Extraction:
        claims = tuple(Claim(span.of(answer), None, span) for span in split_sentences(answer))
        if not claims:
            return Extraction(outcome=Outcome.NO_CLAIMS, reason=Reason.NOTHING_TO_CHECK)
        return Extraction(claims)


class NoisyOr:
    """Claims as independent chances of an error: the rule that compounds false alarms."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "noisy-or"

    def aggregate(self, verdicts: Sequence[Verdict]) -> float | None:
        """One minus the product of the claims' probabilities of being grounded."""
        known = [v.p_ungrounded for v in verdicts if v.p_ungrounded is not None and v.label is not Label.CONFLICTING]
        return 1 - math.prod(1 - p for p in known) if known else None


@dataclass(frozen=True, slots=True)
class Configuration:
    """A pipeline to be measured.

    Args:
        part: What the change is about.
        name: What is changed.
        pipeline: The pipeline.
    """

    part: str
    name: str
    pipeline: GraphEval


class Workbench:
    """Builds configurations that share their stages, and with them what these remember.

    Args:
        base: The pipeline as it ships.
        verifier: Its verifier, with a cache before it.
    """

    def __init__(self, base: GraphEval, verifier: Verifier) -> None:
        self._base = base
        self._verifier = verifier
        self._extractor = RememberedExtractor(base.extractor)
        self._selector = RememberedSelector(base.selector)
        self._every = RememberedSelector(AllWindowsSelector())

    def default(self) -> GraphEval:
        """The pipeline as it ships."""
        return self._with()

    def raw(self) -> GraphEval:
        """The verifier on the whole answer, against every window; the best one decides."""
        return raw_detector(self.default(), self._every)

    def raw_whole(self) -> GraphEval:
        """The verifier on the whole answer, against the whole context as far as its input allows."""
        return raw_detector(self.default(), WholeContextSelector())

    def paper(self) -> GraphEval:
        """The paper's protocol with the same verifier and triples."""
        return as_paper(self.default())

    def _with(self, **stages: Any) -> GraphEval:
        base = self._base
        kept: dict[str, Any] = {
            "extractor": self._extractor,
            "selector": self._selector,
            "folder": base.folder,
            "aggregator": base.aggregator,
        }
        return GraphEval(
            verifier=self._verifier,
            threshold=base.threshold,
            max_answer_chars=base.max_answer_chars,
            **(kept | stages),
        )

    def all(self) -> list[Configuration]:
        """The default first, then each part changed alone."""
        made = [Configuration("", DEFAULT, self.default())]
        made += self._folders()
        made += self._aggregators()
        made += self._selectors()
        made += self._claims()
        made += [
            Configuration("protocol", PAPER, self.paper()),
            Configuration("protocol", RAW, self.raw()),
            Configuration("protocol", RAW_WHOLE, self.raw_whole()),
        ]
        return made

    def _folders(self) -> list[Configuration]:
        folder = self._base.folder
        changes: list[tuple[str, str, dict[str, Any]]] = [
            ("wording mix", "without the wording mix", {"support": Support()}),
            ("rules", "without the rule on conflicts", {"conflict": 2.0}),
            ("rules", "without the rule on missing numbers", {"missing_number": 1.0}),
        ]
        if isinstance(getattr(folder, "support", None), Support):
            weights = [f.name for f in fields(Support) if f.name not in {"model", "bias"}]
            own: Support = folder.support  # type: ignore[attr-defined]
            compared = {name: 0.0 for name in weights if name in EXPLICIT}
            changes.append(("wording mix", "without what is compared by rule", {"support": replace(own, **compared)}))
            changes += [
                ("wording mix", f"without its weight on {name}", {"support": replace(own, **{name: 0.0})})
                for name in weights
                if isinstance(getattr(own, name), float) and getattr(own, name)
            ]
        if is_dataclass(folder) and not isinstance(folder, type):
            switches = [f.name for f in fields(folder) if getattr(folder, f.name) is True]
            changes += [("rules", f"without {name.replace('_', ' ')}", {name: False}) for name in switches]
        made = [
            Configuration(part, name, self._with(folder=changed)) for part, name, changed in _changed(folder, changes)
        ]
        return [*made, Configuration("rules", "without mix and rules: best window", self._with(folder=BestWindow()))]

    def _aggregators(self) -> list[Configuration]:
        made = [Configuration("aggregation", "noisy-or", self._with(aggregator=NoisyOr()))]
        if self._base.aggregator.info != MaxAggregator().info:
            made.insert(
                0, Configuration("aggregation", "the worst claim alone", self._with(aggregator=MaxAggregator()))
            )
        return made

    def _selectors(self) -> list[Configuration]:
        selector = self._base.selector
        made: list[tuple[str, EvidenceSelector]] = []
        if isinstance(selector, HybridSelector):
            made = [
                ("no joined windows", replace(selector, join=False)),
                ("one window a claim", replace(selector, join=False, max_windows=1)),
            ]
        found = [Configuration("selector", name, self._with(selector=RememberedSelector(s))) for name, s in made]
        return [*found, Configuration("selector", "every window is read", self._with(selector=self._every))]

    def _claims(self) -> list[Configuration]:
        return [
            Configuration("claims", "triples only", self._with(extractor=TriplesOnly(self._extractor))),
            Configuration("claims", "sentences only", self._with(extractor=SentencesOnly())),
        ]


def _changed(folder: Any, changes: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[str, str, Any]]:
    """The folder with each change that it knows and that changes it."""
    if not is_dataclass(folder) or isinstance(folder, type):
        return []
    known = {f.name: getattr(folder, f.name) for f in fields(folder)}
    return [
        (part, name, replace(folder, **new))
        for part, name, new in changes
        if new.keys() <= known.keys() and any(known[key] != value for key, value in new.items())
    ]
