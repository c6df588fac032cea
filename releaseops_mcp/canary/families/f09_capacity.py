"""Capacity coupling: sound at low weight, broken above a load; in the twin the load never gets there."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Carrier, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio, low = draw.risk_ratio(1.8, 6.0), draw.uniform(0.15, 0.55)
    effects: dict[Carrier, float] = {"errors": ratio, "tail": ratio, "body": round(ratio**0.5, 6)}
    if twin:
        return Plan(Regression(headroom=draw.uniform(2.2, 3.0)))
    return Plan(Regression("cliff", effects, headroom=low, bad=True))


FAMILY = Family(
    "f09-capacity", "Capacity coupling", "Processor time at a small weight says what a large one will do.", _plant
)
