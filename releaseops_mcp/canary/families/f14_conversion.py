"""Business KPI only: every technical metric is sound and sales fall; or they fall everywhere."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.2, 4.0)
    minutes = drawn.deadline * draw.uniform(0.4, 0.9)
    if twin:
        return Plan(incidents=(Incident(0.0, minutes, ratio, "conversion"),))
    return Plan(Regression("step", {"conversion": ratio}, bad=True))


FAMILY = Family(
    "f14-conversion", "Business KPI only", "A green dashboard sells nothing: look at what users do.", _plant
)
