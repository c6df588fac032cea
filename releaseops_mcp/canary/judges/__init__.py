"""Judges of a rollout: each holds a canary's series against those of the old version and gives a verdict.

A `Comparison` goes in, a `Verdict` comes out. A judge is a frozen model whose fields are its parameters, and a file of
this folder; `find_judge` makes one by name. Nothing here knows of the simulator: bring any series.
"""

from releaseops_mcp.canary.judges.arm import Arm
from releaseops_mcp.canary.judges.base import Judge
from releaseops_mcp.canary.judges.registry import find_judge, judges
from releaseops_mcp.canary.judges.series import Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Trace, Verdict

__all__ = [
    "Arm",
    "Comparison",
    "Finding",
    "Judge",
    "Outcome",
    "Series",
    "Trace",
    "Verdict",
    "find_judge",
    "judges",
]
