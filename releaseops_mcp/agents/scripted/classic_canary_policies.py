"""The scripted supervisors of `classic-canary` that read the telemetry.

Each is a rule, from an observation to a decision, and a supervisor that follows it. `baseline`, `cautious` and
`aggressive` decide exactly as the original's policies do.
"""

from collections.abc import Callable

from releaseops_mcp.agents.base import Action, Brief, Play, supervisor
from releaseops_mcp.agents.scripted import classic_canary_predicates as reads
from releaseops_mcp.episodes.base import Json

SUITE = "classic-canary"
TOOL = "decide_rollout"


def decision(action_type: str, state_assessment: str, slo_breach_detected: bool, reasoning: str) -> Json:
    """Return the arguments of one decision."""
    return {
        "action_type": action_type,
        "reasoning": reasoning,
        "slo_breach_detected": slo_breach_detected,
        "state_assessment": state_assessment,
    }


def follow(rule: Callable[[Json], Json], brief: Brief) -> Play:
    """Decide by `rule` on each observation, for as long as the episode lasts."""
    observation = brief.observation
    while True:
        turn = yield Action(TOOL, rule(observation))
        observation = turn.observation


def baseline_decision(observation: Json) -> Json:
    """Return the alert-driven baseline's decision."""
    if reads.noise(observation):
        return decision("hold", "noise", False, "Both fleets are slow alike, so this step waits.")
    if observation["alert_count"] > 0:
        state = "phantom_alert" if reads.phantom(observation) else "breach"
        return decision("rollback", state, True, "An alert is firing, so the canary goes.")
    if reads.breach(observation):
        return decision("rollback", "breach", True, "A guardrail is broken, so the canary goes.")
    return decision("increase_10", reads.label(observation), False, "No alert and no broken guardrail: promote.")


def cautious_decision(observation: Json) -> Json:
    """Return the cautious policy's decision; it is also the safe fallback of agents that fail to answer."""
    if reads.phantom(observation):
        return decision("hold", "phantom_alert", False, "Alerts fire over sound metrics: wait for the next step.")
    if reads.noise(observation):
        return decision("hold", "noise", False, "Both fleets are slow alike, so this step waits.")
    if reads.breach(observation):
        return decision("rollback", "breach", True, "A guardrail is broken, so the canary goes.")
    if reads.warning(observation):
        probes = observation["rollback_on_canary_p99_ms"] is not None
        action_type = "increase_5" if probes else "hold"
        return decision(action_type, "warning", False, "The canary worsens within its guardrails: go carefully.")
    return decision("increase_10", "healthy", False, "The metrics are sound: promote at the usual pace.")


def aggressive_decision(observation: Json) -> Json:
    """Return the hurried policy's decision."""
    state = reads.label(observation)
    if reads.breach(observation):
        return decision("rollback", state, True, "A guardrail is broken, so the canary goes.")
    action_type = "increase_25" if observation["traffic_pct"] < 0.50 else "increase_10"
    return decision(action_type, state, False, "No guardrail is broken: promote as fast as allowed.")


def alert_only_decision(observation: Json) -> Json:
    """Return the decision of one who reads nothing but the alert count."""
    if observation["alert_count"] > 0:
        return decision("rollback", "breach", True, "An alert is firing, so the canary goes.")
    return decision("increase_10", "healthy", False, "No alert is firing, so the canary moves on.")


def threshold_only_decision(observation: Json) -> Json:
    """Return the decision of one who compares the metrics with the shown guardrails and nothing else."""
    if reads.breach(observation):
        return decision("rollback", "breach", True, "A guardrail is broken, so the canary goes.")
    return decision("increase_10", "healthy", False, "No guardrail is broken, so the canary moves on.")


@supervisor("baseline", suite=SUITE)
def baseline(brief: Brief) -> Play:
    """Obeys any alert and any broken guardrail, knows shared noise, and promotes by 10 otherwise."""
    return follow(baseline_decision, brief)


@supervisor("cautious", suite=SUITE)
def cautious(brief: Brief) -> Play:
    """Tells phantom alerts, noise and warnings from breaches, and slows down where the canary worsens."""
    return follow(cautious_decision, brief)


@supervisor("aggressive", suite=SUITE)
def aggressive(brief: Brief) -> Play:
    """Promotes by 25 up to half of the traffic, then by 10, until a guardrail breaks."""
    return follow(aggressive_decision, brief)


@supervisor("alert-only", suite=SUITE)
def alert_only(brief: Brief) -> Play:
    """Rolls back on any alert and promotes by 10 otherwise."""
    return follow(alert_only_decision, brief)


@supervisor("threshold-only", suite=SUITE)
def threshold_only(brief: Brief) -> Play:
    """Rolls back when a shown guardrail is broken and promotes by 10 otherwise."""
    return follow(threshold_only_decision, brief)
