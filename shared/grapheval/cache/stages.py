"""Stages that look in a cache before they work.

Verdicts are keyed by the verifier (name, version of its weights, prompts), the claim and the window's text; an LLM's
extractions by the extractor, its prompts, the answer and the question. The version of grapheval is part of every key.
What failed is never kept: no judgement without a probability, no extraction that is incomplete or empty. Verifiers that
cannot say which weights they run are not cached, and neither is the local extractor: it is quicker than most disks.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.cache.store import ResultCache
from grapheval.drive import batch_size_of
from grapheval.errors import InputError
from grapheval.offload import compute_bound
from grapheval.protocols import (
    Extractor,
    Judgement,
    Pair,
    SupportsAsyncExtract,
    SupportsAsyncVerify,
    SupportsPrompts,
    SupportsUsage,
    Verifier,
    VerifierInfo,
)
from grapheval.serialize import from_plain, to_plain
from grapheval.types import Extraction, Outcome, Reason, Sample, Usage

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval


def cached(pipeline: GraphEval, cache: ResultCache | str | Path | None = None) -> GraphEval:
    """A pipeline whose verifier, and whose extractor where it is an LLM, look in a cache first.

    Args:
        pipeline: Any pipeline; it is not changed, and the copy shares its stages.
        cache: A cache, or the path of its file; None = the default file.
    """
    store = cache if isinstance(cache, ResultCache) else ResultCache(cache)
    made = copy.copy(pipeline)
    made.verifier = cached_verifier(pipeline.verifier, store)
    made.extractor = cached_extractor(pipeline.extractor, store)
    return made


def cached_verifier(verifier: Verifier, cache: ResultCache) -> Verifier:
    """The verifier with a cache before it, or itself where nothing pins its weights."""
    if isinstance(verifier, CachedVerifier) or not verifier.info.version:
        return verifier
    kind = AsyncCachedVerifier if isinstance(verifier, SupportsAsyncVerify) else CachedVerifier
    return kind(verifier, cache)


def cached_extractor(extractor: Extractor, cache: ResultCache) -> Extractor:
    """The extractor with a cache before it, or itself where it sends no prompts."""
    if isinstance(extractor, CachedExtractor) or not isinstance(extractor, SupportsPrompts):
        return extractor
    kind = AsyncCachedExtractor if isinstance(extractor, SupportsAsyncExtract) else CachedExtractor
    return kind(extractor, cache)


class _Stage:
    """What both kinds of stage hand through: prompts and usage (of cached results there is none)."""

    def __init__(self, stage: Any, cache: ResultCache) -> None:
        self.stage = stage
        self.cache = cache

    @property
    def compute_bound(self) -> bool:
        """The stage's own."""
        return compute_bound(self.stage)

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """The stage's own."""
        return self.stage.prompt_hashes if isinstance(self.stage, SupportsPrompts) else {}

    def take_usage(self) -> Usage:
        """The stage's own."""
        return self.stage.take_usage() if isinstance(self.stage, SupportsUsage) else Usage()

    def _look(self, keys: Sequence[bytes], read: Callable[[str, int], Any]) -> dict[int, Any]:
        """What is there, by position; values that cannot be read are forgotten."""
        texts = self.cache.get(keys)
        found: dict[int, Any] = {}
        bad = []
        for number, key in enumerate(keys):
            text = texts.get(key)
            if text is not None:
                value = read(text, number)
                if value is None:
                    bad.append(key)
                else:
                    found[number] = value
        if bad:
            self.cache.drop(bad)
        return found


class CachedVerifier(_Stage):
    """A verifier that looks in a cache first. See the module."""

    @property
    def info(self) -> VerifierInfo:
        """The verifier's own."""
        info: VerifierInfo = self.stage.info
        return info

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The verifier's own."""
        counts: list[int] = self.stage.count_tokens(texts)
        return counts

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As the verifier's own; only pairs that are not in the cache reach it."""
        keys = self._keys(pairs)
        found = self._look(keys, _judgement)
        missing = _first_of_each(keys, found)
        fresh = self.stage.verify([pairs[n] for n in missing]) if missing else []
        return self._join(keys, found, missing, fresh)

    def _keys(self, pairs: Sequence[Pair]) -> list[bytes]:
        info = self.info
        base = [info.name, info.version, info.max_tokens, self.prompt_hashes]
        return [_key("verdict", base, [pair.hypothesis, pair.premise]) for pair in pairs]

    def _join(
        self, keys: Sequence[bytes], found: dict[int, Any], missing: Sequence[int], fresh: Sequence[Judgement]
    ) -> list[Judgement]:
        if len(fresh) != len(missing):
            return list(fresh)  # whoever called says what is wrong
        new = dict(zip((keys[n] for n in missing), fresh, strict=True))
        self.cache.put({key: _plain_judgement(j) for key, j in new.items() if j.p_entailment is not None})
        return [found[n] if n in found else new[key] for n, key in enumerate(keys)]


