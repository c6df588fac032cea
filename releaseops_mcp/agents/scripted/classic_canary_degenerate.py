"""Supervisors of `classic-canary` that look at nothing: what any judgement must beat."""

from releaseops_mcp.agents.base import Brief, Play, supervisor
from releaseops_mcp.agents.scripted.classic_canary_policies import SUITE, decision, follow


@supervisor("do-nothing", suite=SUITE, degenerate=True)
def do_nothing(brief: Brief) -> Play:
    """Makes no call at all."""
    yield from ()


@supervisor("always-hold", suite=SUITE, degenerate=True)
def always_hold(brief: Brief) -> Play:
    """Holds at every step and calls everything healthy."""
    return follow(lambda _: decision("hold", "healthy", False, "Holding, whatever the telemetry shows."), brief)


@supervisor("always-increase", suite=SUITE, degenerate=True)
def always_increase(brief: Brief) -> Play:
    """Promotes by 10 at every step and calls everything healthy."""
    return follow(lambda _: decision("increase_10", "healthy", False, "Promoting, whatever the metrics say."), brief)


@supervisor("always-rollback", suite=SUITE, degenerate=True)
def always_rollback(brief: Brief) -> Play:
    """Rolls back at once and calls it a breach."""
    return follow(lambda _: decision("rollback", "breach", True, "Rolling back, whatever the metrics say."), brief)
