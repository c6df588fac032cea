"""Which rules a release's handbook leaves out: of those that the organisation does not publish, such as can be learnt.

A rule that is in force is either in the handbook or shows in two contrasting precedents: nothing else is scored. So at
the levels without hidden rules the handbook has them all, and at the others it has those that no precedent could show.
"""

from functools import lru_cache

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.levels import Level
from releaseops_mcp.world.orgs.model import Org, Rule, Service
from releaseops_mcp.world.precedents.drawing import Scene, contrast
from releaseops_mcp.world.precedents.subjects.registry import subject_of

MOST_POLICIES = 512
NONE: frozenset[str] = frozenset()
STREAM = "precedents"
"""Name of the stream of random numbers that a world's log is drawn from."""


@lru_cache(maxsize=MOST_POLICIES)
def in_force(org: Org, minute: int) -> Org:
    """Return the organisation with the rules that are in force in a minute; a rule of next week bears on nothing yet.

    Exceptions go with the rules that they name.
    """
    return org.keeping(tuple(rule for rule in org.rules if rule.effective.covers(minute)))


@lru_cache(maxsize=MOST_POLICIES)
def withholding(org: Org, hidden: frozenset[str]) -> Org:
    """Return the organisation whose handbook leaves out these rules and has all others."""
    rules = tuple(
        rule if rule.id in hidden or rule.visibility == "public" else rule.model_copy(update={"visibility": "public"})
        for rule in org.rules
    )
    return org if rules == org.rules else org.model_copy(update={"rules": rules})


def unpublished(full: Org, org: Org, level: Level, service: Service, start: int, family: str, draws: Draws) -> Org:
    """Return the organisation in force with what its handbook leaves out; a rule of `family` is left out first."""
    if not level.hidden:
        return withholding(org, NONE)
    able = learnable(org, service)
    ordered = sorted(draws.child("left out").sample(able, len(able)), key=lambda rule: rule.family != family)
    scene = Scene(full, service, start)
    most = max(1, int(level.hidden * len(org.rules)))
    shown = [rule.id for rule in ordered[:most] if contrast(scene, rule, draws.child(STREAM, rule.id))]
    return withholding(org, frozenset(shown))


def learnable(org: Org, service: Service) -> list[Rule]:
    """Return the rules that bear on a service and may be left out: one a subject, so that one unknown explains all."""
    found: dict[str, Rule] = {}
    for rule in org.rules:
        subject = subject_of(rule.family)
        if rule.visibility != "public" and rule.severity != "warn" and subject is not None:
            found.setdefault(subject.name, rule)
    return [rule for rule in found.values() if not rule.scope.services or service.name in rule.scope.services]
