"""The system prompt of a suite: what its rendering says of it, and its tools, a line each.

A chat template may leave the tools' schemas out, which cost a small model 200 to 500 tokens; the lines here say what
the schemas say in about 20 tokens a tool.
"""

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.base import Suite
from training.rendering.registry import rendering_of


def system_prompt(suite: Suite) -> str:
    """Return the system prompt of every episode of a suite."""
    lines = [rendering_of(suite.name).brief(suite), "Tools, one call a turn:", *map(tool_line, suite.tools)]
    return "\n".join(lines)


def tool_line(tool: ToolSpec) -> str:
    """Return a tool's signature on one line."""
    return f"{tool.name}({', '.join(map(_parameter, tool.parameters))})"


def _parameter(parameter: Parameter) -> str:
    values = "|".join(parameter.enum) if parameter.enum else parameter.type
    return f"{parameter.name}{'' if parameter.required else '?'}: {values}"
