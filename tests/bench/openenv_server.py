"""The canary in OpenEnv's own server framework, in memory: what the HTTP door is measured against, run beside it.

`PYTHON -m tests.bench.openenv_server PORT`, with a Python that has openenv-core. The environment is the same simulation
and the same reward; it has no log, and nothing of it outlives its socket.
"""

import sys
from typing import Any

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from releaseops_mcp.episodes.classic_canary.contract import CanaryAction, CanaryObservation
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.simulation import Simulation


class Decision(CanaryAction, Action):
    """The action, as the framework wants it."""


class Telemetry(CanaryObservation, Observation):
    """The observation, as the framework wants it."""


class CanaryEnvironment(Environment[Decision, Telemetry, State]):
    """One rollout behind one socket."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, task: str = "easy", **_: Any) -> Telemetry:
        self._simulation = Simulation.of(scenario_id(task, seed or 0))
        return Telemetry(**self._simulation.first_observation, reward=0.0)

    def step(self, action: Decision, timeout_s: float | None = None, **_: Any) -> Telemetry:
        judged = self._simulation.call("decide_rollout", action.model_dump())
        return Telemetry(**judged.observation, reward=judged.earned.reward, done=judged.done)

    @property
    def state(self) -> State:
        return State()


if __name__ == "__main__":
    app = create_app(CanaryEnvironment, Decision, Telemetry, env_name="canary", max_concurrent_envs=64)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
