"""Benchmark sets, read from their sources' own public formats or from prepared JSON Lines.

Three formats are told apart by their keys, gzipped or not:

- **QAGS** (Wang et al. 2020), `mturk_cnndm.jsonl` and `mturk_xsum.jsonl`: `article` and `summary_sentences`, each
  sentence with the crowd's `yes`/`no`. A summary is consistent only if the majority says so of every sentence.
- **SummEval** (Fabbri et al. 2021), `model_annotations.aligned.paired.jsonl`: `decoded`, `expert_annotations` and the
  article as `text`. The distribution's `model_annotations.aligned.jsonl` comes without the articles: it takes the
  CNN/DailyMail `.story` files from `articles`. Consistent = every expert gives 5 for consistency.
- **Prepared**: `id`, `context`, `output`, `label` (1 = inconsistent).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grapheval.errors import InputError
from grapheval.types import Sample

_GZIP_MAGIC = b"\x1f\x8b"
_TOP_MARK = 5
"""SummEval's best mark for consistency."""


@dataclass(frozen=True, slots=True)
class KnownSet:
    """What is known of a set in advance.

    Args:
        name: The name that the command line takes.
        title: Name for tables.
        size: Number of answers in the complete set.
        inconsistent: How many of them are inconsistent.
        files: File names that it goes by, in order of preference.
    """

    name: str
    title: str
    size: int
    inconsistent: int
    files: tuple[str, ...]


KNOWN_SETS = {
    known.name: known
    for known in (
        KnownSet(
            "summeval",
            "SummEval",
            1600,
            294,
            (
                "summeval.jsonl.gz",
                "summeval.jsonl",
                "model_annotations.aligned.paired.jsonl",
                "model_annotations.aligned.jsonl",
            ),
        ),
        KnownSet("qags-c", "QAGS-C", 235, 122, ("qags_c.jsonl.gz", "qags_c.jsonl", "mturk_cnndm.jsonl")),
        KnownSet("qags-x", "QAGS-X", 239, 123, ("qags_x.jsonl.gz", "qags_x.jsonl", "mturk_xsum.jsonl")),
    )
}


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One answer with the label that people gave it.

    Args:
        id: Unique in its set.
        answer: The text to judge.
        context: What it must be grounded in.
        label: 1 = inconsistent (at least one piece is not grounded), 0 = consistent.
    """

    id: str
    answer: str
    context: str
    label: int

    @property
    def sample(self) -> Sample:
        """The row as the pipeline takes it; the label stays behind."""
        return Sample(self.answer, self.context, id=self.id)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set that was read.

    Args:
        known: Which set it is.
        rows: In the file's order.
        sha256: Of the file as it lies on disk.
        form: Which of the three formats it had.
        total: Rows of the file, before any limit.
    """

    known: KnownSet
    rows: tuple[BenchmarkRow, ...]
    sha256: str
    form: str
    total: int

    @property
    def remark(self) -> str | None:
        """How the file differs from the complete public set, None where it does not."""
        if self.total != self.known.size:
            return f"the file holds {self.total} rows, the complete set {self.known.size}"
        if len(self.rows) < self.total:
            return None  # a limit was asked for: the shares differ by design
        found = sum(row.label for row in self.rows)
        if found != self.known.inconsistent:
            return f"{found} rows are inconsistent, in the complete set {self.known.inconsistent}"
        return None


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


T = TypeVar("T", bound=BaseModel)


class _Prepared(_Lenient):
    id: str
    context: str
    output: str
    label: Literal[0, 1]


class _Vote(_Lenient):
    response: Literal["yes", "no"]


class _VotedSentence(_Lenient):
    sentence: str
    responses: list[_Vote] = Field(min_length=1)


class _Qags(_Lenient):
    article: str
    summary_sentences: list[_VotedSentence] = Field(min_length=1)


class _ExpertMarks(_Lenient):
    consistency: float = Field(ge=1, le=_TOP_MARK)


class _SummEval(_Lenient):
    id: str
    model_id: str = ""
    decoded: str
    expert_annotations: list[_ExpertMarks] = Field(min_length=1)
    text: str | None = None
    filepath: str | None = None


def known_set(name: str) -> KnownSet:
    """Look a set up by name.

    Raises:
        InputError: There is none of that name.
    """
    try:
        return KNOWN_SETS[name.lower().replace("_", "-")]
    except KeyError:
        msg = f"no benchmark is called {name!r}; there are {', '.join(KNOWN_SETS)}"
        raise InputError(msg) from None


def find_file(known: KnownSet, path: Path) -> Path:
    """The set's file: `path` itself, or, where that is a directory, the file in it that goes by a known name.

    Raises:
        InputError: There is no such file.
    """
    if path.is_file():
        return path
    if path.is_dir():
        for name in known.files:
            if (path / name).is_file():
                return path / name
        msg = f"{path} holds no file of {known.title}; looked for {', '.join(known.files)}"
        raise InputError(msg)
    msg = f"no such file: {path}"
    raise InputError(msg)


