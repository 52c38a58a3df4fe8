"""The names under which language models write the three parts of a triple."""

from __future__ import annotations

import re
from typing import Final

PARTS: Final = ("subject", "relation", "object")

_ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "subject": (
        "subject", "subj", "s", "head", "h", "source", "src", "from", "start", "entity1", "entitya", "headentity",
        "sourceentity", "subjectentity", "arg1", "node1", "sourcenode", "startnode", "headnode", "entity",
    ),
    "relation": (
        "relation", "relationship", "predicate", "pred", "rel", "p", "r", "edge", "verb", "property", "link", "type",
        "relationtype", "relationshiptype", "label", "attribute",
    ),
    "object": (
        "object", "obj", "o", "tail", "t", "target", "tgt", "dst", "to", "end", "entity2", "entityb", "tailentity",
        "targetentity", "objectentity", "arg2", "node2", "targetnode", "endnode", "tailnode", "value",
    ),
}  # fmt: skip

PART_OF: Final[dict[str, str]] = {alias: part for part, aliases in _ALIASES.items() for alias in aliases}
"""Normalised name -> the part that it stands for."""

RANK: Final[dict[str, int]] = {alias: rank for aliases in _ALIASES.values() for rank, alias in enumerate(aliases)}
"""How sure a name is, 0 = surest: an object with both `relation` and `type` has its relation in `relation`."""

LONG_NAMES: Final[frozenset[str]] = frozenset(
    alias for alias in PART_OF if len(alias) > 2 and alias not in {"from", "start", "end", "type", "label", "value"}
)
"""Names that are hardly an ordinary word in front of a colon."""

LABEL_OF_ENTITY: Final = ("name", "id", "text", "label", "value", "title")
"""Where the text stands when a part is an object itself: `{"head": {"name": "Oslo", "type": "City"}}`."""

NOT_TRIPLES: Final[frozenset[str]] = frozenset({"nodes", "entities", "vertices", "thoughts", "reasoning", "steps"})
"""Keys whose lists hold no triples by design."""

NOTHING: Final[frozenset[str]] = frozenset({"null", "none", "nil", "undefined", "nan"})
"""Unquoted words for a missing value, in lower case."""

_SEPARATORS = re.compile(r"[\s_\-.*`\"']+")


def normal(name: str) -> str:
    """`"Head Entity"`, `"head_entity"` and `"**headEntity**"` are one name."""
    return _SEPARATORS.sub("", name[:40]).lower()


def part_of(name: str) -> str | None:
    """`"subject"`, `"relation"` or `"object"`, or None for any other name."""
    return PART_OF.get(normal(name))


def is_header(values: tuple[str, ...] | list[str]) -> bool:
    """Whether three values are the names of the parts: a table's head, or an echo of the instructions."""
    if len(values) != len(PARTS):
        return False
    return all(
        normal(value) in LONG_NAMES and part_of(value) == part for value, part in zip(values, PARTS, strict=True)
    )
