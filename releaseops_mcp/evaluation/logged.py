"""Counts episodes that were played elsewhere, from what the log says of them."""

from collections.abc import Collection

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.audit.rescore import latest_score
from releaseops_mcp.events import ToolResult
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.store import Store


def played_from_log(store: Store, episode: LoggedEpisode, *, stopped: Collection[str] = ()) -> Played:
    """Return a logged episode as an evaluation counts it; its figure is the latest stored one, or None.

    Whether an agent was stopped by its own harness is not in the log: `stopped` names the ids of such episodes.
    """
    row = episode.row
    assert row is not None
    score = latest_score(store, episode)
    refused = [event for event in episode.events if event.kind == ToolResult.kind and event.data["error"] is not None]
    return Played(
        episode_id=row.id,
        scenario=row.scenario,
        suite=row.suite,
        family=row.family,
        agent=row.agent,
        steps=row.steps,
        invalid=len(refused),
        reward=score.total if score else None,
        components=score.body["components"] if score else {},
        metrics=score.body["metrics"] if score else {},
        terminal_reason=row.terminal_reason,
        truncated=row.id in stopped,
        fault=None if score else "no score is stored",
    )
