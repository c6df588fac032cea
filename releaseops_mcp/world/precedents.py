"""Past decisions that the organisation wrote down, some with the reason missing."""

import json

from releaseops_mcp.world import clock
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.world import World

COUNT = 6


def pages_of(world: World) -> tuple[str, ...]:
    """Return the one page: a decision a line, newest last, in step with the workers' records."""
    draws = Draws("precedents", world.name.pair)
    workers = [lineage.worker for lineage in world.lineages]
    rules = [rule for rule in world.org.rules if rule.visibility != "hidden"]
    lines: list[str] = []
    for age in range(COUNT, 0, -1):
        worker = draws.choice(workers)
        right = draws.chance((worker.right + 1) / (worker.right + worker.wrong + 2))
        rule = draws.choice(rules).id if rules else ""
        entry = {
            "decided": clock.stamp(world.start - age * clock.DAY - draws.integer(0, 300)),
            "worker": worker.id,
            "decision": "approved" if right else "blocked",
        }
        reason = {} if right or draws.chance(0.4) else {"rule": rule}
        lines.append(json.dumps(entry | reason))
    return ("\n".join(lines) + "\n",)
