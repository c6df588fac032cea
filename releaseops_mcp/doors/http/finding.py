"""Finds an episode in the log for the routes that read it."""

from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import UnknownEpisode
from releaseops_mcp.log.rows import EpisodeRow


def find_row(arena: Arena, episode_id: str) -> EpisodeRow:
    """Return an episode's row; raises UnknownEpisode."""
    row = arena.store.episode(episode_id) if episode_id.isascii() and episode_id.isprintable() else None
    if row is None:
        raise UnknownEpisode(f"no episode {ascii(episode_id)[:80]} in this log: POST /episodes begins one")
    return row
