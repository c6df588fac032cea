"""One rollout: decisions move the canary's traffic, every look and question takes time, time moves the telemetry."""

from collections.abc import Callable

from releaseops_mcp import canonical
from releaseops_mcp.canary.alerts import Pager
from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.latents import latents_of
from releaseops_mcp.canary.on_call import OnCall
from releaseops_mcp.canary.scenarios import DISPLAY, LATENTS, SAMPLES, stream, world_of
from releaseops_mcp.canary.traffic import Rollout, Shares
from releaseops_mcp.canary.world import START_WEIGHT
from releaseops_mcp.episodes.arguments import judge
from releaseops_mcp.episodes.base import Episode, Json, Outcome, Refusal
from releaseops_mcp.episodes.canary import views
from releaseops_mcp.episodes.canary.texts import OVER
from releaseops_mcp.episodes.canary.tools import (
    ALERTS,
    ASK,
    ASK_MINUTES,
    DECIDE,
    EXTEND,
    INSPECT,
    LOOK_MINUTES,
    SETUP,
    TOOLS,
)
from releaseops_mcp.episodes.canary.truth import truth_of
from releaseops_mcp.errors import EpisodeOver

PROMOTED, ROLLED_BACK, TIMEOUT, ABANDONED = "promoted", "rolled_back", "timeout", "abandoned"
STEPS = {"increase_5": 0.05, "increase_10": 0.10, "increase_25": 0.25, "hold": 0.0}
"""Share of traffic that each action adds."""


class RolloutEpisode(Episode):
    """One play of one world.

    It begins before the canary's first minute: the first observation tells the setup and no value of a fresh arm, and
    is the same, byte for byte, for a family and its twin.
    """

    def __init__(self, family_name: str, seed: int) -> None:
        self.world = world_of(family_name, seed)
        self._latents = latents_of(self.world, stream(family_name, seed, LATENTS))
        self._rollout = Rollout(self.world, self._latents, stream(family_name, seed, SAMPLES))
        display = stream(family_name, seed, DISPLAY)
        self._dashboard = Dashboard(self.world, self._rollout, display)
        self._pager = Pager(self.world, self._dashboard, display)
        self._on_call = OnCall(self.world, display)
        self._weight = START_WEIGHT
        self._extended = False
        self._since = 0
        self._first = True
        self._standing: Json | None = None
        self._setup = views.setup_of(self.world, self._dashboard)

    def observe(self) -> Json:
        """Return the compact observation; the very first one also tells the setup."""
        if self._standing is None:
            now, alerts = self._rollout.minute, self._pager.firing()
            self._standing = views.standing(self._dashboard, now, self._since, self._weight, alerts)
        return (self._setup if self._first else {}) | self._standing

    def call(self, tool: str, arguments: Json) -> Outcome:
        """Judge a call; a refused one changes nothing and takes no time."""
        if self.done:
            return Outcome(refusal=Refusal("episode_over", OVER, EpisodeOver))
        judged = judge(_BY_NAME[tool], arguments)
        if isinstance(judged, Refusal):
            return Outcome(refusal=judged)
        self._first, self._standing = False, None
        return Outcome(_HANDLERS[tool](self, judged))

    def close(self) -> None:
        """End the episode undecided, which is called abandoned."""
        self._end(ABANDONED)

    @property
    def world_hash(self) -> str:
        """SHA-256 over every parameter of the world."""
        return canonical.digest({"suite": "canary", "world": repr(self.world)})

    def truth(self) -> Json:
        """Return what the scorer needs: the verdict's weight, and the traffic and strength behind every minute."""
        return truth_of(self.world, self._latents)

    def decide(self, judged: Json) -> Json:
        """Apply a decision that has been judged; the other three do the same for their tools."""
        action = judged["action_type"]
        if action == "rollback":
            self._weight = 0.0
            self._end(ROLLED_BACK)
        else:
            self._weight = round(min(1.0, self._weight + STEPS[action]), 2)
            if self._weight >= 1.0:
                self._end(PROMOTED)
            else:
                self._since = self._rollout.minute
                self._pass(self.world.interval)
                self._extended = False
        return {}

    def inspect(self, judged: Json) -> Json:
        """Let a minute pass and show a view."""
        view = judged["metric"]
        if view == SETUP:
            return dict(self._setup)
        self._pass(LOOK_MINUTES)
        if view == ALERTS:
            return views.alerts_view(self._pager.firing())
        return views.series_view(self._dashboard, view, self._rollout.minute, judged["window"])

    def extend_baseline(self, _: Json) -> Json:
        """Double the baseline's share until the next decision's interval is over."""
        self._extended = True
        self._pass(LOOK_MINUTES)
        return {}

    def ask_on_call(self, judged: Json) -> Json:
        """Let the time of a conversation pass and return the answer."""
        self._pass(ASK_MINUTES)
        return {"answer": self._on_call.answer(judged["question"], self._rollout.minute)}

    def _pass(self, minutes: int) -> None:
        """Let time pass at the present weight; the deadline ends the rollout."""
        shares = Shares.of(self._weight, self.world.faults.applied_weight, self._extended)
        self._rollout.run(minutes, shares)
        if self._rollout.minute >= self.world.deadline:
            self._end(TIMEOUT)

    def _end(self, reason: str) -> None:
        self.done = True
        self.terminal_reason = reason


_BY_NAME = {tool.name: tool for tool in TOOLS}
_HANDLERS: dict[str, Callable[[RolloutEpisode, Json], Json]] = {
    DECIDE.name: RolloutEpisode.decide,
    INSPECT.name: RolloutEpisode.inspect,
    EXTEND.name: RolloutEpisode.extend_baseline,
    ASK.name: RolloutEpisode.ask_on_call,
}
