"""Between the types and plain JSON data, and the JSON Schemas of the public documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from grapheval.errors import InputError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
_adapters: dict[type[Any], TypeAdapter[Any]] = {}


DERIVED = {"Evaluation": ("groundedness",)}
"""Properties that the plain form of a type holds besides its fields; reading it back ignores them."""


def to_plain(value: Any) -> Any:
    """Dataclasses become dictionaries, tuples lists, enums their values; everything else stays."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)] + [*DERIVED.get(type(value).__name__, ())]
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(cls: type[T], data: Mapping[str, Any]) -> T:
    """Read data that `to_plain` made.

    Raises:
        InputError: The data does not fit; the message names the first place.
    """
    from pydantic import ValidationError

    try:
        return _adapter(cls).validate_python(data)  # type: ignore[no-any-return]
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        msg = f"not a valid {cls.__name__}: {place}: {first['msg']}"
        raise InputError(msg) from error


def json_schema(cls: type[Any]) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of the plain form of a type."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= _adapter(cls).json_schema()
    for name, part in [(cls.__name__, schema), *schema.get("$defs", {}).items()]:
        for derived in DERIVED.get(name, ()):
            part["properties"][derived] = {
                "anyOf": [{"type": "number"}, {"type": "null"}],
                "readOnly": True,
                "title": derived.capitalize(),
            }
    return schema


def _adapter(cls: type[Any]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    if cls not in _adapters:  # building one takes milliseconds
        _adapters[cls] = TypeAdapter(cls)
    return _adapters[cls]
