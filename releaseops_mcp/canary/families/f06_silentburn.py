"""Silent burn: a mild, steady regression while the canary's alerts are muted; or nothing but instances that differ."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio(1.3, 3.0)
    noisy = replace(drawn.noise, own=draw.uniform(0.15, 0.4))
    faults = replace(drawn.faults, silenced=True)
    if twin:
        return Plan(faults=faults, noise=noisy)
    return Plan(Regression("step", {"errors": ratio}, bad=True), faults=faults, noise=noisy)


FAMILY = Family("f06-silentburn", "Silent burn", "No alert is no proof: a small steady difference adds up.", _plant)
