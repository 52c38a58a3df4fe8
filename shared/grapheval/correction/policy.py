"""What a corrector is told: what happens to a claim that cannot be repaired, and the scale of the probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from grapheval.protocols import Corrector

if TYPE_CHECKING:
    from grapheval.calibration.maps import ProbabilityMap

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


@runtime_checkable
class SupportsScale(Protocol):
    """A corrector that compares probabilities of its own with the pipeline's threshold."""

    def on_scale(self, calibration: ProbabilityMap | None) -> Corrector:
        """The same corrector for a pipeline with that map of its probabilities; None = without one."""
        ...


def on_scale(corrector: Corrector | None, calibration: ProbabilityMap | None) -> Corrector | None:
    """The corrector for a pipeline with a map of its probabilities; as it is where it compares none."""
    return corrector.on_scale(calibration) if isinstance(corrector, SupportsScale) else corrector
