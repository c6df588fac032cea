"""What runs in a worker of a cluster: it opens the arena from the settings, and finds everything else by name."""

from functools import cache

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.agents.runners import find_runner
from releaseops_mcp.arena import Arena
from releaseops_mcp.settings import Settings, open_arena


def play_there(settings: str, via: str, name: str, suite: str, ticket: str, seed: int) -> Played:
    """Let the supervisor of this name play the scenario behind a ticket; raises what its runner raises.

    `settings` are JSON.
    """
    return find_runner(via)(_arena(settings), find_supervisor(name, suite), ticket, seed=seed)


@cache
def _arena(settings: str) -> Arena:
    """Return the arena that this worker opens once and keeps until it ends."""
    return open_arena(Settings.model_validate_json(settings))
