"""A published NLI model as a verifier: loads on first use, batches by tokens, reports what it could not read."""

from __future__ import annotations

import logging
import math
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import GraphEvalError, InputError, ModelError
from grapheval.extras import require
from grapheval.forks import renew_after_fork
from grapheval.protocols import Judgement, Pair, VerifierInfo
from grapheval.types import Reason
from grapheval.verification.batching import run_batches
from grapheval.verification.claims import normalize_claim
from grapheval.verification.hf import hub
from grapheval.verification.hf.device import is_out_of_memory, pick_device, pick_dtype, release
from grapheval.verification.hf.inputs import cut, has_more_words
from grapheval.verification.hf.scorers import one_line
from grapheval.verification.hf.specs import Kind, Spec
from grapheval.verification.hf.weights import fingerprint

if TYPE_CHECKING:
    from grapheval.verification.hf.scorers import Encoded, Scorer

logger = logging.getLogger(__name__)

_BATCH_TOKENS = {"cpu": 4096, "mps": 8192}
_BATCH_TOKENS_GPU = 32_768
_LONGEST_TOKEN = 100
"""Characters; a claim with more than this for each token of the limit is not even tokenized."""
_FALLBACK_LIMIT = 512
"""For classifiers whose config and tokenizer name no limit."""


class HFVerifier:
    """A model of `SPECS`, or any NLI classifier.

    Args:
        spec: Which model, and how it is called.
        path: Directory to load from instead of the hub.
        revision: Branch, tag or commit instead of the spec's.
        device: `"cpu"`, `"cuda"`, `"cuda:1"`, …; `"auto"` = spread over all (needs accelerate); None = a GPU if there
            is one.
        dtype: `"float32"`, `"bfloat16"`, `"float16"`; None = bfloat16 where the processor computes in it.
        batch_tokens: Most tokens per batch, padding included; None = by device. Halved when memory runs out.
        max_tokens: Longest input instead of the model's own limit.
        window_tokens: Premise length for which the pipeline builds windows, instead of the spec's.
        entailment_label: Name or position of the entailment class, where the model's labels do not say.
        normalize_claims: Give every claim the same final full stop, so that punctuation cannot change a verdict;
            False = as it is (what published scores were computed with).
        tokenizer: Hub id or directory of the tokenizer, where the model's has none (HHEM 2.1).

    Raises:
        MissingExtraError: torch or transformers are not installed.
        InputError: An option makes no sense, or the directory is not there.
    """

    compute_bound = True

    def __init__(
        self,
        spec: Spec,
        *,
        path: str | Path | None = None,
        revision: str | None = None,
        device: str | None = None,
        dtype: str | None = None,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        window_tokens: int | None = None,
        entailment_label: int | str | None = None,
        normalize_claims: bool = True,
        tokenizer: str | None = None,
    ) -> None:
        for module in ("torch", "transformers"):
            require(module, extra="hf")
        for name, value in (("batch_tokens", batch_tokens), ("max_tokens", max_tokens)):
            if value is not None and value < 1:
                msg = f"{name} must be at least 1, not {value}"
                raise InputError(msg)
        self._path = None if path is None else hub.local_directory(path)
        self._spread = device == "auto"
        if self._spread and spec.kind is Kind.HHEM:
            msg = f'{spec.name} is small: name a single device, device="auto" is for models that fit none'
            raise InputError(msg)
        self._device = pick_device(None if self._spread else device)
        self._dtype = pick_dtype(self._device, dtype)
        self.spec = spec
        self._revision = revision or spec.revision
        self._batch_tokens = batch_tokens or _BATCH_TOKENS.get(self._device.type, _BATCH_TOKENS_GPU)
        self._max_tokens = max_tokens
        self._window_tokens = window_tokens or spec.window_tokens
        self._entailment_label = entailment_label
        self._normalize = normalize_claims
        self._tokenizer = tokenizer
        self._version = ""
        self._failed = False
        self._scorer: Scorer | None = None
        self._lock = threading.Lock()
        renew_after_fork(self._after_fork)

    def __getstate__(self) -> dict[str, Any]:
        """Configuration only: the copy in another process loads the model itself."""
        return {key: value for key, value in self.__dict__.items() if key not in {"_lock", "_scorer"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._scorer = None
        self._lock = threading.Lock()
        renew_after_fork(self._after_fork)

    def _after_fork(self) -> None:
        """In the child: torch's threads stayed behind, and an operation that waits for them never ends."""
        self._lock = threading.Lock()
        torch = sys.modules.get("torch")
        if torch is not None:
            torch.set_num_threads(1)

    def __repr__(self) -> str:
        where = f", path={str(self._path)!r}" if self._path is not None else ""
        return f"HFVerifier({self.spec.name!r}{where}, device={str(self._device)!r})"

    @property
    def info(self) -> VerifierInfo:
        """Name, weights' version, limits, languages: loads the model, so that they are the same from the first call on.

        Never raises: of a model that cannot be loaded it says what is known without it, and `verify` says why.
        """
        if self._scorer is None and not self._failed:
            try:
                self._loaded()
            except GraphEvalError as error:
                self._failed = True  # asked for again and again; a hub that is away need not be asked each time
                logger.debug("%s cannot be loaded: %s", self.spec.name, error)
        return VerifierInfo(
            name=self.spec.name,
            version=self._version or self._revision or "",
            max_tokens=self._limit(),
            window_tokens=self._window_tokens,
            languages=self.spec.languages,
        )

    def load(self) -> HFVerifier:
        """Load the model now instead of at the first call.

        Raises:
            InputError: The hub has no such model, or nothing says which of its labels is entailment.
            ModelError: The hub cannot be reached, or the checkpoint is damaged.
        """
        self._loaded()
        return self

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens, without special tokens."""
        return self._loaded().count(texts)

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order; equal pairs are computed once.

        A premise that does not fit is cut at a word's end, and the judgement says `CONTEXT_CUT`. A claim is never cut:
        one that does not fit has no probability and says `CLAIM_TOO_LONG`.

        Raises:
            ModelError: The model cannot be loaded, or fails as a whole.
        """
        scorer = self._loaded()
        keys = [(pair.premise, self._claim(pair.hypothesis)) for pair in pairs]
        unique = list(dict.fromkeys(keys))
        judged = dict(zip(unique, self._judge(scorer, unique), strict=True))
        return [judged[key] for key in keys]

    def _claim(self, claim: str) -> str:
        return normalize_claim(claim) if self._normalize else claim.strip()

    def _judge(self, scorer: Scorer, pairs: list[tuple[str, str]]) -> list[Judgement]:
        reasons: list[Reason | None] = []
        ready: list[tuple[int, Encoded]] = []
        for position, (encoded, reason) in enumerate(self._encode(scorer, pairs)):
            reasons.append(reason)
            if encoded is not None:
                ready.append((position, encoded))
        encodings = [encoded for _, encoded in ready]
        try:
            scored = run_batches(
                [len(encoded.ids) for encoded in encodings],
                self._batch_tokens,
                lambda batch: self._score(scorer, [encodings[index] for index in batch]),
                is_out_of_memory=is_out_of_memory,
                release=partial(release, self._device),
            )
        except GraphEvalError:
            raise
        except Exception as error:
            msg = f"{self.spec.name} failed on {self._device}: {one_line(error)}"
            raise ModelError(msg) from error
        results = [Judgement(None, reason=reason) for reason in reasons]
        for (position, _), judgement in zip(ready, scored, strict=True):
            reason = judgement.reason or reasons[position]
            results[position] = Judgement(judgement.p_entailment, judgement.probabilities, reason)
        return results

    def _score(self, scorer: Scorer, batch: list[Encoded]) -> list[Judgement]:
        torch = require("torch", extra="hf")
        try:
            with torch.inference_mode():
                judgements = scorer.score(batch)
        except Exception as error:
            if len(batch) > 1 or not is_out_of_memory(error):
                raise
            logger.warning(
                "a pair of %d tokens does not fit the memory; max_tokens= lowers the limit", len(batch[0].ids)
            )
            return [Judgement(None, reason=Reason.MODEL_ERROR)]
        return [_sound(judgement) for judgement in judgements]

    def _encode(self, scorer: Scorer, pairs: list[tuple[str, str]]) -> list[tuple[Encoded | None, Reason | None]]:
        limit = self._limit()
        heads = {} if limit is None else self._heads(scorer, {premise for premise, _ in pairs}, limit)
        results: list[tuple[Encoded | None, Reason | None]] = [(None, Reason.NOTHING_TO_CHECK)] * len(pairs)
        judged = []
        for position, (_, claim) in enumerate(pairs):
            if limit is not None and len(claim) > limit * _LONGEST_TOKEN:
                results[position] = (None, Reason.CLAIM_TOO_LONG)
            elif claim:
                judged.append(position)
        texts = [(heads.get(pairs[position][0], pairs[position][0]), pairs[position][1]) for position in judged]
        for position, text, item in zip(judged, texts, scorer.encode(texts), strict=True):
            if limit is None or len(item.ids) <= limit:
                results[position] = (item, Reason.CONTEXT_CUT if pairs[position][0] in heads else None)
            else:
                results[position] = self._shorten(scorer, *text, limit)
        return results

    def _heads(self, scorer: Scorer, premises: set[str], limit: int) -> dict[str, str]:
        """Premises that cannot fit, whatever the claim: their beginnings, so that nothing tokenizes a million words."""
        heads = {}
        for premise in premises:
            # One word is one token or more: with more words than that, counting would be a waste.
            if has_more_words(premise, limit) or (len(premise) > limit and scorer.count([premise])[0] > limit):
                heads[premise] = cut(premise, limit, lambda text: scorer.count([text])[0] <= limit)
        return heads

    def _shorten(self, scorer: Scorer, premise: str, claim: str, limit: int) -> tuple[Encoded | None, Reason | None]:
        def length(text: str) -> int:
            return len(scorer.encode([(text, claim)])[0].ids)

        # A claim that does not fit alone is told at once: no search over a claim of megabytes.
        head = cut(premise, limit, lambda text: length(text) <= limit) if length("") < limit else ""
        if not head:
            return None, Reason.CLAIM_TOO_LONG
        return scorer.encode([(head, claim)])[0], Reason.CONTEXT_CUT

    def _limit(self) -> int | None:
        scorer = self._scorer
        wanted = self._max_tokens or self.spec.max_tokens or (None if scorer is None else scorer.max_tokens)
        if wanted is None and self.spec.kind is Kind.CLASSIFIER:
            wanted = _FALLBACK_LIMIT
        hard = None if scorer is None else scorer.hard_limit
        return wanted if hard is None or wanted is None else min(wanted, hard)

    def _loaded(self) -> Scorer:
        if self._scorer is not None:
            return self._scorer
        with self._lock:
            if self._scorer is None:
                directory = self._path or hub.fetch(self.spec.repo, self._revision)
                self._scorer = self._load(directory)
                self._version = hub.commit_of(directory) or fingerprint(directory)
                self._failed = False
                logger.info("loaded %s on %s in %s", self.spec.name, self._device, self._dtype)
            return self._scorer

    def _load(self, directory: Path) -> Scorer:
        if self.spec.kind is Kind.HHEM:
            from grapheval.verification.hf.hhem import HHEMScorer

            return HHEMScorer.load(directory, self.spec, self._device, self._dtype, tokenizer=self._tokenizer)
        if self.spec.kind is Kind.SEQ2SEQ:
            from grapheval.verification.hf.seq2seq import Seq2SeqScorer

            return Seq2SeqScorer.load(directory, self.spec, self._device, self._dtype, spread=self._spread)
        from grapheval.verification.hf.classifier import ClassifierScorer

        return ClassifierScorer.load(
            directory,
            self.spec,
            self._device,
            self._dtype,
            spread=self._spread,
            entailment_label=self._entailment_label,
        )


def _sound(judgement: Judgement) -> Judgement:
    """The judgement, or none at all where the numbers overflowed: "not a number" is no verdict."""
    p = judgement.p_entailment
    return judgement if p is not None and math.isfinite(p) else Judgement(None, reason=Reason.MODEL_ERROR)
