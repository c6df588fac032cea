"""The tools of a suite as a chat template gets them from TRL: derived from the very methods of its environment."""

import inspect
from functools import cache
from typing import Any

from transformers.utils import chat_template_utils

from releaseops_mcp.episodes.base import Suite
from training.environments import environment_class

_SCHEMAS: Any = chat_template_utils
"""Its types are half unknown."""
_NOT_TOOLS = ("reset", "get_reward")
"""The public methods that TRL does not take for tools."""


@cache
def tool_schemas(suite: Suite) -> tuple[dict[str, Any], ...]:
    """Return one function schema a tool, in TRL's order: by name."""
    methods = inspect.getmembers(environment_class(suite), predicate=inspect.isfunction)
    return tuple(
        _SCHEMAS.get_json_schema(method)
        for name, method in methods
        if name not in _NOT_TOOLS and not name.startswith("_")
    )
