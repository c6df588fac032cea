"""How often a rule that has not been looked into turns out to be violated: what the reference expects.

The shares stand in `priors.json`, by *surface* and family. A surface is what a proposal asks for and what it touches: a
change of the workflow raises other doubts than one of the schema. A share is of the proposals of that surface in which
the family is in doubt before anything is read. They are counted over worlds of every organisation and kind, at seeds of
the training split and first versions only, by

    python -m releaseops_mcp.agents.scripted.gate.priors

which writes the file anew, in a few minutes: run it after every new kind, rule family or organisation.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from releaseops_mcp.episodes.gate.splits import SEEDS, names
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.scenario import ScenarioName

FILE = "priors.json"
ANY = ""
"""The surface that stands for all of them."""
OTHERS = 0.01
"""The share of a family that was never seen violated."""
FEW = 20
"""The shares of a surface lean on those of all as if these were so many proposals more."""
SAMPLED = 1_000

Shares = dict[str, dict[str, float]]


def surface_of(request: str, touches: Iterable[str]) -> str:
    """Return what a proposal asks for and touches, as one word."""
    return "+".join((request, *sorted(touches)))


def open_families(verdict: Verdict) -> set[str]:
    """Return the families whose rules would hold or block and are unknown."""
    return {rule.family for rule, answer in verdict.answers if answer.state == "unknown" and rule.severity != "warn"}


def expected(surface: str, family: str) -> float:
    """Return the chance that a family's rule is violated by a proposal that first looked like this."""
    known = shares()
    return max(OTHERS, known.get(surface, {}).get(family, known[ANY].get(family, 0.0)))


@cache
def shares() -> Shares:
    """Return the shares by surface and family."""
    return json.loads(resources.files(__name__.rpartition(".")[0]).joinpath(FILE).read_text())


def sampled() -> Iterator[ScenarioName]:
    """Yield scenarios of every organisation, kind and level, twins included, over the training split's seeds."""
    seeds, cells = SEEDS["train"], list(names(range(1)))
    for number, name in enumerate(Draws("priors").sample(cells, min(SAMPLED, len(cells)))):
        yield ScenarioName(name.org, name.kind, name.twin, name.level, seeds[number % len(seeds)])


def measured(wanted: Iterable[ScenarioName]) -> Shares:
    """Return the shares over some scenarios."""
    doubted: dict[str, Counter[str]] = {ANY: Counter()}
    broken: dict[str, Counter[str]] = {ANY: Counter()}
    for name in wanted:
        world = generate(name)
        for lineage in world.lineages:
            version = lineage.versions[0]
            surface = surface_of(lineage.request, version.touches)
            doubts = open_families(judge(world.case(lineage, version, lineage.appears), PartialView()))
            answers = world.verdict(lineage, version, lineage.appears).answers
            wrong = {rule.family for rule, answer in answers if answer.state in ("violated", "unknown")}
            for place in (surface, ANY):
                doubted.setdefault(place, Counter()).update(doubts)
                broken.setdefault(place, Counter()).update(wrong & doubts)
    every = {family: broken[ANY][family] / count for family, count in sorted(doubted[ANY].items())}
    return {
        surface: {
            family: round((broken[surface][family] + FEW * every[family]) / (count + FEW), 3)
            for family, count in sorted(doubted[surface].items())
        }
        for surface in sorted(doubted)
    }


if __name__ == "__main__":
    text = json.dumps(measured(sampled()), indent=1)
    (Path(__file__).parent / FILE).write_text(text + "\n")
