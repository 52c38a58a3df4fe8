"""The bundled verifier: a six-layer cross-encoder in int8, run by onnxruntime, without torch.

Each pair is computed in a run of its own, several runs at once on one thread each. The integer kernels choose their
scales per run, so a pair that shared a batch with others would get slightly different numbers in other company; alone
it always gets the same ones, bit for bit, whatever else is asked. Nothing is spent on padding, and on processors with
few cores this is faster than batches.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grapheval.errors import ModelError
from grapheval.extras import require
from grapheval.forks import renew_after_fork
from grapheval.language import is_english
from grapheval.offload import cores
from grapheval.protocols import Judgement, Pair, VerifierInfo
from grapheval.types import Reason

logger = logging.getLogger(__name__)

MODEL_FOLDER = Path(__file__).resolve().parent.parent / "models" / "bundled"
MODEL_FILE = "model.int8.onnx"
TOKENIZER_FILE = "tokenizer.json"
CONFIG_FILE = "config.json"

WINDOW_TOKENS = 96
"""Premise length that the windows are built for; see tests/benchmarks/long_context.py."""

_SPECIAL = 3
"""[CLS] premise [SEP] claim [SEP]."""
_MOST_THREADS = 8
_CLAIM_ENDINGS = ".!?;:,…。！？؟ \t\n\r"
_CLASSES = ("entailment", "neutral", "contradiction")


class BundledVerifier:
    """The default verifier: English, three classes, in the package.

    The model is loaded on first use, once per instance; instances can be shared by threads, and pickle as their
    configuration. Pairs whose premise does not fit are cut at the premise's end and say so (`context_cut`); claims
    are never cut. The punctuation at a claim's end does not matter.

    Args:
        folder: Where the model's files are; None = in the package.
        threads: Runs at a time; None = the processor's cores (or OMP_NUM_THREADS where it is set), at most eight.
        check_language: Whether pairs that are not in English are left unjudged.
    """

    compute_bound = True

    def __init__(
        self, folder: str | Path | None = None, *, threads: int | None = None, check_language: bool = True
    ) -> None:
        self._folder = Path(folder) if folder is not None else MODEL_FOLDER
        self._threads = threads
        self._check_language = check_language
        self._loaded: _Loaded | None = None
        self._config: _Config | None = None
        self._renew_lock()
        renew_after_fork(self._renew_lock)

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": str(self._folder), "threads": self._threads, "check_language": self._check_language}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"BundledVerifier(folder={str(self._folder)!r})"

    @property
    def info(self) -> VerifierInfo:
        """Name, checksum, limits, languages.

        Raises:
            ModelError: The model's configuration is missing or damaged.
        """
        config = self._read_config()
        return VerifierInfo(
            name="bundled",
            version=config.sha256[:12],
            max_tokens=config.max_tokens,
            window_tokens=WINDOW_TOKENS,
            languages=("en",),
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens, without special tokens.

        Raises:
            ModelError: The model's files are missing or damaged.
            MissingExtraError: The extra `local` is not installed.
        """
        encodings = self._load().tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encodings]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Judge each pair by itself.

        Returns:
            One judgement per pair, in order. Without a probability: `unsupported_language`, `claim_too_long`, or
            `nothing_to_check` for a claim without a word.

        Raises:
            ModelError: The model's files are missing or damaged.
            MissingExtraError: The extra `local` is not installed.
        """
        if not pairs:
            return []
        loaded = self._load()
        keys = [(pair.premise, normal_claim(pair.hypothesis)) for pair in pairs]
        judged: dict[tuple[str, str], Judgement] = {}
        todo: list[tuple[str, str]] = []
        english: dict[str, bool] = {}
        for premise, claim in dict.fromkeys(keys):
            if not any(character.isalnum() for character in claim):
                judged[premise, claim] = Judgement(None, reason=Reason.NOTHING_TO_CHECK)
                continue
            if self._check_language:
                for text in (premise, claim):
                    if text not in english:
                        english[text] = is_english(text)
                if not (english[premise] and english[claim]):
                    judged[premise, claim] = Judgement(None, reason=Reason.UNSUPPORTED_LANGUAGE)
                    continue
            todo.append((premise, claim))
        judged.update(zip(todo, loaded.judge(todo), strict=True))
        return [judged[key] for key in keys]

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def _read_config(self) -> _Config:
        if self._config is None:
            self._config = _Config.read(self._folder)
        return self._config

    def _load(self) -> _Loaded:
        loaded = self._loaded
        if loaded is not None and loaded.process == os.getpid():
            return loaded
        with self._lock:
            if self._loaded is None or self._loaded.process != os.getpid():
                self._loaded = _Loaded.open(self._folder, self._read_config(), self._threads)
            return self._loaded


def normal_claim(claim: str) -> str:
    """The claim with one full stop at its end, whatever stood there."""
    body = claim.strip().rstrip(_CLAIM_ENDINGS)
    return f"{body}." if body else ""


@dataclass(frozen=True, slots=True)
class _Config:
    """What config.json says.

    Args:
        order: Index of entailment, neutral and contradiction among the model's outputs.
        max_tokens: Longest pair, special tokens included.
        sha256: Of the model file.
    """

    order: tuple[int, int, int]
    max_tokens: int
    sha256: str

    @classmethod
    def read(cls, folder: Path) -> _Config:
        path = folder / CONFIG_FILE
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            labels = [str(label).lower() for label in data["labels"]]
            order = tuple(labels.index(name) for name in _CLASSES)
            files = data["sha256"]
            digest = files[MODEL_FILE] if isinstance(files, dict) else files
            limit = int(data["max_length"])
            if len(str(digest)) != 64 or limit < 32 or len(labels) != 3:
                raise ValueError("its values make no sense")
        except OSError as error:
            msg = f"the bundled model is missing ({path}: {error.strerror}): reinstall grapheval"
            raise ModelError(msg) from error
        except (ValueError, KeyError, TypeError) as error:
            msg = f"the bundled model's {path} is damaged ({error}): reinstall grapheval"
            raise ModelError(msg) from error
        return cls((order[0], order[1], order[2]), limit, str(digest))


@dataclass
class _Loaded:
    """The loaded model of one process."""

    session: Any
    tokenizer: Any
    config: _Config
    threads: int
    process: int

    @classmethod
    def open(cls, folder: Path, config: _Config, threads: int | None) -> _Loaded:
        onnxruntime = require("onnxruntime", extra="local")
        tokenizers = require("tokenizers", extra="local")
        require("numpy", extra="local")
        model = _checked_bytes(folder / MODEL_FILE, config.sha256)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        except Exception as error:  # both libraries raise their own and plain exceptions
            msg = f"the bundled model in {folder} cannot be loaded ({error}): reinstall grapheval"
            raise ModelError(msg) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five characters, not the end of the premise
        count = threads or min(_MOST_THREADS, cores())
        logger.debug("bundled model loaded from %s, %d threads", folder, count)
        return cls(session, tokenizer, config, max(1, count), os.getpid())

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="grapheval-bundled")

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (premise, claim) pairs; each alone, the longest first, so that the threads end together."""
        premises = self._encode([premise for premise, _ in pairs])
        claims = self._encode([claim for _, claim in pairs])
        order = sorted(range(len(pairs)), key=lambda n: -len(premises[n]) - len(claims[n]))
        results: list[Judgement | None] = [None] * len(pairs)

        def run(number: int) -> Judgement:
            return self._judge_one(premises[number], claims[number])

        alone = self.threads == 1 or len(pairs) == 1
        for number, judgement in zip(order, map(run, order) if alone else self.pool.map(run, order), strict=True):
            results[number] = judgement
        return [judgement for judgement in results if judgement is not None]

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        distinct = list(dict.fromkeys(texts))
        encodings = self.tokenizer.encode_batch_fast(distinct, add_special_tokens=False)
        ids = {text: encoding.ids for text, encoding in zip(distinct, encodings, strict=True)}
        return [ids[text] for text in texts]

    def _judge_one(self, premise: list[int], claim: list[int]) -> Judgement:
        import numpy as np

        room = self.config.max_tokens - _SPECIAL - len(claim)
        if room < min(len(premise), self.config.max_tokens // 8):
            return Judgement(None, reason=Reason.CLAIM_TOO_LONG)
        reason = Reason.CONTEXT_CUT if len(premise) > room else None
        premise = premise[:room]
        ids = np.array([[self._cls, *premise, self._sep, *claim, self._sep]], dtype=np.int64)
        types = np.zeros_like(ids)
        types[0, len(premise) + 2 :] = 1
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        logits = self.session.run(["logits"], feeds)[0][0].astype(np.float64)
        weights = np.exp(logits - logits.max())
        weights /= weights.sum()
        entailment, neutral, contradiction = (float(weights[index]) for index in self.config.order)
        return Judgement(entailment, (entailment, neutral, contradiction), reason)

    @cached_property
    def _cls(self) -> int:
        return self._special("[CLS]")

    @cached_property
    def _sep(self) -> int:
        return self._special("[SEP]")

    def _special(self, token: str) -> int:
        number = self.tokenizer.token_to_id(token)
        if not isinstance(number, int):
            msg = f"the bundled model's tokenizer has no {token}: reinstall grapheval"
            raise ModelError(msg)
        return number


def _checked_bytes(path: Path, expected: str) -> bytes:
    """The file's bytes, after their checksum has been compared."""
    try:
        data = path.read_bytes()
    except OSError as error:
        msg = f"the bundled model is missing ({path}: {error.strerror}): reinstall grapheval"
        raise ModelError(msg) from error
    digest = hashlib.sha256(data).hexdigest()
    if digest != expected:
        msg = f"the bundled model {path} is damaged (SHA-256 {digest}, expected {expected}): reinstall grapheval"
        raise ModelError(msg)
    return data
