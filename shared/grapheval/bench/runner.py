"""Runs detectors and correctors over a benchmark, in batches, resumably."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from grapheval.bench.datasets import Benchmark
from grapheval.bench.metrics import rouge
from grapheval.bench.results import Judged, Repaired, RowResult, judged_from
from grapheval.bench.sets import BenchmarkRow
from grapheval.bench.store import Store
from grapheval.errors import GraphEvalError, InputError
from grapheval.protocols import Corrector
from grapheval.types import Correction, Evaluation, Failure, Provenance, Sample, Status, Usage

RAW = "raw"
GRAPHEVAL = "grapheval"
BATCH = 16
"""Answers between two writes to disk."""


class Detector(Protocol):
    """What the runner needs of a pipeline; `GraphEval` is one."""

    def evaluate(self, answer: Sample, /) -> Evaluation:
        """Judge one answer."""
        ...

    def evaluate_many(self, samples: Iterable[Sample]) -> list[Evaluation | Failure]:
        """Judge many, in order; what raised is a `Failure`."""
        ...

    def provenance(self) -> Provenance:
        """What it is made of."""
        ...


def run(
    benchmark: Benchmark,
    detectors: Mapping[str, Detector],
    correctors: Mapping[str, Corrector] | None = None,
    *,
    protocol: str = "ours",
    file: Path | None = None,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[RowResult]:
    """Judge, and where asked repair, every answer of a benchmark.

    Args:
        benchmark: The answers.
        detectors: By name; the one called `grapheval` decides what is repaired and whether the repair is believed.
        correctors: By name; each gets the answers that `grapheval` finds inconsistent.
        protocol: For the record.
        file: Where results are kept; None = only in memory.
        resume: Skip the answers that `file` already holds, unless they failed for a passing cause.
        progress: Called with the number of answers that were just done (or found done).

    Returns:
        One result per answer, in the benchmark's order. What failed is in them as a `Failure`.

    Raises:
        InputError: There are correctors but no detector `grapheval`, or `file` cannot be used.
    """
    correctors = correctors or {}
    if correctors and GRAPHEVAL not in detectors:
        msg = f"correctors need a detector called {GRAPHEVAL!r}"
        raise InputError(msg)
    store = Store(file, _run_key(benchmark, detectors, correctors, protocol), resume=resume) if file else None
    done = {} if store is None else {name: row for name, row in store.results.items() if not row.retryable}
    tell = progress or (lambda _: None)
    pending = [row for row in benchmark.rows if row.id not in done]
    tell(len(benchmark.rows) - len(pending))
    for start in range(0, len(pending), BATCH):
        fresh = _batch(pending[start : start + BATCH], detectors, correctors)
        if store is not None:
            store.add(fresh)
        done |= {row.id: row for row in fresh}
        tell(len(fresh))
    return [done[row.id] for row in benchmark.rows]


def _run_key(
    benchmark: Benchmark, detectors: Mapping[str, Detector], correctors: Mapping[str, Corrector], protocol: str
) -> dict[str, Any]:
    """What results depend on; the limit is not in it, so that a run can grow."""
    return {
        "set": benchmark.known.name,
        "data": benchmark.sha256,
        "protocol": protocol,
        "detectors": {name: describe(detector.provenance()) for name, detector in detectors.items()},
        "correctors": {name: corrector.info for name, corrector in correctors.items()},
    }


def describe(provenance: Provenance) -> dict[str, Any]:
    """The lasting part of a provenance."""
    return {
        "version": provenance.version,
        "extractor": provenance.extractor,
        "verifier": provenance.verifier,
        "selector": provenance.selector,
        "aggregator": provenance.aggregator,
        "threshold": provenance.threshold,
        "prompts": dict(provenance.prompts),
    }


def _batch(
    rows: Sequence[BenchmarkRow], detectors: Mapping[str, Detector], correctors: Mapping[str, Corrector]
) -> list[RowResult]:
    samples = [row.sample for row in rows]
    by_detector = {name: detector.evaluate_many(samples) for name, detector in detectors.items()}
    results = []
    for i, (row, sample) in enumerate(zip(rows, samples, strict=True)):
        judged: dict[str, Judged] = {name: judged_from(found[i]) for name, found in by_detector.items()}
        repaired: dict[str, Repaired] = {}
        before = by_detector[GRAPHEVAL][i] if correctors else None
        if isinstance(before, Evaluation) and before.status is Status.INCONSISTENT:
            detector = detectors[GRAPHEVAL]
            repaired = {name: _repair(c, sample, before, detector) for name, c in correctors.items()}
        group = hashlib.sha256(row.context.encode("utf-8", "replace")).hexdigest()[:16]
        results.append(RowResult(row.id, row.label, group, judged, repaired))
    return results


def _repair(corrector: Corrector, sample: Sample, before: Evaluation, detector: Detector) -> Repaired:
    try:
        correction = corrector.correct(sample, before, detector.evaluate)
        changed = correction.answer != sample.answer
        after = _after(correction, sample, detector) if changed else None
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything: the answer fails, the run goes on
        if isinstance(error, GraphEvalError):
            failure = Failure(sample.id or "", "correct", error.code, str(error), error.retryable)
        else:
            message = f"{corrector.info} failed: {type(error).__name__}: {error}"
            failure = Failure(sample.id or "", "correct", "model_error", message)
        return Repaired(None, None, False, False, None, rouge(sample.answer, sample.answer), failure=failure)
    return Repaired(
        status=correction.status.value,
        answer=correction.answer,
        changed=changed,
        believed=after is not None and after.status is Status.CONSISTENT,
        p_after=None if after is None else after.p_inconsistent,
        rouge=rouge(sample.answer, correction.answer),
        usage=_counts(correction.usage),
    )


def _after(correction: Correction, sample: Sample, detector: Detector) -> Evaluation:
    if correction.after is not None:
        return correction.after
    return detector.evaluate(Sample(correction.answer, sample.contexts, sample.question, sample.id))


def _counts(usage: Usage) -> dict[str, int]:
    counted = {"calls": usage.calls, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {name: value for name, value in counted.items() if value}
