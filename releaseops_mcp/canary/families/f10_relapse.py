"""Multi-stage recovery: bad, well, bad, well; then it stays well, or comes back to stay."""

from releaseops_mcp.canary.drawing import Common, Draw, incidents_like
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects, bout = draw.effects(draw.risk_ratio(1.3, 5.0)), draw.uniform(1.2, 2.2) * drawn.interval
    if twin:
        return Plan(Regression("relapse", effects, minutes=bout, bad=True))
    return Plan(incidents=tuple(one for begin in (0, 2) for one in incidents_like(effects, begin * bout, bout)))


FAMILY = Family(
    "f10-relapse", "Multi-stage recovery", "Who recovers twice may fall a third time: ask what recovers.", _plant
)
