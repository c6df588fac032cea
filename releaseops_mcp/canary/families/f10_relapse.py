"""Multi-stage recovery: bad, well, bad, well; then it stays well, or comes back to stay."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio, bout = draw.risk_ratio(2.0, 8.0), draw.uniform(1.2, 2.2) * drawn.interval
    if twin:
        return Plan(Regression("relapse", {"errors": ratio}, minutes=bout, bad=True))
    bouts = tuple(Incident(begin * bout, bout, ratio, "errors") for begin in (0, 2))
    return Plan(incidents=bouts)


FAMILY = Family(
    "f10-relapse", "Multi-stage recovery", "Who recovers twice may fall a third time: ask what recovers.", _plant
)
