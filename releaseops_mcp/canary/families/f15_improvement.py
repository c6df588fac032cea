"""Improvement: the change makes things better; in the twin it is only faster because it fails early."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Carrier, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    better, ratio = draw.uniform(0.55, 0.85), draw.risk_ratio(1.3, 6.0)
    effects: dict[Carrier, float] = {"body": better, "tail": better, "errors": ratio if twin else better}
    return Plan(Regression("step", effects, bad=twin))


FAMILY = Family(
    "f15-improvement", "Improvement", "A difference is not a fault; and faster may mean that it fails early.", _plant
)
