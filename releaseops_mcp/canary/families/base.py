"""What a family is: one lesson about rollouts, planted in a world, and its twin of the opposite truth."""

from collections.abc import Callable
from dataclasses import dataclass, field

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.world import Faults, Incident, Load, Noise, Regression

TWIN = "-twin"
"""Ends the identifier of the opposite case."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a family plants; whatever it leaves None stays as it was drawn."""

    regression: Regression = field(default_factory=Regression)
    incidents: tuple[Incident, ...] = ()
    faults: Faults | None = None
    load: Load | None = None
    noise: Noise | None = None
    interval: int | None = None


Plant = Callable[[Draw, Common, bool], Plan]
"""Plants the family's case (False) or its twin (True); both make the same draws in the same order."""


@dataclass(frozen=True, slots=True)
class Family:
    """One lesson."""

    id: str
    """Unmistakable identifier such as `f07-leak`."""
    title: str
    teaches: str
    """The lesson, in one sentence."""
    plant: Plant
