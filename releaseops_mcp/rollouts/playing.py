"""Lets a rule play one rollout."""

from collections.abc import Callable
from dataclasses import dataclass

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.rollouts.base import Environment

Rule = Callable[[Json], Json]
"""From an observation to a decision."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One rollout that was played to its end."""

    task: str
    rewards: tuple[float, ...]
    """What each decision scored, 4 decimals."""
    observation: Json
    """The last one."""

    @property
    def score(self) -> float:
        """Mean of the rewards, 4 decimals: the episode's score."""
        return round(sum(self.rewards) / len(self.rewards), 4)

    @property
    def outcome(self) -> str:
        """`success` if the canary serves all traffic, as shown, else `rollback`."""
        return outcome_of(self.observation)


def outcome_of(observation: Json) -> str:
    """Return the two-valued outcome that the originals' runners print."""
    return "success" if observation["traffic_pct"] >= 1.0 else "rollback"


def play(environment: Environment, rule: Rule, task: str, seed: int) -> Rollout:
    """Play one rollout to its end; raises what the environment raises."""
    observation, done = environment.reset(task, seed), False
    rewards: list[float] = []
    while not done:
        observation, reward, done = environment.step(rule(observation))
        rewards.append(reward)
    return Rollout(task, tuple(rewards), observation)
