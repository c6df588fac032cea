"""The tools that a model is shown: a suite's, and the arena's own two that act on a running episode."""

from collections.abc import Iterable
from typing import Any

from releaseops_mcp.arena.tools import EPISODE_ID, FINISH_EPISODE, OBSERVE
from releaseops_mcp.catalogue import ToolSpec


def tools_for_model(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """Return tools as OpenAI-style functions; the episode is not named in them, since the supervisor sits in one."""
    return [_function(tool) for tool in (OBSERVE, *tools, FINISH_EPISODE)]


def _function(tool: ToolSpec) -> dict[str, Any]:
    parameters = tuple(parameter for parameter in tool.parameters if parameter != EPISODE_ID)
    schema = tool.model_copy(update={"parameters": parameters}).json_schema()
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": schema},
    }