def read_benchmark(
    name: str, path: str | Path, *, articles: str | Path | None = None, limit: int | None = None
) -> Benchmark:
    """Read a benchmark set.

    Args:
        name: `summeval`, `qags-c` or `qags-x`.
        path: The file, or a directory that holds it under one of its usual names.
        articles: Directory of CNN/DailyMail `.story` files, for SummEval annotations without the articles.
        limit: Keep this many rows: always the same ones, spread over the file, and a larger limit keeps them all.

    Raises:
        InputError: The file cannot be read, is not of a known format, or is of another set.
    """
    known = known_set(name)
    if limit is not None and limit < 1:
        msg = f"the limit must be at least 1, not {limit}"
        raise InputError(msg)
    file = find_file(known, Path(path))
    try:
        raw = file.read_bytes()
        text = (gzip.decompress(raw) if raw.startswith(_GZIP_MAGIC) else raw).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        msg = f"cannot read {file}: {error}"
        raise InputError(msg) from error
    rows: list[BenchmarkRow] = []
    form = ""
    for place, item in _objects(text, file):
        form = form or _form_of(item, known, place)
        rows.append(_READERS[form](item, known, place, len(rows), Path(articles) if articles else None))
    if not rows:
        msg = f"{file} holds no rows"
        raise InputError(msg)
    ids = {row.id for row in rows}
    if len(ids) < len(rows):
        msg = f"{file}: {len(rows) - len(ids)} rows repeat the id of another row"
        raise InputError(msg)
    return Benchmark(known, _limited(rows, limit), hashlib.sha256(raw).hexdigest(), form, len(rows))


def _objects(text: str, file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file}, line {number}"
        try:
            item = json.loads(line)
        except ValueError as error:
            msg = f"{place}: not JSON ({error})"
            raise InputError(msg) from error
        if not isinstance(item, dict):
            msg = f"{place}: must be a JSON object, not {type(item).__name__}"
            raise InputError(msg)
        yield place, item


def _form_of(item: dict[str, Any], known: KnownSet, place: str) -> str:
    if "summary_sentences" in item:
        form, fits = "qags", known.name.startswith("qags")
    elif "expert_annotations" in item:
        form, fits = "summeval", known.name == "summeval"
    elif "output" in item and "label" in item:
        # Prepared QAGS files name their set in the ids; SummEval's ids are the articles' own.
        others = [name for name in KNOWN_SETS if name != known.name]
        form, fits = "prepared", not str(item.get("id", "")).startswith(tuple(f"{name}/" for name in others))
    else:
        msg = (
            f"{place}: neither QAGS (summary_sentences), nor SummEval (expert_annotations), nor prepared rows"
            f" (output, label); its keys are {sorted(item)}"
        )
        raise InputError(msg)
    if not fits:
        msg = f"{place}: this is not a file of {known.title}"
        raise InputError(msg)
    return form


def _validated(model: type[T], item: dict[str, Any], place: str) -> T:
    try:
        return model.model_validate(item)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        msg = f"{place}: {where}: {first['msg']}"
        raise InputError(msg) from error


def _prepared(item: dict[str, Any], _known: KnownSet, place: str, _number: int, _articles: Path | None) -> BenchmarkRow:
    row = _validated(_Prepared, item, place)
    return BenchmarkRow(row.id, row.output, row.context, row.label)


def _qags(item: dict[str, Any], known: KnownSet, place: str, number: int, _articles: Path | None) -> BenchmarkRow:
    row = _validated(_Qags, item, place)
    consistent = all(_majority_says_yes(sentence.responses) for sentence in row.summary_sentences)
    answer = " ".join(sentence.sentence for sentence in row.summary_sentences)
    return BenchmarkRow(f"{known.name}/{number}", answer, row.article, int(not consistent))


def _majority_says_yes(votes: Sequence[_Vote]) -> bool:
    """A tie is no majority."""
    return 2 * sum(vote.response == "yes" for vote in votes) > len(votes)


def _summeval(item: dict[str, Any], _known: KnownSet, place: str, _number: int, articles: Path | None) -> BenchmarkRow:
    row = _validated(_SummEval, item, place)
    consistent = all(marks.consistency == _TOP_MARK for marks in row.expert_annotations)
    name = f"{row.id}/{row.model_id}" if row.model_id else row.id
    return BenchmarkRow(name, row.decoded, _article(row, articles, place), int(not consistent))


def _article(row: _SummEval, articles: Path | None, place: str) -> str:
    if row.text is not None:
        return row.text
    if articles is None or not row.filepath:
        msg = f"{place}: the article is not in the file: name the directory of CNN/DailyMail stories (--articles)"
        raise InputError(msg)
    base = articles.resolve()
    for candidate in (base / row.filepath, base / Path(row.filepath).name):
        # The path comes from the data: it must not lead out of the directory.
        inside = candidate.resolve()
        if inside.is_relative_to(base) and inside.is_file():
            try:
                return _story(inside.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                msg = f"cannot read {inside}: {error}"
                raise InputError(msg) from error
    msg = f"{place}: {articles} holds no {Path(row.filepath).name}"
    raise InputError(msg)


def _story(text: str) -> str:
    """The article of a CNN/DailyMail story: what precedes the first highlight, its lines joined."""
    body = text.partition("@highlight")[0]
    return " ".join(line.strip() for line in body.splitlines() if line.strip())


def _limited(rows: list[BenchmarkRow], limit: int | None) -> tuple[BenchmarkRow, ...]:
    if limit is None or limit >= len(rows):
        return tuple(rows)
    # By the hash of the id: the same rows everywhere, spread over the articles, nested for growing limits.
    chosen = sorted(rows, key=lambda row: hashlib.sha256(row.id.encode("utf-8", "replace")).digest())[:limit]
    kept = {row.id for row in chosen}
    return tuple(row for row in rows if row.id in kept)


_Reader = Callable[[dict[str, Any], KnownSet, str, int, Path | None], BenchmarkRow]
_READERS: dict[str, _Reader] = {"prepared": _prepared, "qags": _qags, "summeval": _summeval}
