"""What happens to a flagged claim that cannot be repaired: left, dropped, or marked."""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

from grapheval.protocols import Corrector

Unrepairable = Literal["drop", "keep", "mark"]


@runtime_checkable
class SupportsUnrepaired(Protocol):
    """A corrector that can be told what to do with what it cannot repair."""

    def leaving(self, unrepaired: Unrepairable) -> Corrector:
        """The same corrector with that policy."""
        ...


def leaving(corrector: Corrector, unrepaired: Unrepairable) -> Corrector:
    """The corrector with a policy for what it cannot repair; as it is where it knows none."""
    return corrector.leaving(unrepaired) if isinstance(corrector, SupportsUnrepaired) else corrector
