"""Periodic: a job of the change runs now and then; or everybody's nightly job does."""

from releaseops_mcp.canary.drawing import Common, Draw, incidents_like
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.regressions import DUTY
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    effects, period = draw.effects(draw.risk_ratio(1.3, 5.0)), draw.uniform(2.5, 4.5) * drawn.interval
    onset = draw.uniform(0.0, 0.5) * period
    if twin:
        rounds = range(int(drawn.deadline / period) + 1)
        bouts = (incidents_like(effects, onset + n * period, DUTY * period) for n in rounds)
        return Plan(incidents=tuple(one for bout in bouts for one in bout))
    return Plan(Regression("periodic", effects, onset, period, bad=True))


FAMILY = Family("f19-periodic", "Periodic", "A quiet interval proves little: watch a whole period.", _plant)
