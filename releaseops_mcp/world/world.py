"""One generated world: lineages of proposals with their versions, the clock, the units; the truth included."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.evidence.view import CompleteView
from releaseops_mcp.world.hashing import Tree
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.rules.base import Case
from releaseops_mcp.world.scenario import ScenarioName
from releaseops_mcp.world.traps import NONE as NO_TRAPS
from releaseops_mcp.world.traps import Traps
from releaseops_mcp.world.workers.base import Archetype

SHIP = "ship_release_candidate"


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker of this release, with its record."""

    id: str
    role: str
    archetype: Archetype
    rate: float
    """How often it is right, hidden; its record is drawn from it."""
    right: int
    wrong: int


@dataclass(frozen=True)
class Version:
    """One state of a proposal: what it says, what can be read about it, and (hidden) what is true of it."""

    number: int
    claim: str
    refs: tuple[str, ...]
    touches: tuple[str, ...]
    artefacts: Mapping[tuple[str, str], Artefact]
    """By the tool that reads it and its id."""
    tell: str
    """The artefact in which what is planted must be read; the first reference where nothing is."""
    base: Tree | None
    """The tree before the change, where it is one."""
    head: Tree | None
    fix: str
    """What a hold or a block brings: one of `workers.base.FIXES` for a new version, "" for this one again."""

    @cached_property
    def view(self) -> CompleteView:
        """Everything that could be read about it."""
        return CompleteView(self.artefacts)


@dataclass(frozen=True)
class Lineage:
    """A proposal through all its versions."""

    id: str
    request: str
    service: Service
    worker: Worker
    confidence: str
    appears: int
    """The phase in which it is first shown."""
    versions: tuple[Version, ...]
    planted: str
    """Kind and variant of what is planted, for the operator; "" where nothing is."""
    decoy: bool
    """Whether what is planted is there for company only: a twin that no twin scenario turns into a fault."""
    fault: bool
    """Whether the planted item is a fault rather than a twin: what the kind was told, never what decides."""
    torn: bool = False
    """Whether its evidence first contradicts itself."""


@dataclass(frozen=True)
class World:
    """One release."""

    name: ScenarioName
    org: Org
    service: Service
    start: int
    """Minute of the release's clock at which the process begins."""
    hours: float
    """Hours to the deadline at the start."""
    units: int
    """Review units at the start."""
    later_units: int
    """Units that each later phase adds."""
    ship_phase: int
    lineages: tuple[Lineage, ...]
    traps: Traps = NO_TRAPS
    """What goes wrong with reading itself."""

    @property
    def phase_minutes(self) -> int:
        """Length of a phase."""
        return self.org.phase_hours * HOUR

    @property
    def last_phase(self) -> int:
        """The last phase that begins before the deadline."""
        return 1 + int((self.hours * HOUR - 1) // self.phase_minutes)

    def case(self, lineage: Lineage, version: Version, phase: int) -> Case:
        """Return a proposal as the rules are asked about it: at the nominal start of a phase."""
        return Case(
            handbook=self.org,
            request=lineage.request,
            service=lineage.service,
            worker=lineage.worker.id,
            claim=version.claim,
            refs=version.refs,
            touches=frozenset(version.touches),
            minute=self.start + (phase - 1) * self.phase_minutes,
        )

    def verdict(self, lineage: Lineage, version: Version, phase: int) -> Verdict:
        """Return what is true of a version in a phase: the organisation's rules over everything that can be read."""
        key = (lineage.id, version.number, phase)
        if key not in self._verdicts:
            self._verdicts[key] = judge(self.case(lineage, version, phase), version.view)
        return self._verdicts[key]

    @cached_property
    def _verdicts(self) -> dict[tuple[str, int, int], Verdict]:
        """What has been judged before: truth, scorer and solver ask for the same again and again."""
        return {}
