"""close: ends the run; an episode that is still open is closed with it, for good."""

from graphs.nodes.base import Node, Update
from graphs.setup import Setup
from graphs.state import SupervisorState
from releaseops_mcp.arena.tools import EPISODE_ID, FINISH_EPISODE


def close(setup: Setup) -> Node:
    """Return the node."""

    async def node(state: SupervisorState) -> Update:
        if state["done"]:
            return {"stop_reason": state["stop_reason"] or "episode_over"}
        await setup.session.call(FINISH_EPISODE.name, {EPISODE_ID.name: state["episode_id"]})
        return {}

    return node
