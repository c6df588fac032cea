"""Readers of telemetry files: Prometheus answers and CSV tables become a `Comparison` that judges take."""

from releaseops_mcp.canary.series.assembling import Choice, Counted, assemble
from releaseops_mcp.canary.series.points import ArmNames, Key, Points
from releaseops_mcp.canary.series.reading import read_files

__all__ = ["ArmNames", "Choice", "Counted", "Key", "Points", "assemble", "read_files"]
