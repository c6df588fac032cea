"""Low traffic: so few requests that any rate jumps about; only patience and the right window help."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Carrier, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    load = replace(drawn.load, rpm=draw.traffic(draw.ranges.low_traffic))
    ratio = draw.risk_ratio(2.0, 6.0)
    effects: dict[Carrier, float] = {"errors": ratio, "body": round(ratio**0.5, 6)}
    slow = max(draw.ranges.intervals)
    return Plan(Regression() if twin else Regression("step", effects, bad=True), load=load, interval=slow)


FAMILY = Family("f17-lowtraffic", "Low traffic", "Count events, not percentages: two errors are not a trend.", _plant)
