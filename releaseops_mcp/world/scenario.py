"""The operator's name of a world: `gate/<org>/<kind>[-twin]/level-<n>/seed-<n>`; `clean` where nothing is planted."""

import re
from dataclasses import dataclass

from releaseops_mcp.errors import UnknownScenario
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.orgs.loader import has_org, known_orgs, load_org

CLEAN = "clean"
_ID = re.compile(
    r"gate/(?P<org>[a-z0-9-]+)/(?P<kind>[a-z0-9-]+?)(?P<twin>-twin)?/level-(?P<level>[1-5])/seed-(?P<seed>0|[1-9]\d{0,17})"
)


@dataclass(frozen=True, slots=True)
class ScenarioName:
    """A scenario id, parsed."""

    org: str
    kind: str
    """The first planted kind, or CLEAN."""
    twin: bool
    level: int
    seed: int

    @property
    def id(self) -> str:
        """The canonical id."""
        return f"gate/{self.org}/{self.kind}{'-twin' if self.twin else ''}/level-{self.level}/seed-{self.seed}"

    @property
    def pair(self) -> str:
        """What both of a pair of twins share, and all that their draws may depend on."""
        return f"{self.org}/{self.kind}/{self.level}/{self.seed}"

    @property
    def other(self) -> "ScenarioName":
        """The twin of a faulty scenario, or the faulty one of a twin."""
        return ScenarioName(self.org, self.kind, not self.twin, self.level, self.seed)


def parse(scenario_id: str) -> ScenarioName:
    """Return the parts of a scenario id; raises UnknownScenario saying which ids exist."""
    match = _ID.fullmatch(scenario_id)
    if match is None or (match["kind"] == CLEAN and match["twin"]):
        raise UnknownScenario(
            f"no scenario {ascii(scenario_id)[:120]}: name one as gate/<org>/<kind>[-twin]/level-<1..5>/seed-<n>, or "
            "take a ticket from list_scenarios"
        )
    if not has_org(match["org"]):
        raise UnknownScenario(
            f"no organisation {match['org'][:40]!r}: use one of {', '.join(known_orgs())}, or name a file of your own "
            "with --org FILE or RELEASEOPS_ORGS"
        )
    name = ScenarioName(match["org"], match["kind"], bool(match["twin"]), int(match["level"]), int(match["seed"]))
    if name.kind not in (CLEAN, *kinds()):
        raise UnknownScenario(
            f"no kind {name.kind[:40]!r}: `releaseops scenarios list --suite gate` lists the kinds of each organisation"
        )
    if name.kind != CLEAN and kinds()[name.kind] not in plantable(load_org(name.org)):
        raise UnknownScenario(f"organisation {name.org} has no rule or no service that kind {name.kind} could break")
    return name
