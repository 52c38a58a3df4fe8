"""Guarding structured data: every string field is an answer of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from grapheval.guard.types import Decision, GuardResult
from grapheval.types import Sample

if TYPE_CHECKING:
    from grapheval.guard.guard import Guard
    from grapheval.types.sample import ContextLike

Path = tuple[str | int, ...]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SERIOUS = (Decision.BLOCKED, Decision.FLAGGED, Decision.UNJUDGED, Decision.CORRECTED, Decision.PASSED)


@dataclass(frozen=True, slots=True)
class FieldsResult:
    """What became of structured data.

    Args:
        data: A copy with repaired fields; the original where nothing was changed.
        decision: The most serious of the fields' decisions.
        results: The guard's result by field; a path is keys, attribute names and positions.
    """

    data: Any
    decision: Decision
    results: Mapping[Path, GuardResult]


def guard_fields(guard: Guard, data: Any, context: ContextLike, question: str | None = None) -> FieldsResult:
    """Guard every string in dictionaries, lists, dataclasses and pydantic objects.

    A field of one or a few words is judged with its name as the question ("capital" -> "What is the capital?"),
    longer text with the question that is given.

    Args:
        guard: Its policy counts for each field.
        data: The structure; keys, numbers and everything that is no string is left alone.
        context: As for `GraphEval.evaluate`.
        question: What was asked.

    Raises:
        InputError: The context cannot be used.
        GuardError: With `on_flagged="raise"`, a field was refused.
    """
    base = Sample("", context, question)
    results = {path: guard.run(_sample(base, path, text)) for path, text in _strings(data, ())}
    return _fields_result(data, results)


async def aguard_fields(guard: Guard, data: Any, context: ContextLike, question: str | None = None) -> FieldsResult:
    """As `guard_fields`, all fields at once."""
    base = Sample("", context, question)
    found = list(_strings(data, ()))
    done = await asyncio.gather(*(guard.arun(_sample(base, path, text)) for path, text in found))
    return _fields_result(data, {path: result for (path, _), result in zip(found, done, strict=True)})


def _sample(base: Sample, path: Path, text: str) -> Sample:
    names = [_CAMEL.sub(" ", part).replace("_", " ") for part in path if isinstance(part, str)]
    short = len(text.split()) <= 5
    question = f"What is the {' of the '.join(name.lower() for name in reversed(names))}?" if short and names else None
    return Sample(text, base.sources, question or base.question)


def _fields_result(data: Any, results: Mapping[Path, GuardResult]) -> FieldsResult:
    changed = {path: result.text for path, result in results.items() if result.text != result.original}
    decisions = {result.decision for result in results.values()}
    decision = next((decision for decision in _SERIOUS if decision in decisions), Decision.PASSED)
    return FieldsResult(_rebuilt(data, (), changed) if changed else data, decision, results)


def _children(data: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(data, Mapping):
        yield from ((key, value) for key, value in data.items() if isinstance(key, str | int))
    elif isinstance(data, list | tuple):
        yield from enumerate(data)
    elif is_dataclass(data) and not isinstance(data, type):
        yield from ((field.name, getattr(data, field.name)) for field in fields(data))
    elif hasattr(type(data), "model_fields"):
        yield from ((name, getattr(data, name)) for name in type(data).model_fields)


def _strings(data: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if type(data) is str:  # enumerations are a choice, not a statement
        if data.strip():
            yield path, data
        return
    for name, value in _children(data):
        yield from _strings(value, (*path, name))


def _rebuilt(data: Any, path: Path, changed: Mapping[Path, str]) -> Any:
    if path in changed:
        return changed[path]
    if not any(key[: len(path)] == path for key in changed):
        return data
    new = {name: _rebuilt(value, (*path, name), changed) for name, value in _children(data)}
    if isinstance(data, Mapping):
        return {**data, **new}
    if isinstance(data, list | tuple):
        values = list(new.values())
        return values if isinstance(data, list) else tuple(values)
    if is_dataclass(data) and not isinstance(data, type):
        return replace(data, **{str(name): value for name, value in new.items()})
    return data.model_copy(update={str(name): value for name, value in new.items()})
