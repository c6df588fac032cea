"""The original release arena, exact: a release, three phases, a clock, and workers whose proposals are judged."""

from releaseops_mcp.episodes.classic_gate.suite import SUITE

__all__ = ["SUITE"]