class AsyncCachedVerifier(CachedVerifier):
    """The same for a verifier with a native asynchronous form."""

    async def averify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """As `verify`."""
        keys = self._keys(pairs)
        found = await asyncio.to_thread(self._look, keys, _judgement)
        missing = _first_of_each(keys, found)
        fresh = await self.stage.averify([pairs[n] for n in missing]) if missing else []
        return await asyncio.to_thread(self._join, keys, found, missing, fresh)


class CachedExtractor(_Stage):
    """An extractor that looks in a cache first. See the module."""

    @property
    def info(self) -> str:
        """The extractor's own."""
        return str(self.stage.info)

    @property
    def batch_size(self) -> int:
        """The extractor's own."""
        return batch_size_of(self.stage)

    @property
    def sentence_fallback(self) -> bool | None:
        """The extractor's own, None where it has none."""
        return getattr(self.stage, "sentence_fallback", None)

    def extract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As the extractor's own; only answers that are not in the cache reach it."""
        keys = self._keys(samples)
        found = self._look(keys, _reader(samples))
        missing = _first_of_each(keys, found)
        fresh = self.stage.extract([samples[n] for n in missing]) if missing else []
        return self._join(keys, found, missing, fresh)

    def _keys(self, samples: Sequence[Sample]) -> list[bytes]:
        base = [self.info, self.prompt_hashes]
        return [_key("extraction", base, [sample.answer, sample.question]) for sample in samples]

    def _join(
        self, keys: Sequence[bytes], found: dict[int, Any], missing: Sequence[int], fresh: Sequence[Extraction]
    ) -> list[Extraction]:
        if len(fresh) != len(missing):
            return list(fresh)
        new = dict(zip((keys[n] for n in missing), fresh, strict=True))
        self.cache.put({key: _dump(to_plain(e)) for key, e in new.items() if e.claims and e.outcome is Outcome.OK})
        return [found[n] if n in found else new[key] for n, key in enumerate(keys)]


class AsyncCachedExtractor(CachedExtractor):
    """The same for an extractor with a native asynchronous form."""

    async def aextract(self, samples: Sequence[Sample]) -> list[Extraction]:
        """As `extract`."""
        keys = self._keys(samples)
        found = await asyncio.to_thread(self._look, keys, _reader(samples))
        missing = _first_of_each(keys, found)
        fresh = await self.stage.aextract([samples[n] for n in missing]) if missing else []
        return await asyncio.to_thread(self._join, keys, found, missing, fresh)


def _first_of_each(keys: Sequence[bytes], found: Mapping[int, Any]) -> list[int]:
    """The positions whose results are missing, each key once."""
    first: dict[bytes, int] = {}
    for number, key in enumerate(keys):
        if number not in found:
            first.setdefault(key, number)
    return list(first.values())


def _key(kind: str, base: Sequence[Any], texts: Sequence[str | None]) -> bytes:
    from grapheval import __version__

    # JSON keeps the parts apart, whatever the texts hold.
    return hashlib.sha256(_dump([kind, __version__, base, texts]).encode("utf-8", "surrogatepass")).digest()


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def _plain_judgement(judgement: Judgement) -> str:
    return _dump([judgement.p_entailment, judgement.probabilities, judgement.reason])


def _judgement(text: str, _: int) -> Judgement | None:
    """A judgement from the cache, None for what is none."""
    try:
        p, probabilities, reason = json.loads(text)
        if not _is_probability(p):
            return None
        if probabilities is not None:
            entailment, neutral, contradiction = probabilities
            if not all(map(_is_probability, probabilities)) or abs(sum(probabilities) - 1) > 1e-3:
                return None
            probabilities = (entailment, neutral, contradiction)
        return Judgement(p, probabilities, None if reason is None else Reason(reason))
    except (ValueError, TypeError, RecursionError):
        return None


def _is_probability(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value) and 0.0 <= value <= 1.0


def _reader(samples: Sequence[Sample]) -> Callable[[str, int], Extraction | None]:
    def read(text: str, number: int) -> Extraction | None:
        """An extraction from the cache, None for what is none, or does not fit the answer."""
        try:
            extraction = from_plain(Extraction, json.loads(text))
        except (InputError, ValueError, TypeError, RecursionError):
            return None
        length = len(samples[number].answer)
        spans = [s for c in extraction.claims for s in (c.span, c.parts.subject, c.parts.relation, c.parts.object)]
        fits = all(span is None or 0 <= span.start <= span.end <= length for span in spans)
        return extraction if fits and extraction.claims and extraction.outcome is Outcome.OK else None

    return read
