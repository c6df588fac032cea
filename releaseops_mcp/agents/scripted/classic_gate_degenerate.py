"""Supervisors of the classic gate that need no judgement: the yardstick for all others.

None of them names a proposal twice in one phase, so none loops on a world with duplicate proposal ids.
"""

from collections.abc import Callable

from releaseops_mcp.agents.base import Action, Brief, Play, supervisor
from releaseops_mcp.agents.scripted.classic_gate_moves import SUITE, approve, block, hold, inspect, unresolved
from releaseops_mcp.episodes.base import Json


@supervisor("always-approve", suite=SUITE, degenerate=True)
def always_approve(brief: Brief) -> Play:
    """Approves every proposal in display order."""
    return _decide_all(brief.observation, approve)


@supervisor("always-block", suite=SUITE, degenerate=True)
def always_block(brief: Brief) -> Play:
    """Blocks every proposal, under its first listed rule or S1."""
    return _decide_all(brief.observation, lambda proposal: block(proposal, _any_rule(proposal)))


@supervisor("always-hold", suite=SUITE, degenerate=True)
def always_hold(brief: Brief) -> Play:
    """Holds until the deadline is missed."""
    while True:
        yield hold()


@supervisor("do-nothing", suite=SUITE, degenerate=True)
def do_nothing(brief: Brief) -> Play:
    """Makes no call."""
    yield from ()


@supervisor("hold-then-approve", suite=SUITE, degenerate=True)
def hold_then_approve(brief: Brief) -> Play:
    """Holds once, then approves what comes, whatever it says."""
    observation = (yield hold()).observation
    yield approve(observation["proposals"][0])


@supervisor("inspect-and-stop", suite=SUITE, degenerate=True)
def inspect_and_stop(brief: Brief) -> Play:
    """Reads the first artefact of the first proposal that lists a rule, or else of any, and leaves."""
    by_suspicion = sorted(brief.observation["proposals"], key=lambda entry: not entry["possible_rule_violations"])
    refs = [ref for proposal in by_suspicion for ref in proposal["refs"]]
    yield inspect(refs[0])


def _decide_all(observation: Json, decide: Callable[[Json], Action]) -> Play:
    named: set[tuple[str, str]] = set()
    while fresh := [entry for entry in unresolved(observation) if (observation["phase"], entry["id"]) not in named]:
        named.add((observation["phase"], fresh[0]["id"]))
        observation = (yield decide(fresh[0])).observation


def _any_rule(proposal: Json) -> str:
    return next(iter(proposal["possible_rule_violations"]), "S1")
