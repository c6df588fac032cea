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
        self._observation_hash: str = start.data["observation_hash"]
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
        full, earned = self._apply(call, event.data)
        if canonical.digest(self.simulation.episode.observe()) != event.data["observation_hash"]:
            raise VersionMismatch(
                f"event {event.seq} of an episode of {self.start['scenario']}: making its calls again shows another "
                "observation than the one that was logged; the suite's code differs from the one that wrote this log"
            )
        return Exchange(call, event.data, full, earned)

    def _apply(self, call: Json, result: Json) -> tuple[Json | None, StepReward]:
        if result["judged"]:
            judged = self.simulation.call(call["tool"], call["arguments"])
            return judged.result, judged.earned
        if call["tool"] == FINISH and not self.simulation.done and result["error"] is None:
            self.simulation.episode.close()
        return result["result"], StepReward(0.0)


def begin_again(start: dict[str, Any]) -> Simulation:
    """Return a fresh simulation of the scenario that a start event names; raises VersionMismatch."""
    suite = suites().get(start["suite"])
    installed = suite.version if suite else "not installed"
    if suite is None or start["versions"]["suite"] != installed:
        raise VersionMismatch(
            f"this episode of {start['suite']} was played on version {start['versions']['suite']} and "
            f"{installed} is here: it can be re-scored but not played on"
        )
    simulation = Simulation(suite, suite.parse(start["scenario"]))
    if simulation.episode.world_hash != start["world_hash"]:
        raise VersionMismatch(f"{start['scenario']} generates another world here than the one that was logged")
    return simulation


def replay(events: Iterable[LoggedEvent]) -> Simulation:
    """Make all of an episode's calls again and return where that leads; raises VersionMismatch."""
    iterator = iter(events)
    start = next(iterator)
    assert start.kind == EpisodeStart.kind
    again = Replay(start)
    for event in iterator:
        again.feed(event)
    return again.simulation
