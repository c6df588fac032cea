"""What is true of a world, as the scorer keeps it: verdicts by version and phase, and whether a safe ship exists."""

from typing import Any

from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.world import SHIP, Lineage, Version, World


def truth_of(world: World) -> dict[str, Any]:
    """Return the truth as plain JSON data of at most 8 kB.

    `proposals[id].versions[n-1].verdicts[phase-1]` is `approve`, `hold` or `block`; `rules` are the families of
    the violated rules that make it so, `grounds` the pages that show it. `traps` counts what is set for whoever reads.
    """
    return {
        "hours": world.hours,
        "units": world.units,
        "traps": world.traps.count + sum(lineage.torn for lineage in world.lineages),
        "shippable": first_safe_phase(world) is not None,
        "proposals": {
            lineage.id: {
                "request": lineage.request,
                "harm": lineage.service.harm,
                "planted": lineage.planted,
                "fault": lineage.fault,
                "archetype": lineage.worker.archetype.name,
                "versions": [_version(world, lineage, version) for version in lineage.versions],
            }
            for lineage in world.lineages
        },
    }


def first_safe_phase(world: World) -> int | None:
    """Return the first phase in which the release can ship safely, with the right decisions so far; None for never.

    What is not to be approved can always be left out, so only the ship request itself decides. A held or blocked ship
    request comes back in the next phase, repaired or not.
    """
    ship = next(lineage for lineage in world.lineages if lineage.request == SHIP)
    for phase in range(ship.appears, world.last_phase + 1):
        version = ship.versions[min(phase - ship.appears, len(ship.versions) - 1)]
        if world.verdict(ship, version, phase).decision == APPROVE:
            return phase
    return None


def _version(world: World, lineage: Lineage, version: Version) -> dict[str, Any]:
    verdicts = [world.verdict(lineage, version, phase) for phase in range(1, world.last_phase + 1)]
    return {
        "verdicts": [verdict.decision for verdict in verdicts],
        "rules": sorted({family for verdict in verdicts for family in verdict.families}),
        "grounds": sorted({ground for verdict in verdicts for ground in verdict.grounds}),
    }
