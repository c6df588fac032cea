"""Transient recovery: the canary alone is bad at first and recovers, fully or only in part."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects = draw.effects(draw.risk_ratio(1.3, 5.0))
    settles = draw.uniform(2.0, 4.0) * drawn.interval
    if twin:
        return Plan(Regression("step", effects, bad=True))
    return Plan(Regression("transient", effects, minutes=settles))


FAMILY = Family(
    "f05-transient", "Transient recovery", "A cache that fills recovers by itself: wait, then look again.", _plant
)
