"""Boiling frog: the canary worsens so slowly that no single look shows it; or the whole service does."""

from releaseops_mcp.canary.drawing import Common, Draw, incidents_like
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects = draw.effects(draw.risk_ratio(1.3, 5.0))
    minutes = drawn.deadline * draw.uniform(0.3, 0.6)
    if twin:
        return Plan(incidents=incidents_like(effects, 0.0, minutes, settles=False))
    return Plan(Regression("ramp", effects, minutes=minutes, bad=True))


FAMILY = Family(
    "f02-boilingfrog", "Boiling frog", "Compare with the baseline over a long window, not with the last look.", _plant
)
