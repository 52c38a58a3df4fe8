"""True sentences with one thing made wrong, and the passages that still decide it.

The sentences are those of the dev summaries that people annotated as correct: written by summarizers, so that the
document states each of them in other words. A sentence that stands in its document almost as it is (a run of more than
60 % of its words) is left out: copying the nearest sentence would restore it. One thing is changed: a name (another of
its kind, half of them from the same document), a number, a date, the polarity, or the roles of two names.
"""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

import random
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from grapheval import Sample
from grapheval.context.quantities import numbers
from grapheval.context.sentences import split_sentences
from grapheval.context.words import WORD, fold, term
from tests.benchmarks.data import DEFAULT, rows

SAME = 0.6
_MOST = 2
"""Names, numbers and dates of one sentence that are changed, each alone."""
KINDS = ("name", "number", "date", "negation", "roles")

_TYPES = {"PERSON": "person", "GPE": "place", "LOC": "place", "ORG": "body", "NORP": "group"}
_MONTHS = "January February March April June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(r"(?<![\w.,$£€-])\d(?:[\d,]*\d)?(?:\.\d+)?(?![\w-]*\w)(?!\.\d)|\b(?:" + "|".join(_WORDS) + r")\b")
_DATE = re.compile(r"\b(?:" + "|".join(_MONTHS + _DAYS) + r")\b|\b(?:19|20)\d\d\b")
_BE = re.compile(r"\b(was|were|is|are|has|have|had|will|can|could)\b (?!not\b|n't\b)")


@dataclass(frozen=True, slots=True)
class Corruption:
    """A true sentence and its false twin.

    Args:
        kind: One of `KINDS`.
        true: The sentence.
        sample: The false sentence as the answer, the document as its context.
        right: The words that were replaced; "" for polarity and roles.
        wrong: The words that were put there.
        half: Which half of the dev summaries it comes from.
    """

    kind: str
    true: str
    sample: Sample
    right: str = ""
    wrong: str = ""
    half: str = ""


