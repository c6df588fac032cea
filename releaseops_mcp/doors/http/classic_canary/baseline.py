"""POST /baseline: the alert-driven baseline on every task at seed 0, in memory: always the same, and never logged."""

from functools import cache

from releaseops_mcp.agents.scripted.classic_canary_policies import baseline_decision
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.simulation import Simulation

SEED = 0
_DETAILS = (
    "steps",
    "outcome",
    "score_breakdown",
    "rollback_assessment",
    "first_breach_point",
    "episode_summary",
    "transcript",
)
SCORE_CONTRACT: Json = {
    "per_step_score_range": [0.0, 1.0],
    "episode_score_range": [0.0, 1.0],
    "episode_score_definition": "The mean of the scores of the decisions taken.",
}


@cache
def baseline_answer() -> Json:
    """Return what the baseline comes to; its caller must not change it."""
    details = {task: _played(task) for task in TASKS}
    scores = {task: detail["score"] for task, detail in details.items()}
    return {
        "agent_type": "rule-based baseline",
        "description": "Obeys any alert and any broken guardrail, knows shared noise, and promotes by 10 otherwise.",
        "scores": scores,
        "average": round(sum(scores.values()) / len(scores), 4),
        "details": details,
        "score_contract": SCORE_CONTRACT,
        "normalized": True,
    }


def _played(task: str) -> Json:
    world = Simulation.of(scenario_id(task, SEED))
    observation = world.first_observation
    while not world.done:
        observation = world.call(DECIDE.name, baseline_decision(observation)).observation
    account = world.tally.report()
    return {"score": account["episode_score"], **{name: account[name] for name in _DETAILS}}
