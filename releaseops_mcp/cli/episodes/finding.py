"""Finds one logged episode by its id, or says that there is none."""

from releaseops_mcp.errors import UnknownEpisode
from releaseops_mcp.log.logged import LoggedEpisode, read_episode
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.log.store import Store


def find_episode(store: Store, episode_id: str) -> LoggedEpisode:
    """Return an episode with its checked chain; raises UnknownEpisode, ChainBroken and SchemaTooNew."""
    row = store.episode(episode_id)
    if row is None:
        raise UnknownEpisode(f"no episode {ascii(episode_id)[:80]} in this log: releaseops episodes list shows which")
    return read_episode(store, row)


def chosen_episodes(store: Store, episode_ids: list[str]) -> EpisodeFilter | None:
    """Return what chooses these episodes, or None for all of them; raises UnknownEpisode."""
    for episode_id in episode_ids:
        if store.episode(episode_id) is None:
            raise UnknownEpisode(
                f"no episode {ascii(episode_id)[:80]} in this log: releaseops episodes list shows which"
            )
    return EpisodeFilter(ids=tuple(episode_ids)) if episode_ids else None