def corruptions(
    data: Path = DEFAULT, limit: int = 1000, seed: int = 7, half: Literal["tuning", "held out"] | None = None
) -> list[Corruption]:
    """Up to `limit` corruptions, kinds in turn, always the same ones for a seed.

    Args:
        data: The folder of the data.
        limit: Most corruptions.
        seed: Of the choices.
        half: Only those of the documents that the repair's limits are fitted on, or only those of the others.
    """
    rng = random.Random(seed)
    found: dict[str, list[Corruption]] = defaultdict(list)
    documents = [r for r in rows("factuality/summaries", data) if r["error_type"] in {"correct", ""}]
    documents = [r for r in documents if half is None or half_of(r) == half]
    rng.shuffle(documents)
    pool = [r["context"] for r in documents[:40]]
    need = max(1, limit // 3)
    for row in documents:
        for sentence in _usable(row):
            for made in _made(sentence, row, pool, rng):
                found[made.kind].append(replace(made, half=half_of(row)))
        if len(found) == len(KINDS) and all(len(found[kind]) >= need for kind in ("name", "number", "negation")):
            break
    mixed: list[Corruption] = []
    for place in range(max(map(len, found.values()), default=0)):
        mixed += [found[kind][place] for kind in KINDS if place < len(found[kind])]
    return mixed[:limit]


def half_of(row: dict[str, Any]) -> Literal["tuning", "held out"]:
    """Which half of the dev summaries a row belongs to: by its document, so that both hold all of one."""
    return "tuning" if zlib.crc32(row["context"].encode()) % 2 else "held out"


def _usable(row: dict[str, Any]) -> Iterator[str]:
    output = str(row["output"])
    document = _terms(row["context"])
    for span in split_sentences(output):
        text = span.of(output)
        terms = _terms(text)
        claims = text[0].isupper() and not text.rstrip("'\" ").endswith("?")
        if 6 <= len(terms) <= 40 and claims and _longest_run(terms, document) <= SAME * len(terms):
            yield text


def _terms(text: str) -> list[str]:
    return [term(fold(word)) for word in WORD.findall(text)]


def _longest_run(terms: Sequence[str], document: Sequence[str]) -> int:
    places: dict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(document):
        places[word].append(number)
    best = 0
    for start in range(len(terms)):
        for place in places.get(terms[start], ()):
            length = 0
            while (
                start + length < len(terms)
                and place + length < len(document)
                and terms[start + length] == document[place + length]
            ):
                length += 1
            best = max(best, length)
    return best


def _made(sentence: str, row: dict[str, Any], pool: Sequence[str], rng: random.Random) -> Iterator[Corruption]:
    context = row["context"]
    known = frozenset(_terms(context))

    def made(kind: str, start: int, end: int, new: str) -> Corruption:
        text = sentence[:start] + new + sentence[end:]
        return Corruption(kind, sentence, Sample(text, context), sentence[start:end], new)

    names = [n for n in _names(sentence) if set(_terms(n[2])) <= known]
    for start, end, text, kind in rng.sample(names, min(_MOST, len(names))):
        other = _other_name(text, kind, sentence, context, pool, rng)
        if other:
            yield made("name", start, end, other)
    stated = [m for m in _NUMBER.finditer(sentence) if numbers(m[0]) <= numbers(context) and not _DATE.fullmatch(m[0])]
    for match in rng.sample(stated, min(_MOST, len(stated))):
        yield made("number", *match.span(), _other_number(match[0], rng))
    dates = [m for m in _DATE.finditer(sentence) if m[0] in context]
    for match in rng.sample(dates, min(_MOST, len(dates))):
        yield made("date", *match.span(), _other_date(match[0], rng))
    verb = _BE.search(sentence)
    if verb and " not " not in sentence and "n't" not in sentence:
        text = f"{sentence[: verb.end(1)]} not{sentence[verb.end(1) :]}"
        yield Corruption("negation", sentence, Sample(text, context))
    for left, right in pairwise(names):
        between = sentence[left[1] : right[0]]
        if left[3] == right[3] and len(between.split()) >= 1 and not re.search(r"\b(?:and|or|with)\b|,", between):
            text = sentence[: left[0]] + right[2] + between + left[2] + sentence[right[1] :]
            yield Corruption("roles", sentence, Sample(text, context), f"{left[2]}|{right[2]}")
            break


_READ: dict[str, list[tuple[int, int, str, str]]] = {}


def _names(text: str) -> list[tuple[int, int, str, str]]:
    """(start, end, text, kind) of the names of a text, as the entity recogniser finds them."""
    from grapheval.extraction.english import load_english, load_entities

    if text not in _READ:
        document = load_entities()(load_english().nlp.make_doc(text[:3000]))
        found = []
        for entity in document.ents:
            kind = _TYPES.get(entity.label_)
            name = entity.text.removesuffix("'s").removesuffix("’s").strip()
            skip = 4 if name.lower().startswith("the ") else 0
            if kind and name[skip:][:1].isupper() and "\n" not in name:
                start = entity.start_char + skip
                found.append((start, start + len(name) - skip, name[skip:], kind))
        _READ[text] = found
    return _READ[text]


def _other_name(old: str, kind: str, sentence: str, context: str, pool: Sequence[str], rng: random.Random) -> str:
    words = set(_terms(old))
    own = rng.random() < 0.5
    texts = [context] if own else rng.sample(list(pool), min(4, len(pool)))
    options = {
        name
        for text in texts
        for _, _, name, other in _names(text)
        if other == kind and not words & set(_terms(name)) and not set(_terms(name)) & set(_terms(sentence))
    }
    return rng.choice(sorted(options)) if options else ""


def _other_number(old: str, rng: random.Random) -> str:
    if old in _WORDS:
        return rng.choice([word for word in _WORDS if word != old])
    value = float(old.replace(",", ""))
    new = value
    while new == value:
        new = rng.choice([value + rng.randint(1, 9), max(1, value - rng.randint(1, 9)), 2 * value, 10 * value])
    return f"{new:,.0f}" if "," in old else f"{new:g}" if value < 1e6 else f"{new:.0f}"


def _other_date(old: str, rng: random.Random) -> str:
    for names in (_MONTHS, _DAYS):
        if old in names:
            return rng.choice([name for name in names if name != old])
    return str(int(old) + rng.choice([-12, -7, -3, -1, 1, 2, 5]))


def restored(item: Corruption, repaired: str) -> bool:
    """Whether a repair put the right value back: the wrong words are gone, and the right ones stand there.

    Args:
        item: The corruption.
        repaired: The answer after the repair.
    """
    text, false = repaired, item.sample.answer
    if text == false:
        return False
    if item.kind in {"negation", "roles"}:
        return _plain(text) == _plain(item.true)
    right, wrong = set(_terms(item.right)), set(_terms(item.wrong))
    rest = set(_terms(false)) - wrong
    have = set(_terms(text))
    back = numbers(item.right) <= numbers(text) if numbers(item.right) else len(right & have) >= 0.5 * len(right)
    return back and not (wrong - right - rest) & have and len(rest - have) <= 0.2 * len(rest)


def _plain(text: str) -> list[str]:
    return [word for word in _terms(text) if word not in {"did", "do", "doe"}]
