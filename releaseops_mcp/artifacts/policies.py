"""The three policies that the pack compares, played in this process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from releaseops_mcp.agents.scripted.classic_canary_policies import (
    aggressive_decision,
    baseline_decision,
    cautious_decision,
)
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.simulation import Simulation

POSITION = ("step_number", "traffic_pct", "consecutive_holds")
"""The fields of an observation that say where in a rollout an action was taken."""


@dataclass(frozen=True, slots=True)
class ComparedPolicy:
    """A rule, and what it stands for."""

    rule: Callable[[Json], Json]
    description: str


POLICIES: Mapping[str, ComparedPolicy] = MappingProxyType(
    {
        "shallow_baseline": ComparedPolicy(
            baseline_decision, "Obeys any alert and any broken guardrail, knows shared noise, and promotes by 10."
        ),
        "cautious_policy": ComparedPolicy(
            cautious_decision, "Tells phantoms, noise and warnings from breaches, and slows down on a warning."
        ),
        "aggressive_policy": ComparedPolicy(
            aggressive_decision, "Promotes as fast as allowed until a guardrail breaks, whatever the warnings say."
        ),
    }
)


def play_policy(name: str, task: str, seed: int) -> Json:
    """Let a policy play one world and return the account: figures, assessment, and every action with its position."""
    world = Simulation.of(scenario_id(task, seed))
    observation, rule = world.first_observation, POLICIES[name].rule
    while not world.done:
        observation = world.call(DECIDE.name, rule(observation)).observation
    account = world.tally.report()
    return {
        "policy": name,
        "task_id": task,
        "seed": seed,
        "score": account["episode_score"],
        "steps": account["steps"],
        "outcome": account["outcome"],
        "score_breakdown": account["score_breakdown"],
        "rollback_assessment": account["rollback_assessment"],
        "episode_summary": account["episode_summary"],
        "actions": [_positioned(entry) for entry in account["transcript"]],
    }


def _positioned(entry: Json) -> Json:
    return {field: entry["pre_observation"][field] for field in POSITION} | entry["action"]
