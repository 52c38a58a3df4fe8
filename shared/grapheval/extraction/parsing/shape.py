"""Which groups are triples: three values in a list, or an object with the three parts under usual names."""

from __future__ import annotations

from grapheval.extraction.parsing.collect import MAX_ITEM_CHARS, Found
from grapheval.extraction.parsing.lines import split_joined
from grapheval.extraction.parsing.names import LABEL_OF_ENTITY, NOT_TRIPLES, PARTS, RANK, normal, part_of
from grapheval.extraction.parsing.reader import Group, Scalar


def harvest(group: Group, text: str, found: Found, *, quiet: bool) -> None:
    """Collect the triples of an outermost group and of what is nested in it.

    Args:
        group: What the reader returned.
        text: The whole reply, to quote rejected items from.
        found: Collects the result.
        quiet: Do not report groups that never looked like a triple (brackets in prose).
    """
    if group.cut and (not quiet or _looks_cut(group)):
        found.cut = True
    stack: list[Group] = [group]
    while stack:
        current = stack.pop()
        inner = _read(current, text, found, quiet=quiet)
        stack.extend(reversed(inner))


def _looks_cut(group: Group) -> bool:
    """Whether brackets in prose that never close began a list, and are not just a stray mark."""
    return len(group.items) > 1 or any(isinstance(i, Group) for i in group.items) or bool(group.items and group.broken)


def _read(group: Group, text: str, found: Found, *, quiet: bool) -> list[Group]:
    """Take or reject one group; returns the groups inside that may hold triples."""
    end = group.end if group.end >= 0 else len(text)
    item = text[group.start : min(end, group.start + MAX_ITEM_CHARS + 1)]
    if not group.items:
        if group.broken:
            found.reject(item, group.broken)
        elif not group.cut:
            found.empty_list = True
        return []
    if any(group.keys):
        return _object(group, item, found, quiet=quiet)
    scalars = [entry for entry in group.items if isinstance(entry, Scalar)]
    groups = [entry for entry in group.items if isinstance(entry, Group)]
    if not groups:
        _list_of_values(group, scalars, item, found, quiet=quiet)
        return []
    if not scalars:
        return groups
    return _mixed(group, groups, item, found)


def _list_of_values(group: Group, values: list[Scalar], item: str, found: Found, *, quiet: bool) -> None:
    if group.cut or group.broken:
        found.reject(item, group.broken or "cut off")
        return
    joined = [split_joined(value.text) for value in values] if not any(value.missing for value in values) else []
    if joined and all(joined):  # a list of triples, each of them one string
        for parts, value in zip(joined, values, strict=True):
            if parts is not None:
                found.take(parts, value.text)
        return
    if quiet and len(values) == 1:
        return
    if any(value.missing for value in values):
        found.reject(item, "a part is null")
    elif len(values) != len(PARTS):
        found.reject(item, f"{len(values)} value{'s' * (len(values) != 1)}, a triple has 3")
    else:
        found.take([value.text for value in values], item)


def _mixed(group: Group, groups: list[Group], item: str, found: Found) -> list[Group]:
    """Values and groups in one list."""
    leading = 0
    while leading < len(group.items) and isinstance(group.items[leading], Scalar):
        leading += 1
    if leading == len(PARTS):  # the triple's own bracket was forgotten, the next ones follow
        values = [entry.text for entry in group.items[:leading] if isinstance(entry, Scalar)]
        found.take(values, ", ".join(values))
    elif leading and len(group.items) <= len(PARTS) + 1:
        found.reject(item, "a part is a list or an object" if not group.cut else "cut off")
        return []
    for entry in group.items[leading if leading == len(PARTS) else 0 :]:
        if isinstance(entry, Scalar):
            found.reject(entry.text, "a single value, not a triple")
    return groups


def _object(group: Group, item: str, found: Found, *, quiet: bool) -> list[Group]:
    best: dict[str, tuple[int, Scalar | Group]] = {}
    for key, entry in zip(group.keys, group.items, strict=True):
        part = part_of(key or "")
        if part is not None:
            rank = RANK[normal(key or "")]
            if part not in best or rank < best[part][0]:
                best[part] = (rank, entry)
    inner = [
        entry
        for key, entry in zip(group.keys, group.items, strict=True)
        if isinstance(entry, Group) and normal(key or "") not in NOT_TRIPLES
    ]
    holds_list = any(entry.opener != "{" for entry in inner)
    if len(best) < len(PARTS):
        if inner and (holds_list or len(best) < 2):
            return inner  # a wrapper, such as {"triples": [...]}
        if not (quiet and not best):
            missing = [part for part in PARTS if part not in best]
            reason = f"no {' and no '.join(missing)}" if not group.cut else "cut off"
            found.reject(item, group.broken or reason)
        return []
    if group.cut or group.broken:
        found.reject(item, group.broken or "cut off")
        return []
    values = []
    for part in PARTS:
        value = _text_of(best[part][1])
        if value is None:
            found.reject(item, f"the {part} is null, a list or an object")
            return []
        values.append(value)
    found.take(values, item)
    return []


def _text_of(entry: Scalar | Group) -> str | None:
    """A part's text; of an object its name; None = there is none."""
    if isinstance(entry, Scalar):
        return None if entry.missing else entry.text
    by_key = {normal(key or ""): value for key, value in zip(entry.keys, entry.items, strict=True)}
    for name in LABEL_OF_ENTITY:
        value = by_key.get(name)
        if isinstance(value, Scalar) and not value.missing:
            return value.text
    if len(entry.items) == 1 and isinstance(entry.items[0], Scalar) and not entry.items[0].missing:
        return entry.items[0].text
    return None
