"""Known mistakes of the parser, put right before anything is read."""

from __future__ import annotations

from collections.abc import Sequence


def mend(low: Sequence[str], tags: Sequence[str], deps: list[str], heads: list[int]) -> None:
    """Correct a tree in place.

    `can hold up to 300 people` is no `hold up`: `up to` belongs to the number.

    Args:
        low: Words in lower case.
        tags: Penn Treebank tags.
        deps: Dependency labels; changed in place.
        heads: Heads; changed in place.
    """
    for up in range(len(low) - 2):
        if low[up] == "up" and low[up + 1] == "to" and tags[up + 2] in {"CD", "$"}:
            _up_to(up, tags, deps, heads)


def _up_to(up: int, tags: Sequence[str], deps: list[str], heads: list[int]) -> None:
    to = up + 1
    if deps[to] == "quantmod" and deps[up] in {"prt", "advmod", "prep"}:
        heads[up], deps[up] = heads[to], "quantmod"
        return
    number = next((i for i in range(to + 1, len(heads)) if heads[i] == to and deps[i] == "pobj"), None)
    verb = heads[up] if heads[to] == up else heads[to]
    if number is None or not tags[verb].startswith("VB") or heads[up] not in {verb, to}:
        return
    if any(heads[i] == verb and deps[i] in {"dobj", "attr"} for i in range(len(heads))):
        return
    heads[number], deps[number] = verb, "dobj"
    for index in (up, to):
        heads[index], deps[index] = number, "quantmod"
