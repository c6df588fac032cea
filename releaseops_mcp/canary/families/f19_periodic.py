"""Periodic: a job of the change runs now and then; or everybody's nightly job does."""

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.regressions import DUTY
from releaseops_mcp.canary.world import DECISIONS, Incident, Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio, period = draw.risk_ratio(2.0, 8.0), draw.uniform(2.5, 4.5) * drawn.interval
    onset = draw.uniform(0.0, 0.5) * period
    if twin:
        rounds = range(int(DECISIONS * drawn.interval / period) + 1)
        return Plan(incidents=tuple(Incident(onset + n * period, DUTY * period, ratio, "errors") for n in rounds))
    return Plan(Regression("periodic", {"errors": ratio}, onset, period, bad=True))


FAMILY = Family("f19-periodic", "Periodic", "A quiet interval proves little: watch a whole period.", _plant)
