"""Plays one episode: a supervisor on the arena, every call logged under its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from releaseops_mcp.agents.base import Action, Brief, Supervisor, Turn
from releaseops_mcp.agents.drive import MAX_CALLS, SupervisorFailed, drive
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.arena.tools import EPISODE_ID, FINISH_EPISODE, OBSERVE
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument
from releaseops_mcp.events import CaptureLevel, Origin
from releaseops_mcp.log.rows import ScoreDraft
from releaseops_mcp.simulation import Judged

Watch = Callable[[Action, Answer], None]
"""Is shown each call and the arena's answer."""


@dataclass(frozen=True, slots=True)
class Played:
    """One episode, played and closed."""

    episode_id: str
    """Empty where the arena could not begin it."""
    scenario: str
    """The operator's id."""
    suite: str
    family: str
    agent: str
    steps: int
    """Judged calls."""
    invalid: int
    """Refused calls."""
    reward: float | None
    """The figure as the arena saw it live; None where the episode is unscored (see `fault`)."""
    components: dict[str, float]
    metrics: Json
    terminal_reason: str | None
    """The suite's reason; None where the supervisor left, failed or was stopped."""
    truncated: bool
    """Whether it was stopped after the allowed number of calls."""
    fault: str | None
    """What went wrong in the supervisor's code or in the arena, so that the figure says nothing."""


def play_episode(
    arena: Arena,
    supervisor: Supervisor,
    scenario: str,
    *,
    seed: int = 0,
    max_calls: int = MAX_CALLS,
    watch: Watch | None = None,
) -> Played:
    """Start a scenario (id or ticket), let a supervisor play it, close it, and return what it came to.

    `seed` is for supervisors that draw. A supervisor that fails, or an arena that does, leaves an unscored episode.
    A supervisor with a runner of its own is played by that one, without `max_calls` and `watch`.
    Raises InvalidArgument where the supervisor plays another suite, and what `Arena.start` and the log raise.
    """
    parsed, suite = arena.tickets.resolve(scenario, operator=True)
    if supervisor.suite != suite.name:
        raise InvalidArgument(f"agent {supervisor.name} plays {supervisor.suite}, and {parsed.id} is of {suite.name}")
    if supervisor.runner is not None:
        return supervisor.runner(arena, supervisor, scenario, seed=seed)
    seat = _Seat(arena, Origin(door="python", agent=supervisor.name, model=supervisor.model), watch)
    finished, fault = False, None
    try:
        observation = seat.start(scenario, supervisor.capture)
        brief = Brief(observation, suite.tools, seed, seat.record, arena.store.blobs.put)
        finished = drive(supervisor.policy, brief, seat.apply, max_calls=max_calls)
    except SupervisorFailed as failure:
        fault = failure.fault
    except EnvironmentFault as failure:
        fault = failure.text
    score = seat.leave()
    return Played(
        episode_id=seat.episode_id,
        scenario=parsed.id,
        suite=suite.name,
        family=parsed.family,
        agent=supervisor.name,
        steps=seat.steps,
        invalid=seat.invalid,
        reward=None if fault or score is None else score.total,
        components=score.body["components"] if score else {},
        metrics=score.body["metrics"] if score else {},
        terminal_reason=seat.terminal_reason,
        truncated=not finished and fault is None,
        fault=fault,
    )


def turn_of(answer: Answer | Judged) -> Turn:
    """Return the arena's answer, or what a play in memory came to, as the turn that a supervisor is sent."""
    refusal = answer.refusal
    return Turn(
        answer.result,
        refusal.code if refusal else None,
        answer.observation,
        answer.done,
        answer.terminal_reason,
        refusal.message if refusal else "",
    )


@dataclass(slots=True)
class _Seat:
    """Where a supervisor sits: makes its calls on one episode, and counts."""

    arena: Arena
    origin: Origin
    watch: Watch | None
    episode_id: str = ""
    steps: int = 0
    invalid: int = 0
    done: bool = False
    terminal_reason: str | None = None

    def start(self, scenario: str, capture: CaptureLevel) -> Json:
        """Begin the episode and return its first observation."""
        started = self.arena.start(scenario, self.origin, capture=capture)
        self.episode_id = started.episode_id
        return started.observation

    def record(self, kind: str, data: Mapping[str, Any]) -> None:
        """Append an event of the supervisor's side to the log."""
        self.arena.record(self.episode_id, kind, data)

    def leave(self) -> ScoreDraft | None:
        """Close the episode where it is still open and return its figure; None where it never began."""
        if not self.episode_id:
            return None
        if not self.done:
            self.arena.finish(self.episode_id, self.origin)
        return self.arena.score(self.episode_id)

    def apply(self, action: Action) -> Turn:
        """Make one call."""
        answer = self._call(action)
        turn = turn_of(answer)
        self.steps, self.done, self.terminal_reason = answer.step, turn.done, turn.terminal_reason
        self.invalid += turn.error is not None
        if self.watch is not None:
            self.watch(action, answer)
        return turn

    def _call(self, action: Action) -> Answer:
        known = _ARENA_TOOLS.get(action.tool)
        if known is not None and action.arguments.keys() - known:
            return self.arena.refuse(self.episode_id, action.tool, action.arguments, _strange(action), self.origin)
        if action.tool == OBSERVE.name:
            return self.arena.observe(self.episode_id, self.origin, offset=action.arguments.get("offset", 0))
        if action.tool == FINISH_EPISODE.name:
            return self.arena.finish(self.episode_id, self.origin)
        return self.arena.call(self.episode_id, action.tool, action.arguments, self.origin)


_ARENA_TOOLS = {
    tool.name: {parameter.name for parameter in tool.parameters} - {EPISODE_ID.name}
    for tool in (OBSERVE, FINISH_EPISODE)
}
"""The arena's own tools that a supervisor may call, with their arguments."""


def _strange(action: Action) -> Refusal:
    takes = ", ".join(sorted(_ARENA_TOOLS[action.tool])) or "none"
    return Refusal("invalid_argument", f"{action.tool} takes no other arguments than: {takes}", InvalidArgument)
