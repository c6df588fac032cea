"""Hidden rules can be learnt: after twelve releases' precedents a learner decides as the organisation does.

The learner reads nothing but the pages of past decisions. What it is asked about are proposals of other releases in
whose handbook a rule is missing: planted faults of the rule's family, and their twins, about as many of each, as they
are first shown, with all their pages read. The memoryless policy judges the same pages by the public handbook alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from releaseops_mcp.agents.scripted.gate.learner import Learner
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.base import Kind
from releaseops_mcp.world.kinds.registry import kinds, plantable
from releaseops_mcp.world.levels import LEVELS
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.orgs.model import Handbook, Org
from releaseops_mcp.world.policy import covers, judge
from releaseops_mcp.world.precedents.pages import hidden, pages_of
from releaseops_mcp.world.scenario import ScenarioName
from releaseops_mcp.world.world import Lineage, World
from tests.gates.gate import Gate, at_least

RELEASES = 12
STREAMS = 5
"""Streams of releases, each read by a learner of its own."""
CASES = 60
"""Proposals on which a learner is asked, an organisation and stream."""
LEARNT, FRESH = 450_000, 460_000
TRIED = 2_000


@dataclass(frozen=True, slots=True)
class Told:
    """How often the organisation's verdict was told, in percent."""

    learner: float
    memoryless: float
    cases: int


def gates() -> Iterator[Gate]:
    found = {org: told(org) for org in org_names() if unpublished(load_org(org))}
    asked = sum(each.cases for each in found.values())
    mean = {
        name: sum(getattr(each, name) * each.cases for each in found.values()) / asked
        for name in ("learner", "memoryless")
    }
    by_org = ", ".join(f"{org} {each.learner:.0f} against {each.memoryless:.0f}" for org, each in found.items())
    note = f"{asked} proposals where a hidden rule bears; {RELEASES} releases read, {STREAMS} streams each; {by_org}"
    yield at_least("gate: hidden rules, verdicts told by the learner", mean["learner"], 95, "%", note)
    least = min(each.learner for each in found.values())
    yield at_least("gate: hidden rules, the learner's worst organisation", least, 90, "%", by_org)
    gap = mean["learner"] - mean["memoryless"]
    yield at_least("gate: hidden rules, the memoryless policy stays below by", gap, 15, "points", note)


def unpublished(org: Org) -> bool:
    """Return whether an organisation has rules that it does not publish."""
    return any(rule.visibility != "public" for rule in org.rules)


def told(org: str, streams: int = STREAMS, cases: int = CASES) -> Told:
    """Return how well an organisation's verdicts are told after some releases, over independent streams."""
    learnt = known = asked = 0
    for stream in range(streams):
        learner = taught(org, stream)
        for world, lineage in islice(held_out(org, stream), cases):
            public = world.org.public
            true = world.verdict(lineage, lineage.versions[0], lineage.appears).decision
            learnt += predicted(world, lineage, learner.handbook(public)) == true
            known += predicted(world, lineage, public) == true
            asked += 1
    return Told(100 * learnt / max(1, asked), 100 * known / max(1, asked), asked)


def taught(org: str, stream: int, releases: int = RELEASES) -> Learner:
    """Return a learner that has read the past decisions of some releases."""
    learner = Learner()
    for name in islice(scenarios(org, LEARNT + 1_000 * stream, plantable(load_org(org))), releases):
        for page in pages_of(generate(name)):
            learner.take(page)
    return learner


def held_out(org: str, stream: int) -> Iterator[tuple[World, Lineage]]:
    """Yield the named proposals of other releases, where a rule bears that the handbook leaves out."""
    families = {rule.family for rule in load_org(org).rules if rule.visibility != "public"}
    able = [kind for kind in plantable(load_org(org)) if kind.family in families]
    for name in islice(scenarios(org, FRESH + TRIED * stream, able), TRIED):
        world = generate(name)
        named = (each for each in world.lineages if each.planted.partition("/")[0] == name.kind and not each.decoy)
        for lineage in named:
            case = world.case(lineage, lineage.versions[0], lineage.appears)
            if any(rule.family == kinds()[name.kind].family and covers(rule, case) for rule in hidden(world)):
                yield world, lineage


def predicted(world: World, lineage: Lineage, handbook: Handbook) -> str:
    """Return what a handbook's rules say of a proposal, all its pages read."""
    case = world.case(lineage, lineage.versions[0], lineage.appears)
    return judge(replace(case, handbook=handbook), lineage.versions[0].view).decision


def scenarios(org: str, seed: int, able: Sequence[Kind]) -> Iterator[ScenarioName]:
    """Yield scenarios of an organisation: any of the kinds, fault or twin, at the levels with hidden rules."""
    levels = [number for number, level in LEVELS.items() if level.hidden]
    while able:
        draws = Draws("hidden rules", org, seed)
        yield ScenarioName(org, draws.choice(able).name, draws.chance(0.5), draws.choice(levels), seed)
        seed += 1
