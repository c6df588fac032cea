"""The facts of a ship request: its rollout, the calendar, drills, the rota, the service's error budget.

Habits write them, kinds replace them; the artefacts are made of what stands here at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from releaseops_mcp.world.artefacts import calendar, drills, incidents, rollout, rota, slo
from releaseops_mcp.world.artefacts.calendar import Freeze
from releaseops_mcp.world.artefacts.drills import Drill
from releaseops_mcp.world.artefacts.incidents import Incident
from releaseops_mcp.world.artefacts.rollout import Rollout
from releaseops_mcp.world.artefacts.rota import Rota
from releaseops_mcp.world.artefacts.slo import Ratio
from releaseops_mcp.world.evidence.sheet import Artefact


@dataclass
class Ship:
    """What is known of a release that is to be shipped."""

    dep: str
    """Id of the deployment that is asked for."""
    rollout: Rollout
    freezes: tuple[Freeze, ...] = ()
    """The change calendar, in order of their start."""
    drills: tuple[Drill, ...] = ()
    """Newest first."""
    rota: Rota | None = None
    ratios: tuple[Ratio, ...] = ()
    incidents: tuple[Incident, ...] = ()


def artefacts_of(ship: Ship, service: str, minute: int) -> Iterator[Artefact]:
    """Yield what can be read: the deployment with its calendar, drills and rota, and the service's health."""
    assert ship.rota is not None
    watch = ship.rota
    yield Artefact(
        ship.dep,
        rollout.FORMAT.tool,
        lambda: (
            *rollout.sheets(ship.dep, ship.rollout),
            *calendar.sheets(ship.dep, ship.freezes),
            *drills.sheets(ship.dep, ship.drills),
            *rota.sheets(ship.dep, watch),
        ),
    )
    yield Artefact(
        service,
        slo.FORMAT.tool,
        lambda: (*slo.sheets(service, ship.ratios, minute), *incidents.sheets(service, ship.incidents)),
    )
