"""One rollout: the decision moves traffic, traffic and time move the telemetry; nothing here knows a grade."""

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Episode, Json, Outcome, Refusal
from releaseops_mcp.episodes.classic_canary import dynamics
from releaseops_mcp.episodes.classic_canary.arguments import judge
from releaseops_mcp.episodes.classic_canary.contract import shown
from releaseops_mcp.episodes.classic_canary.tables import constants_of
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.telemetry import MODEL_VERSION, telemetry_of
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.errors import InvalidArgument


class CanaryEpisode(Episode):
    """One play of one task and seed."""

    def __init__(self, task: str, seed: int) -> None:
        self._task = TASKS[task]
        self._seed = seed
        self._constants = constants_of(task, seed)
        self._telemetry = telemetry_of(task, self._constants)
        self._position = dynamics.START
        self._world_hash: str | None = None

    def observe(self) -> Json:
        """Return the 13 fields of the original's observation, rounded, guardrails included."""
        position = self._position
        return shown(self._task, position, self._telemetry.snapshot(position.traffic, position.step))

    def call(self, tool: str, arguments: Json) -> Outcome:
        """Apply a decision; a refused one changes nothing, and one after the end is answered but not applied."""
        if tool != DECIDE.name:
            message = f"classic-canary has no tool {tool[:80]!a}: call {DECIDE.name}"
            return Outcome(refusal=Refusal("unknown_tool", message, InvalidArgument))
        action = judge(arguments)
        if isinstance(action, Refusal):
            return Outcome(refusal=action)
        applied = not self.done
        if applied:
            self._apply(action.action_type)
        return Outcome(
            {"action_type": action.action_type, "applied": applied, "decision_number": self._position.step},
        )

    def _apply(self, action_type: str) -> None:
        self._position = dynamics.move(self._position, action_type)
        if self._position.ended:
            self.done = True
            self.terminal_reason = dynamics.outcome(self._position)

    def close(self) -> None:
        """End the episode without a reason of its own: the record is closed where it stands."""
        self.done = True

    @property
    def world_hash(self) -> str:
        """SHA-256 over task, seed, visible guardrails and every constant of the telemetry."""
        if self._world_hash is None:
            guards = [self._task.p99_guard_ms, self._task.differential_p99_guard_ms]
            self._world_hash = canonical.digest({"suite": "classic-canary", "guards": guards, "truth": self.truth()})
        return self._world_hash

    def truth(self) -> Json:
        """Return the world: the scorer recomputes the unrounded telemetry from it and the logged decisions."""
        return {
            "task": self._task.id,
            "seed": self._seed,
            "telemetry_model": MODEL_VERSION,
            "constants": dict(self._constants),
        }
