"""The system prompt of a suite: what its rendering says of it, and its tools, a line each.

A chat template may leave the tools' schemas out, which cost a small model 200 to 500 tokens; the lines here say what
the schemas say in about 20 tokens a tool.
"""

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.base import Suite
from training.rendering.registry import rendering_of


def system_prompt(suite: Suite) -> str:
    """Return the system prompt of every episode of a suite."""
    rendering = rendering_of(suite.name)
    tools = (tool_line(tool, typed=rendering.typed, unlisted=rendering.unlisted) for tool in suite.tools)
    return "\n".join([rendering.brief(suite), "Tools, one call a turn:", *tools])


def tool_line(tool: ToolSpec, *, typed: bool = True, unlisted: frozenset[str] = frozenset()) -> str:
    """Return a tool's signature on one line; types that list no values only where `typed`."""
    told = (_parameter(each, typed, each.name not in unlisted) for each in tool.parameters)
    return f"{tool.name}({', '.join(told)})"


def _parameter(parameter: Parameter, typed: bool, listed: bool) -> str:
    values = "|".join(parameter.enum) if parameter.enum and listed else parameter.type if typed else ""
    return f"{parameter.name}{'' if parameter.required else '?'}{values and f': {values}'}"
