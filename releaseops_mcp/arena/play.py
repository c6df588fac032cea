"""An open episode in memory: its simulation and where its chain stands, a cache of what the log says."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from releaseops_mcp import canonical
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.audit.replay import Exchange, Replay
from releaseops_mcp.canonical import Encoded
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import InvalidArgument, UserError
from releaseops_mcp.events import EpisodeEnd, Event, Origin
from releaseops_mcp.log.chain import Link, LoggedEvent, forge
from releaseops_mcp.log.rows import Append, EpisodeRow, ScoreDraft
from releaseops_mcp.simulation import Simulation

EXPIRED = "expired"
"""Reason of the end of an episode that was idle for too long."""


@dataclass(slots=True)
class Play:
    """One episode as this process knows it."""

    id: str
    number: int
    simulation: Simulation
    origin: Origin
    named: str
    """What the caller named: the scenario or a ticket."""
    count: int
    head: str
    touched_ms: int
    steps: int = 0
    ended: bool = False
    ended_ms: int = 0
    end_reason: str | None = None
    seen: Encoded = field(default_factory=lambda: Encoded.of({}))
    """The current observation."""
    full_result: Json | None = None
    """The last result before it was cut into pages."""
    actions: dict[str, tuple[str, Answer]] = field(default_factory=dict[str, tuple[str, Answer]])
    """Named calls: fingerprint and answer."""
    scored: ScoreDraft | None = None

    def see(self) -> None:
        """Take in the simulation's current observation."""
        self.seen = Encoded.of(self.simulation.episode.observe())

    def draft(self, events: Sequence[Event], at_ms: int, score: ScoreDraft | None = None) -> Append:
        """Return what appends `events` to this episode's chain; nothing here changes before `commit`."""
        links: list[Link] = []
        head = self.head
        for seq, event in enumerate(events, self.count):
            links.append(forge(self.id, seq, head, at_ms, event))
            head = links[-1].hash
        ended = self.ended or any(isinstance(event, EpisodeEnd) for event in events)
        reason = next((event.reason for event in events if isinstance(event, EpisodeEnd)), self.end_reason)
        return Append(self.count, links, at_ms, self.steps, ended, reason, score)

    def commit(self, change: Append) -> None:
        """Take over what the store has accepted."""
        self.count += len(change.links)
        self.head = change.links[-1].hash
        self.touched_ms = change.at_ms
        if change.ended and not self.ended:
            self.ended, self.ended_ms, self.end_reason = True, change.at_ms, change.terminal_reason
        if change.score is not None:
            self.scored = change.score


def fingerprint(tool: str, arguments: object) -> str:
    """Return what tells one named call from another."""
    return canonical.digest([tool, arguments])


def restore(row: EpisodeRow, events: Sequence[LoggedEvent]) -> Play:
    """Return the play that a checked chain leads to; raises VersionMismatch."""
    again = Replay(events[0])
    start = events[0].data
    origin = Origin.model_validate(start["origin"])
    play = Play(row.id, row.number, again.simulation, origin, start["named"], row.count, row.head, row.updated_ms)
    for event in events[1:]:
        exchange = again.feed(event)
        if exchange is not None:
            _take_over(play, exchange)
        if event.kind == EpisodeEnd.kind:
            play.ended, play.ended_ms, play.end_reason = True, event.at_ms, event.data["reason"]
    play.see()
    return play


def _take_over(play: Play, exchange: Exchange) -> None:
    call, result = exchange.call, exchange.result
    play.steps = result["step"]
    if result["judged"]:
        play.full_result = exchange.full_result
    if call["action_id"] is None or not result["judged"]:
        return
    observation = play.simulation.episode.observe() if result["observation"] is None else result["observation"]
    answer = Answer(
        play.id,
        call["tool"],
        result["step"],
        result["result"],
        Refusal(result["error"], result["message"], _kind(play.simulation, result["error"]))
        if result["error"]
        else None,
        observation,
        result["done"],
        result["terminal_reason"],
        exchange.earned,
    )
    play.actions[call["action_id"]] = (fingerprint(call["tool"], call["arguments"]), answer)


def _kind(simulation: Simulation, code: str) -> type[UserError]:
    return simulation.suite.error_codes.get(code, InvalidArgument)
