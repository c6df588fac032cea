"""What a worker that died has left behind: an episode that nobody plays on, found again by its ticket."""

from dataclasses import replace

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.evaluation.logged import played_from_log
from releaseops_mcp.events import Origin
from releaseops_mcp.log.logged import LoggedEpisode, read_episode
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.log.store import Store


def close_left_behind(arena: Arena, supervisor: Supervisor, ticket: str, *, fault: str, closer: Origin) -> Played:
    """Close the episode that was begun under a ticket, if there is one, and return what is known of it, unscored."""
    left = _left_open(arena.store, supervisor.suite, ticket)
    if left is None or left.row is None:
        return _never_begun(arena, supervisor, ticket, fault)
    arena.finish(left.row.id, closer)
    row = arena.store.episode(left.row.id)
    assert row is not None
    known = played_from_log(arena.store, read_episode(arena.store, row))
    return replace(known, agent=supervisor.name, reward=None, components={}, metrics={}, fault=fault)


def _left_open(store: Store, suite: str, ticket: str) -> LoggedEpisode | None:
    scenario = store.ticketed(ticket)
    rows = (row for row in store.stream(EpisodeFilter(suite=suite, ended=False)) if row.scenario == scenario)
    episodes = (read_episode(store, row) for row in rows)
    return next((episode for episode in episodes if episode.start["named"] == ticket), None)


def _never_begun(arena: Arena, supervisor: Supervisor, ticket: str, fault: str) -> Played:
    parsed, _ = arena.tickets.resolve(ticket, operator=True)
    return Played(
        episode_id="",
        scenario=parsed.id,
        suite=supervisor.suite,
        family=parsed.family,
        agent=supervisor.name,
        steps=0,
        invalid=0,
        reward=None,
        components={},
        metrics={},
        terminal_reason=None,
        truncated=False,
        fault=fault,
    )
