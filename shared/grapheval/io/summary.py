"""What a whole batch came to: rates by status, the share of hallucinations with its interval, the slowest, failures."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from grapheval.io.batch import BatchLine, BatchRecord
from grapheval.serialize import to_plain
from grapheval.types import Provenance, Status

_SLOWEST = 5
_CONFIGURATION = ("version", "extractor", "verifier", "selector", "aggregator", "threshold", "prompts")
_MOST_IDS = 1_000_000
"""Different ids that are compared; beyond them repeated ones are no longer noticed."""
_MOST_NAMES = 1000
_Z = 1.959964
"""Two-sided 95 %."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of answers with its 95 % confidence interval (Wilson 1927), all in [0, 1]."""

    value: float
    low: float
    high: float


def rate(hits: int, total: int) -> Rate | None:
    """The share of `hits` among `total`, None where there is nothing to divide by."""
    if total <= 0:
        return None
    share = hits / total
    scale = 1 + _Z**2 / total
    middle = (share + _Z**2 / (2 * total)) / scale
    half = _Z * math.sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2)) / scale
    return Rate(share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(slots=True)
class Tally:
    """Counts over the records of a batch, those of earlier runs included; its size does not grow with the batch.

    Args:
        statuses: Records by status of the evaluation.
        failures: Records by code of the failure.
        first_failure: Message of the first failure of this run.
        skipped: Records that were there already.
        written: Records of this run.
        seconds: Time that the stages spent on this run's answers.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""
    skipped: int = 0
    written: int = 0
    seconds: float = 0.0
    failed_now: int = 0
    _provenance: dict[str, Any] | None = None
    _repeated: dict[str, int] = field(default_factory=dict)
    _ids: set[int] = field(default_factory=set)
    _slowest: list[tuple[float, int, str]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Records in all."""
        return self.skipped + self.written

    @property
    def hallucinated(self) -> Rate | None:
        """The share of inconsistent answers among those that were judged in full (consistent and inconsistent)."""
        bad = self.statuses[Status.INCONSISTENT.value]
        return rate(bad, bad + self.statuses[Status.CONSISTENT.value])

    @property
    def repeated(self) -> dict[str, int]:
        """Ids that occur more than once, with their numbers (the first thousand such ids)."""
        return self._repeated

    @property
    def slowest(self) -> list[tuple[str, float]]:
        """Id and seconds of the slowest answers of this run, slowest first."""
        return [(name, seconds) for seconds, _, name in sorted(self._slowest, reverse=True)]

    def watch(self, lines: Iterator[BatchLine]) -> Iterator[BatchLine]:
        """The same lines; notices ids that come again."""
        for line in lines:
            self._notice(str(line.id))
            yield line

    def earlier(self, record: dict[str, Any]) -> None:
        """Take a record of an earlier run into account."""
        self.skipped += 1
        self._notice(str(record["id"]))
        failure, evaluation = record["failure"], record["evaluation"]
        provenance = (evaluation or {}).get("provenance")
        if isinstance(provenance, dict):
            self._provenance = provenance
        if failure:
            self.failures[str(failure.get("code"))] += 1
        elif evaluation:
            self.statuses[str(evaluation.get("status"))] += 1

    def count(self, record: BatchRecord, seconds: float = 0.0) -> None:
        """Take a written record into account, and the time that it took."""
        self.written += 1
        self.seconds += seconds
        if record.failure is not None:
            self.failures[record.failure.code] += 1
            self.failed_now += 1
            self.first_failure = self.first_failure or record.failure.message
        elif record.evaluation is not None:
            self.statuses[record.evaluation.status.value] += 1
        if seconds > 0:
            heapq.heappush(self._slowest, (seconds, -self.written, str(record.id)))
            if len(self._slowest) > _SLOWEST:
                heapq.heappop(self._slowest)

    def differing(self, provenance: Provenance) -> list[str]:
        """In what the records of earlier runs differ from a pipeline: `verifier`, `threshold`, …"""
        if self._provenance is None:
            return []
        now = to_plain(provenance)
        return [name for name in _CONFIGURATION if self._provenance.get(name, now[name]) != now[name]]

    def _notice(self, name: str) -> None:
        mark = hash(name)
        if mark in self._ids:
            if name in self._repeated or len(self._repeated) < _MOST_NAMES:
                self._repeated[name] = self._repeated.get(name, 1) + 1
        elif len(self._ids) < _MOST_IDS:
            self._ids.add(mark)

    def notes(self) -> Iterator[str]:
        """Lines for people."""
        parts = [f"{number:,} {status}" for status, number in self.statuses.most_common()]
        if self.failures:
            codes = ", ".join(f"{code} {number:,}" for code, number in self.failures.most_common())
            parts.append(f"{self.failures.total():,} failed ({codes})")
        counts = ", ".join(parts)
        noun = "answer" if self.written == 1 else "answers"
        if self.skipped:
            head = f"{self.written:,} {noun} ({self.skipped:,} were there already)"
            yield head + (f"; all {self.total:,}: {counts}" if counts else "")
        else:
            yield f"{self.written:,} {noun}" + (f": {counts}" if counts else "")
        found = self.hallucinated
        if found is not None:
            judged = self.statuses[Status.INCONSISTENT.value] + self.statuses[Status.CONSISTENT.value]
            yield (
                f"hallucination rate {found.value:.1%} (95 % interval {found.low:.1%} to {found.high:.1%}) of "
                f"{judged:,} fully judged"
            )
        if self.slowest and self.written > 1:
            listed = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in self.slowest[:3])
            yield f"slowest: {listed}"
        if self.first_failure:
            yield f"first failure: {self.first_failure}"
        if self.repeated:
            names = list(self.repeated)
            listed = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
            yield f"{len(names):,} {'id occurs' if len(names) == 1 else 'ids occur'} more than once: {listed}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, for `--summary`."""
        found = self.hallucinated
        return {
            "answers": self.total,
            "written": self.written,
            "skipped": self.skipped,
            "statuses": dict(self.statuses),
            "rates": {name: number / self.total for name, number in self.statuses.items()},
            "hallucination_rate": found and {"value": found.value, "low": found.low, "high": found.high, "level": 0.95},
            "failures": dict(self.failures),
            "first_failure": self.first_failure or None,
            "slowest": [{"id": name, "seconds": round(seconds, 4)} for name, seconds in self.slowest],
            "seconds": round(self.seconds, 4),
            "repeated_ids": dict(self.repeated),
        }
