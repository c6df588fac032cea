"""Rebuilds an episode from its log by making its calls again, and checks that it shows the same observations."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeStart, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.rewards.base import StepReward
from releaseops_mcp.simulation import Simulation

FINISH = "finish_episode"
"""The arena's tool that ends an episode at the agent's wish."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A logged call, its logged result, and what it earned when it was made again."""

    call: Json
    result: Json
    full_result: Json | None
    """The result before it was cut into pages."""
    earned: StepReward


class Replay:
    """Feeds logged events to a fresh simulation, one at a time."""

    def __init__(self, start: LoggedEvent) -> None:
        self.start = start.data
        self.simulation = begin_again(start.data)
        self._call: Json | None = None

    def feed(self, event: LoggedEvent) -> Exchange | None:
        """Take one event in; return the exchange that it completes, if any.

        Raises VersionMismatch where the simulation shows something else than the log.
        """
        if event.kind == ToolCall.kind:
            self._call = event.data
        if event.kind != ToolResult.kind or self._call is None:
            return None
        call, self._call = self._call, None
        full, earned = self._apply(call, event)
        episode, logged = self.simulation.episode, event.data
        if canonical.digest(episode.observe()) != logged["observation_hash"]:
            raise _differs(event, "observation")
        if (episode.done, episode.terminal_reason) != (logged["done"], logged["terminal_reason"]):
            raise _differs(event, "end")
        return Exchange(call, logged, full, earned)

    def _apply(self, call: Json, event: LoggedEvent) -> tuple[Json | None, StepReward]:
        result = event.data
        if result["judged"]:
            judged = self.simulation.call(call["tool"], call["arguments"])
            if result["error"] != (judged.refusal.code if judged.refusal else None):
                raise _differs(event, "verdict")
            return judged.result, judged.earned
        if call["tool"] == FINISH and not self.simulation.done and result["error"] is None:
            self.simulation.episode.close()
        return result["result"], StepReward(0.0)


def obstacle(start: dict[str, Any]) -> str | None:
    """Return why an episode cannot be replayed here: its suite is missing or has another version; None if it can."""
    suite = suites().get(start["suite"])
    installed = suite.version if suite else "not installed"
    if start["versions"]["suite"] == installed:
        return None
    return f"played on {start['suite']} {start['versions']['suite']}, and {installed} is here"


def begin_again(start: dict[str, Any]) -> Simulation:
    """Return a fresh simulation of the scenario that a start event names; raises VersionMismatch.

    An agent may read the message, so it names no scenario.
    """
    reason = obstacle(start)
    if reason is not None:
        raise VersionMismatch(f"this episode was {reason}: it can be re-scored but not played on")
    suite = suites()[start["suite"]]
    simulation = Simulation(suite, suite.parse(start["scenario"]))
    if simulation.episode.world_hash != start["world_hash"]:
        raise VersionMismatch(f"event 0: its scenario generates another world here than the one that was logged{_CODE}")
    if canonical.digest(simulation.first_observation) != start["observation_hash"]:
        raise VersionMismatch(f"event 0: its world shows another first observation than the logged one{_CODE}")
    return simulation


_CODE = "; the suite's code differs from the one that wrote this log"


def _differs(event: LoggedEvent, what: str) -> VersionMismatch:
    return VersionMismatch(f"event {event.seq}: making the call again shows another {what} than the logged one{_CODE}")


def replay(events: Iterable[LoggedEvent]) -> Simulation:
    """Make all of an episode's calls again and return where that leads; raises VersionMismatch."""
    iterator = iter(events)
    start = next(iterator)
    assert start.kind == EpisodeStart.kind
    again = Replay(start)
    for event in iterator:
        again.feed(event)
    return again.simulation
