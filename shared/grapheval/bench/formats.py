"""One row of a benchmark file, in its source's own public format or prepared.

Three formats are told apart by their keys:

- **QAGS** (Wang et al. 2020), `mturk_cnndm.jsonl` and `mturk_xsum.jsonl`: `article` and `summary_sentences`, each
  sentence with the crowd's `yes`/`no`. A summary is consistent only if the majority says so of every sentence.
- **SummEval** (Fabbri et al. 2021), `model_annotations.aligned.paired.jsonl`: `decoded`, `expert_annotations` and the
  article as `text`. The distribution's `model_annotations.aligned.jsonl` comes without the articles: it takes the
  CNN/DailyMail `.story` files from `articles`. Consistent = every expert gives 5 for consistency.
- **Prepared**: `id`, `context`, `output`, `label` (1 = inconsistent).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grapheval.bench.sets import KNOWN_SETS, BenchmarkRow, KnownSet
from grapheval.errors import InputError

_TOP_MARK = 5
"""SummEval's best mark for consistency."""


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


def form_of(item: dict[str, Any], known: KnownSet, place: str) -> str:
    """Which format a row has.

    Raises:
        InputError: None of the three, or that of another set.
    """
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


Reader = Callable[[dict[str, Any], KnownSet, str, int, Path | None], BenchmarkRow]
"""(object, set, place for messages, number of the row, directory of articles) -> row."""

READERS: Mapping[str, Reader] = {"prepared": _prepared, "qags": _qags, "summeval": _summeval}
"""By the form that `form_of` finds."""
