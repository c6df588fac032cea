"""Chain: the next service suffers, because the canary overloads it or because it has trouble of its own."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.3, 5.0)
    start, minutes = draw.uniform(0.0, 2.0 * drawn.interval), drawn.deadline * draw.uniform(0.4, 0.9)
    if twin:
        return Plan(incidents=(Incident(start, minutes, ratio, "downstream"),))
    return Plan(Regression("step", {"downstream": ratio}, onset=start, bad=True))


FAMILY = Family(
    "f18-chain", "Services in a chain", "Follow the calls: the fault may show one service further on.", _plant
)
