"""From the results of a run to its figures: the data behind the JSON and the Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grapheval.bench import metrics
from grapheval.bench.datasets import Benchmark
from grapheval.bench.metrics import Gain, Interval, Rouge, Scores
from grapheval.bench.paper import CAVEAT, PAPER_ROWS, PaperRow
from grapheval.bench.results import Judged, Repaired, RowResult
from grapheval.bench.runner import GRAPHEVAL, RAW, describe
from grapheval.types import Provenance

SCHEMA_VERSION = "1"


@dataclass(frozen=True, slots=True)
class DetectorFigures:
    """One row of table 2.

    Args:
        name: `raw` or `grapheval`.
        made_of: Extractor, verifier, selector, aggregator, threshold, prompts, version.
        scores: Against people's labels.
        statuses: How many evaluations ended in each status; what raised counts as `failed`.
        reasons: Cause codes by number of answers.
        cut: Answers part of whose context did not fit the verifier's input and was not read.
        claims: Claims that were verified, in all.
        usage: LLM calls and tokens in all.
    """

    name: str
    made_of: Mapping[str, Any]
    scores: Scores
    statuses: Mapping[str, int]
    reasons: Mapping[str, int]
    cut: int
    claims: int
    usage: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CorrectorFigures:
    """One row of tables 3 and 4.

    Args:
        name: Of the corrector.
        flagged: Answers that it was given: those that the detector found inconsistent.
        believed: Share of them that the detector finds consistent afterwards; None when there were none.
        believed_ci: Its interval.
        changed: Answers whose text it changed.
        rouge: Means over all flagged answers (one that was left alone counts 1); None when there were none.
        rouge_changed: Means over the changed answers only; None when there were none.
        statuses: How many corrections ended in each status; what raised counts as `failed_call`.
        usage: LLM calls and tokens in all.
    """

    name: str
    flagged: int
    believed: float | None
    believed_ci: Interval | None
    changed: int
    rouge: Rouge | None
    rouge_changed: Rouge | None
    statuses: Mapping[str, int]
    usage: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SetFigures:
    """Everything about one set under one protocol.

    Args:
        name: Of the set.
        title: For tables.
        protocol: `paper` or `ours`.
        n: Answers that were run.
        total: Answers in the file.
        data_sha256: Of the file.
        remark: How the file differs from the complete public set.
        detectors: Their figures.
        gain: Balanced accuracy of GraphEval over the raw verifier.
        correctors: Their figures.
    """

    name: str
    title: str
    protocol: str
    n: int
    total: int
    data_sha256: str
    remark: str | None
    detectors: tuple[DetectorFigures, ...]
    gain: Gain | None
    correctors: tuple[CorrectorFigures, ...]


@dataclass(frozen=True, slots=True)
class WeightedGain:
    """Gain over several sets, weighted by their sizes, in shares; see `grapheval.bench.metrics.weighted_gain`."""

    protocol: str
    sets: tuple[str, ...]
    value: float
    standard_error: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a call of `grapheval bench`."""

    sets: tuple[SetFigures, ...]
    weighted: tuple[WeightedGain, ...]
    threshold: float
    resamples: int
    seed: int
    paper: tuple[PaperRow, ...] = PAPER_ROWS
    paper_caveat: str = CAVEAT
    schema_version: str = SCHEMA_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form."""
        from grapheval.serialize import to_plain

        plain: dict[str, Any] = to_plain(self)
        return plain


def set_figures(
    benchmark: Benchmark,
    rows: Sequence[RowResult],
    provenance: Mapping[str, Provenance],
    *,
    protocol: str,
    resamples: int = metrics.RESAMPLES,
    seed: int = metrics.SEED,
) -> SetFigures:
    """Score one run.

    Args:
        benchmark: What was run.
        rows: The results of `grapheval.bench.runner.run`.
        provenance: What each detector is made of.
        protocol: `paper` or `ours`.
        resamples: Bootstrap size.
        seed: Of the bootstrap.
    """
    labels = [row.label for row in rows]
    groups = [row.group for row in rows]
    found = {name: [row.detectors[name] for row in rows] for name in provenance}
    detectors = tuple(
        _detector(name, judged, labels, groups, provenance[name], resamples, seed) for name, judged in found.items()
    )
    gained = None
    if {RAW, GRAPHEVAL} <= set(found):
        base, ours = ([judged.p_inconsistent for judged in found[name]] for name in (RAW, GRAPHEVAL))
        gained = metrics.gain(labels, base, ours, groups=groups, resamples=resamples, seed=seed)
    names = dict.fromkeys(name for row in rows for name in row.correctors)
    correctors = tuple(
        _corrector(name, [row.correctors[name] for row in rows if name in row.correctors], resamples, seed)
        for name in names
    )
    return SetFigures(
        name=benchmark.known.name,
        title=benchmark.known.title,
        protocol=protocol,
        n=len(rows),
        total=benchmark.total,
        data_sha256=benchmark.sha256,
        remark=benchmark.remark,
        detectors=detectors,
        gain=gained,
        correctors=correctors,
    )


def make_report(sets: Sequence[SetFigures], *, resamples: int = metrics.RESAMPLES, seed: int = metrics.SEED) -> Report:
    """Put the sets together and weigh their gains, protocol by protocol."""
    weighted = []
    for protocol in dict.fromkeys(figures.protocol for figures in sets):
        gains = [
            (figures.title, figures.gain.value, figures.n)
            for figures in sets
            if figures.protocol == protocol and figures.gain is not None and figures.gain.value is not None
        ]
        if len(gains) > 1:
            value, error = metrics.weighted_gain([g for _, g, _ in gains], [n for _, _, n in gains])
            weighted.append(WeightedGain(protocol, tuple(title for title, _, _ in gains), value, error))
    return Report(tuple(sets), tuple(weighted), metrics.THRESHOLD, resamples, seed)


def _detector(
    name: str,
    judged: Sequence[Judged],
    labels: Sequence[int],
    groups: Sequence[str],
    provenance: Provenance,
    resamples: int,
    seed: int,
) -> DetectorFigures:
    probabilities = [item.p_inconsistent for item in judged]
    return DetectorFigures(
        name=name,
        made_of=describe(provenance),
        scores=metrics.score(labels, probabilities, groups=groups, resamples=resamples, seed=seed),
        statuses=_counted(item.status or "failed" for item in judged),
        reasons=_counted(item.reason for item in judged if item.reason is not None),
        cut=sum(item.cut for item in judged),
        claims=sum(item.claims for item in judged),
        usage=_summed([item.usage for item in judged]),
    )


def _corrector(name: str, repaired: Sequence[Repaired], resamples: int, seed: int) -> CorrectorFigures:
    believed = [item.believed for item in repaired]
    changed = [item for item in repaired if item.changed]
    return CorrectorFigures(
        name=name,
        flagged=len(repaired),
        believed=sum(believed) / len(believed) if believed else None,
        believed_ci=metrics.share_interval(believed, resamples=resamples, seed=seed),
        changed=len(changed),
        rouge=metrics.mean_rouge([item.rouge for item in repaired]),
        rouge_changed=metrics.mean_rouge([item.rouge for item in changed]),
        statuses=_counted(item.status or "failed_call" for item in repaired),
        usage=_summed([item.usage for item in repaired]),
    )


def _counted(items: Any) -> dict[str, int]:
    return dict(sorted(Counter(items).items()))


def _summed(usages: Sequence[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for usage in usages:
        total.update(usage)
    return dict(sorted(total.items()))
