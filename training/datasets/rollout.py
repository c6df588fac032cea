"""One logged episode as datasets see it: its calls and what they came to, scored anew by the reward module.

The stored score is not read: what a row is worth is what today's reward says of the logged events.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from releaseops_mcp.agents.base import Action, Turn
from releaseops_mcp.audit.rescore import Unscored, fold, score_draft
from releaseops_mcp.episodes.base import Json, Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeEnd, Message, ModelCall, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.logged import LoggedEpisode
from training.conversation import Conversation
from training.conversation import Message as Turned

NOT_AN_OBJECT = "a call without an object of arguments"


@dataclass(frozen=True, slots=True)
class Move:
    """One judged call."""

    action: Action
    turn: Turn
    text: str
    """What the agent wrote beside the call, where its side was logged; empty otherwise."""
    shown: str
    """Hash of the observation after it."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One finished episode."""

    episode: str
    head: str
    """Hash of its last event."""
    suite: Suite
    scenario: str
    family: str
    world_hash: str
    agent: str
    model: str
    capture: str
    observation: Json
    """The first one."""
    shown: str
    """Its hash."""
    moves: tuple[Move, ...]
    """Up to the end: what was called afterwards taught nobody anything."""
    reward: float
    reward_version: str
    """`id@version`."""
    reward_code: str
    """SHA-256 of the reward's code."""
    invalid: int
    """Refused calls among the moves."""
    model_calls: tuple[Json, ...]

    @property
    def trace(self) -> list[Any]:
        """All that decides its messages, as plain JSON data that is quick to hash."""
        calls = [
            [move.action.tool, move.action.arguments, move.text, move.turn.error, move.turn.result, move.shown]
            for move in self.moves
        ]
        return [self.suite.name, self.shown, calls]

    def messages(self) -> list[Turned]:
        """Return the whole episode as messages."""
        talk = Conversation(self.suite, self.observation)
        for move in self.moves:
            talk.add(move.action, move.turn, move.text)
        return talk.messages


def rollout_of(episode: LoggedEpisode) -> Rollout | Unscored:
    """Return an episode of any log, or why it cannot be used: still running, without truth, or of a missing suite."""
    start = episode.start
    suite = suites().get(start["suite"])
    if suite is None:
        return Unscored(f"suite {start['suite']} is not installed")
    ends = [event.data["reason"] for event in episode.events if event.kind == EpisodeEnd.kind]
    if not ends:
        return Unscored("still running")
    if episode.truth is None:
        return Unscored("the export holds no truth: export it with the truth")
    moves = tuple(moves_of(episode.events[1:], suite, start["observation"]))
    if any(not isinstance(cast("Any", move.action.arguments), dict) for move in moves):
        return Unscored(NOT_AN_OBJECT)
    try:
        score = score_draft(fold(episode.events, episode.truth).score(), ends[0], ended=True)
    except VersionMismatch as error:
        return Unscored(error.message)
    return Rollout(
        episode=episode.id,
        head=episode.head,
        suite=suite,
        scenario=start["scenario"],
        family=start["family"],
        world_hash=start["world_hash"],
        agent=start["origin"]["agent"] or start["origin"]["client"],
        model=start["origin"]["model"],
        capture=start["capture"],
        observation=start["observation"],
        shown=start["observation_hash"],
        moves=moves,
        reward=score.total,
        reward_version=f"{score.reward_id}@{score.version}",
        reward_code=score.code_hash,
        invalid=sum(move.turn.error is not None for move in moves),
        model_calls=tuple(event.data for event in episode.events if event.kind == ModelCall.kind),
    )


def moves_of(events: Iterable[LoggedEvent], suite: Suite, seen: Json) -> Iterator[Move]:
    """Yield the judged calls up to the episode's end; `seen` is the first observation."""
    call: Json = {}
    text = ""
    for event in events:
        data = event.data
        if event.kind == Message.kind and data["role"] == "assistant":
            text = data["content"]
        elif event.kind == ToolCall.kind:
            call = data
        elif event.kind == ToolResult.kind and data["judged"]:
            seen = data["observation"] if data["observation"] is not None else seen
            action = Action(call["tool"], in_order(suite, call["tool"], call["arguments"]))
            reason, message = data["terminal_reason"], data["message"] or ""
            turn = Turn(data["result"], data["error"], seen, data["done"], reason, message)
            yield Move(action, turn, text, data["observation_hash"])
            text = ""
            if data["done"]:
                return


def in_order(suite: Suite, tool: str, arguments: Any) -> Any:
    """Return arguments in the catalogue's order: the log sorts keys, so its own order says nothing."""
    if not isinstance(arguments, dict):
        return arguments
    given = cast("Json", arguments)
    spec = next((spec for spec in suite.tools if spec.name == tool), None)
    known = [parameter.name for parameter in spec.parameters if parameter.name in given] if spec else []
    return {name: given[name] for name in (*known, *(name for name in given if name not in known))}
