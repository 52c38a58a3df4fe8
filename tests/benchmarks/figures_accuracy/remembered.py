"""Stages that remember: each pair is judged, each answer taken apart and each claim's windows chosen once per run.

The verifier's scores stay on disk, so that a second run, or another configuration of the same pipeline, costs no model
call. They are filed under the checksum of the model: a new model starts from nothing.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from grapheval.drive import batch_size_of
from grapheval.protocols import EvidenceSelector, Extractor, Judgement, Pair, Selected, Verifier, VerifierInfo
from grapheval.types import Claim, Extraction, Reason, Sample, Source

_ASK = 400
"""Keys per query, below SQLite's oldest limit on variables."""
_TABLE = "CREATE TABLE IF NOT EXISTS judgements (key BLOB PRIMARY KEY, p REAL, e REAL, n REAL, c REAL, reason TEXT)"


class RememberedVerifier:
    """A verifier whose judgements are kept in an SQLite file.

    Args:
        verifier: Who judges what is not in the file.
        path: The file; None keeps the judgements in memory.
    """

    def __init__(self, verifier: Verifier, path: Path | None = None) -> None:
        self._verifier = verifier
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(path if path is not None else ":memory:", check_same_thread=False)
        self._file.execute(_TABLE)
        info = verifier.info
        self._model = f"{info.name}@{info.version}"
        self._counts: dict[str, int] = {}
        self.asked = 0
        """Different pairs that were asked for, per call."""
        self.computed = 0
        """Pairs that went to the model."""

    @property
    def info(self) -> VerifierInfo:
        """The verifier's own."""
        return self._verifier.info

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The verifier's own count, remembered for this run."""
        fresh = list(dict.fromkeys(text for text in texts if text not in self._counts))
        if fresh:
            self._counts.update(zip(fresh, self._verifier.count_tokens(fresh), strict=True))
        return [self._counts[text] for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As the verifier's own; judges only what the file lacks."""
        keys = {pair: self._key(pair) for pair in dict.fromkeys(pairs)}
        known = self._read(list(keys.values()))
        missing = [pair for pair, key in keys.items() if key not in known]
        self.asked += len(keys)
        self.computed += len(missing)
        if missing:
            judged = self._verifier.verify(missing)
            rows = [_row(keys[pair], found) for pair, found in zip(missing, judged, strict=True)]
            with self._file:
                self._file.executemany("INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?)", rows)
            known.update({keys[pair]: found for pair, found in zip(missing, judged, strict=True)})
        return [known[keys[pair]] for pair in pairs]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _key(self, pair: Pair) -> bytes:
        parts = (self._model, pair.premise, pair.hypothesis)
        text = "".join(f"{len(part)}:{part}" for part in parts)  # the lengths keep ("a", "bc") and ("ab", "c") apart
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Judgement]:
        found: dict[bytes, Judgement] = {}
        for first in range(0, len(keys), _ASK):
            part = keys[first : first + _ASK]
            marks = ", ".join("?" * len(part))
            for key, p, e, n, c, reason in self._file.execute(
                f"SELECT key, p, e, n, c, reason FROM judgements WHERE key IN ({marks})", part
            ):
                probabilities = None if e is None else (e, n, c)
                found[key] = Judgement(p, probabilities, None if reason is None else Reason(reason))
        return found


def _row(
    key: bytes, judged: Judgement
) -> tuple[bytes, float | None, float | None, float | None, float | None, str | None]:
    e, n, c = judged.probabilities if judged.probabilities is not None else (None, None, None)
    return key, judged.p_entailment, e, n, c, None if judged.reason is None else judged.reason.value


class RememberedExtractor:
    """An extractor that takes each answer apart once.

    Args:
        extractor: Who does it.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._known: dict[tuple[str, str | None], Extraction] = {}

    @property
    def info(self) -> str:
        """The extractor's own."""
        return self._extractor.info

    @property
    def batch_size(self) -> int:
        """The extractor's own."""
        return batch_size_of(self._extractor)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the extractor's own."""
        fresh = {(s.answer, s.question): s for s in samples if (s.answer, s.question) not in self._known}
        if fresh:
            self._known.update(zip(fresh, self._extractor.extract(list(fresh.values())), strict=True))
        return [self._known[s.answer, s.question] for s in samples]


class RememberedSelector:
    """A selector that chooses the windows of the same claims in the same sources once, for one verifier.

    Args:
        selector: Who chooses.
    """

    def __init__(self, selector: EvidenceSelector) -> None:
        self.selector = selector
        self._known: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Selected] = {}

    @property
    def info(self) -> str:
        """The selector's own."""
        return self.selector.info

    def select(
        self,
        claims: Sequence[Claim],
        sources: Sequence[Source],
        count_tokens: Callable[[Sequence[str]], list[int]],
        verifier: VerifierInfo,
    ) -> Selected:
        """As the selector's own."""
        key = (tuple(claim.text for claim in claims), tuple((source.id, source.text) for source in sources))
        if key not in self._known:
            self._known[key] = self.selector.select(claims, sources, count_tokens, verifier)
        return self._known[key]
