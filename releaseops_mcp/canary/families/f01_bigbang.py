"""Big bang: everything looks terrible at once, in one case because of the change, in the other because it is cold."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects = draw.effects(draw.risk_ratio(1.8, 6.0))
    cold = replace(drawn.noise, warm_up=draw.uniform(2.0, 4.0), warm_up_minutes=draw.uniform(4.0, 10.0))
    return Plan(noise=cold) if twin else Plan(Regression("step", effects, bad=True))


FAMILY = Family(
    "f01-bigbang", "Big bang", "Fresh instances of the old version tell a bad change from a cold start.", _plant
)
