"""The release while it is played: phases, the clock, review units, and where every proposal stands."""

from dataclasses import dataclass, field

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.world import clock
from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.levels import phase_name
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.world import SHIP, Lineage, Version, World

OPEN, APPROVED, BLOCKED, HELD = "open", "approved", "blocked", "held"


@dataclass
class Entry:
    """A proposal's state: the version that is shown and what became of it."""

    lineage: Lineage
    index: int = 0
    status: str = OPEN
    approved_rightly: bool = False

    @property
    def version(self) -> Version:
        """The version that is shown."""
        return self.lineage.versions[self.index]


@dataclass
class Release:
    """One release in the making."""

    world: World
    phase: int = 1
    minutes: int = 0
    """Since the start."""
    units: int = 0
    reviewed_in: int = 0
    """The phase in which a person was last asked to look."""
    entries: list[Entry] = field(default_factory=list[Entry])

    def __post_init__(self) -> None:
        self.units = self.world.units
        self._show()

    @property
    def minutes_left(self) -> int:
        """Until the deadline; never below 0."""
        return max(0, round(self.world.hours * HOUR) - self.minutes)

    def open(self) -> list[Entry]:
        """Return the proposals that wait for a decision."""
        return [entry for entry in self.entries if entry.status == OPEN]

    def find(self, proposal_id: str) -> Entry | None:
        """Return the proposal with this id, or None."""
        return next((entry for entry in self.entries if entry.lineage.id == proposal_id), None)

    def artefact(self, tool: str, artefact_id: str) -> Artefact | None:
        """Return what a tool can read under an id, or None."""
        found = (entry.version.artefacts.get((tool, artefact_id)) for entry in self.entries)
        return next((artefact for artefact in found if artefact), None)

    def approve(self, entry: Entry) -> None:
        """Grant a proposal."""
        entry.status = APPROVED
        verdict = self.world.verdict(entry.lineage, entry.version, self.phase)
        entry.approved_rightly = verdict.decision == APPROVE

    def ships_safely(self, ship: Entry) -> bool:
        """Return whether everything that was approved, the ship request included, was rightly approved."""
        return (
            all(entry.approved_rightly for entry in self.entries if entry.status == APPROVED) and ship.approved_rightly
        )

    def pass_time(self, minutes: int) -> None:
        """Let the clock run."""
        self.minutes += minutes

    def next_phase(self) -> None:
        """Begin the next phase: what was held or blocked comes back, repaired or not, and new proposals appear."""
        self.minutes = max(self.minutes, self.phase * self.world.phase_minutes)
        self.phase += 1
        self.units += self.world.later_units
        for entry in self.entries:
            if entry.status in (HELD, BLOCKED):
                entry.index = min(entry.index + 1, len(entry.lineage.versions) - 1)
                entry.status = OPEN
        self._show()

    def observe(self) -> Json:
        """Return what the supervisor sees."""
        return {
            "organisation": self.world.org.title,
            "service": self.world.service.name,
            "phase": phase_name(self.phase),
            "phase_index": self.phase,
            "time": clock.stamp(self.world.start + self.minutes),
            "phase_hours": self.world.org.phase_hours,
            "hours_left": round(self.minutes_left / HOUR, 2),
            "units_left": self.units,
            "proposals": [_shown(entry) for entry in self.entries],
            "workers": self._workers(),
        }

    def _workers(self) -> list[Json]:
        seen = {entry.lineage.worker.id: entry.lineage.worker for entry in self.entries}
        return [
            {"id": worker.id, "role": worker.role, "right": worker.right, "wrong": worker.wrong}
            for worker in seen.values()
        ]

    def _show(self) -> None:
        self.entries += [Entry(lineage) for lineage in self.world.lineages if lineage.appears == self.phase]


def _shown(entry: Entry) -> Json:
    version = entry.version
    return {
        "id": entry.lineage.id,
        "version": version.number,
        "request": entry.lineage.request,
        "worker": entry.lineage.worker.id,
        "claim": version.claim,
        "confidence": entry.lineage.confidence,
        "refs": list(version.refs),
        "touches": list(version.touches),
        "status": entry.status,
    }


def is_ship(entry: Entry) -> bool:
    """Return whether a proposal asks to ship."""
    return entry.lineage.request == SHIP
