"""Leak: memory grows until requests fail; in the twin a cache fills and levels off."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    deadline = drawn.deadline
    onset = deadline * draw.uniform(0.2, 0.6)
    ratio, grows, gain = draw.risk_ratio(1.6, 6.0), deadline * draw.uniform(0.1, 0.3), draw.uniform(0.3, 1.2)
    if twin:
        return Plan(Regression(memory=gain, memory_minutes=onset, memory_settles=True))
    return Plan(
        Regression("leak", {"errors": ratio, "tail": ratio}, onset, grows, memory=gain, memory_minutes=onset, bad=True)
    )


FAMILY = Family(
    "f07-leak", "Leak", "What grows with age and does not level off will break, however good the errors look.", _plant
)
