"""What was found: triples in order, rejected items with reasons, duplicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from grapheval.extraction.parsing.names import is_header
from grapheval.extraction.parsing.strings import has_content
from grapheval.types import Rejected, Triple

MAX_ITEM_CHARS: Final = 200
"""A rejected item is quoted up to this length; the raw reply has it whole."""

MAX_REJECTED: Final = 200
"""More rejected items than this are counted, not listed."""


@dataclass(slots=True)
class Found:
    """The harvest of one region of a reply."""

    triples: list[Triple] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    cut: bool = False
    """The text ended in the middle of an item or a list."""
    empty_list: bool = False
    """A list was there, with nothing in it: the model says that there is nothing to extract."""
    more_rejected: int = 0
    _seen: set[tuple[str, ...]] = field(default_factory=set)

    def take(self, values: list[str], item: str) -> None:
        """Add a triple, or reject it for what is wrong with its values.

        Args:
            values: Subject, relation, object.
            item: The item as it stands in the reply.
        """
        values = [value.strip() for value in values]
        if any(not value for value in values):
            self.reject(item, "a part is empty")
        elif any(not has_content(value) for value in (values[0], values[2])):
            self.reject(item, "a part has no word or number in it")
        elif is_header(values):
            self.reject(item, "names of the parts, not a triple")
        else:
            key = tuple(" ".join(value.split()).casefold() for value in values)
            if key in self._seen:
                self.reject(item, "duplicate")
            else:
                self._seen.add(key)
                self.triples.append(Triple(*values))

    def reject(self, item: str, reason: str) -> None:
        """Keep an item that is no triple, with the reason."""
        if len(self.rejected) >= MAX_REJECTED:
            self.more_rejected += 1
            return
        item = item.strip()
        self.rejected.append(Rejected(item if len(item) <= MAX_ITEM_CHARS else item[:MAX_ITEM_CHARS] + "…", reason))

    def all_rejected(self) -> tuple[Rejected, ...]:
        """The rejected items; a last one says how many are not listed."""
        if not self.more_rejected:
            return tuple(self.rejected)
        return (*self.rejected, Rejected("…", f"{self.more_rejected} more items are not listed"))
