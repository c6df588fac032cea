"""Cold start: fresh instances are slow to warm up; in the twin a bad change hides behind that."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    cold = replace(drawn.noise, warm_up=draw.uniform(2.0, 4.0), warm_up_minutes=draw.uniform(5.0, 15.0))
    effects = draw.effects(draw.risk_ratio())
    return Plan(Regression("step", effects, bad=True) if twin else Regression(), noise=cold)


FAMILY = Family(
    "f08-coldstart", "Cold start", "The fresh baseline is as cold as the canary: compare with that one.", _plant
)
