"""Broken query: the canary's errors are really the stable arm's; whether the change is bad shows elsewhere."""

from dataclasses import replace

from releaseops_mcp.canary.drawing import Common, Draw
from releaseops_mcp.canary.families.base import Family, Plan
from releaseops_mcp.canary.world import Regression


def _plant(draw: Draw, drawn: Common, twin: bool) -> Plan:
    ratio = draw.risk_ratio()
    faults = replace(drawn.faults, mislabelled=("requests", "errors"), silenced=True)
    if twin:
        return Plan(faults=faults)
    return Plan(Regression("step", {"errors": ratio, "tail": ratio}, bad=True), faults=faults)


FAMILY = Family("f16-brokenquery", "Broken query", "A canary with the stable arm's traffic is not the canary.", _plant)
