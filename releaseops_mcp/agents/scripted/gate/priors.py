"""How often a rule that has not been looked into turns out to be violated: what the reference expects.

The shares stand in `priors.json`, by *surface* and family. A surface is the set of families that are in doubt before
anything is read: a change of the workflow raises other doubts than a claim with a number in it. They are counted over
the training split, first versions only, by

    python -m releaseops_mcp.agents.scripted.gate.priors

which writes the file anew: run it after every new kind, rule family or organisation.
"""

import json
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path

from releaseops_mcp.episodes.gate.splits import SEEDS, names
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.policy import Verdict, judge

FILE = "priors.json"
ANY = ""
"""The surface that stands for all of them: its shares are of the proposals in which the family is in doubt."""
OTHERS = 0.01
"""The share of a family that was never seen violated."""
FEW = 20
"""A surface that was seen less often goes by the shares of all."""
MEASURED_SEEDS = 8

Shares = dict[str, dict[str, float]]


def surface_of(verdict: Verdict) -> str:
    """Return the families that a verdict leaves in doubt, as one word."""
    return "+".join(sorted(open_families(verdict)))


def open_families(verdict: Verdict) -> set[str]:
    """Return the families whose rules would hold or block and are unknown."""
    return {rule.family for rule, answer in verdict.answers if answer.state == "unknown" and rule.severity != "warn"}


def expected(surface: str, family: str) -> float:
    """Return the chance that a family's rule is violated by a proposal that first looked like this."""
    known = shares()
    return max(OTHERS, known.get(surface, known[ANY]).get(family, 0.0))


@cache
def shares() -> Shares:
    """Return the shares by surface and family."""
    return json.loads(resources.files(__name__.rpartition(".")[0]).joinpath(FILE).read_text())


def measured(seeds: range) -> Shares:
    """Return the shares over every scenario of these seeds."""
    seen: Counter[str] = Counter()
    open_in: Counter[str] = Counter()
    broken: dict[str, Counter[str]] = {}
    for name in names(seeds):
        world = generate(name)
        for lineage in world.lineages:
            version = lineage.versions[0]
            first = judge(world.case(lineage, version, lineage.appears), PartialView())
            surface = surface_of(first)
            open_in.update(open_families(first))
            answers = world.verdict(lineage, version, lineage.appears).answers
            for place in (surface, ANY):
                seen[place] += 1
                broken.setdefault(place, Counter()).update(
                    rule.family for rule, answer in answers if answer.state in ("violated", "unknown")
                )
    return {
        surface: {
            family: round(count / max(1, open_in[family] if surface == ANY else seen[surface]), 3)
            for family, count in sorted(broken[surface].items())
        }
        for surface in sorted(seen)
        if seen[surface] >= FEW
    }


if __name__ == "__main__":
    start = SEEDS["train"].start
    text = json.dumps(measured(range(start, start + MEASURED_SEEDS)), indent=1)
    (Path(__file__).parent / FILE).write_text(text + "\n")
