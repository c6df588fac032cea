"""Rollouts in this process: nothing is logged, and no server is needed."""

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.rollouts.base import Moment
from releaseops_mcp.simulation import Simulation


class InProcess:
    """The target that is always there."""

    def enter(self) -> "SimulatedEnvironment":
        """Return a fresh environment."""
        return SimulatedEnvironment()

    def close(self) -> None:
        """Nothing was started."""


class SimulatedEnvironment:
    """Plays on `Simulation`."""

    def __init__(self) -> None:
        self._simulation: Simulation | None = None

    def reset(self, task: str, seed: int) -> Json:
        """Begin a rollout; raises UnknownScenario."""
        self._simulation = Simulation.of(scenario_id(task, seed))
        return self._simulation.first_observation

    def step(self, decision: Json) -> Moment:
        """Make one decision; raises InvalidArgument for a malformed one and RuntimeError before a reset."""
        if self._simulation is None:
            raise RuntimeError("no rollout has begun: call reset() first")
        judged = self._simulation.call(DECIDE.name, decision)
        if judged.refusal is not None:
            raise judged.refusal.kind(judged.refusal.message, code=judged.refusal.code)
        return Moment(judged.observation, judged.earned.reward, judged.done)

    def close(self) -> None:
        """Forget the rollout."""
        self._simulation = None
