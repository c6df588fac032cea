"""Boiling frog: the canary worsens so slowly that no single look shows it; or the whole service does."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import DECISIONS, Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.6, 8.0)
    minutes = DECISIONS * drawn.interval * draw.uniform(0.3, 0.6)
    if twin:
        return Plan(incidents=(Incident(0.0, minutes, ratio, "errors", settles=False),))
    return Plan(Regression("ramp", {"errors": ratio}, minutes=minutes, bad=True))


FAMILY = Family(
    "f02-boilingfrog", "Boiling frog", "Compare with the baseline over a long window, not with the last look.", _plant
)
