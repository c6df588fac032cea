"""Short plays through an arena, and a log that holds a bit of everything."""

from collections.abc import Iterable

from releaseops_mcp.arena import Arena
from releaseops_mcp.log.logged import LoggedEpisode, read_episode
from releaseops_mcp.log.store import Store
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT, Call, decision

HELD_TO_THE_END = (HOLD, HOLD, HOLD)
ROLLED_BACK = (decision("increase_10"), decision("hold"), decision("rollback"))


def play(arena: Arena, scenario: str, calls: Iterable[Call] = ()) -> str:
    """Start an episode, make the calls and return its id."""
    episode_id = arena.start(scenario).episode_id
    for tool, arguments in calls:
        arena.call(episode_id, tool, arguments)
    return episode_id


def fill(arena: Arena) -> list[str]:
    """Play four episodes of both classics: two ended, one closed, one running; return their ids."""
    gate = play(arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT, *HELD_TO_THE_END])
    canary = play(arena, CANARY_SCENARIO, ROLLED_BACK)
    arena.call(gate, *HOLD)
    closed = play(arena, CANARY_SCENARIO, ROLLED_BACK[:1])
    arena.observe(closed)
    arena.finish(closed)
    running = play(arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT])
    return [gate, canary, closed, running]


def logged(store: Store, episode_id: str) -> LoggedEpisode:
    """Return one episode, checked and parsed."""
    row = store.episode(episode_id)
    assert row is not None
    return read_episode(store, row)


def kinds(store: Store, episode_id: str) -> list[str]:
    """Return the kinds of an episode's events, in order."""
    return [event.kind for event in logged(store, episode_id).events]
