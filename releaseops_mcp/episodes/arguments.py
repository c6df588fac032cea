"""Judges a call's arguments by the tool's own declaration, and words the refusal: what is wrong, what is allowed."""

import math
from typing import Any

from releaseops_mcp.catalogue import JsonType, Parameter, ToolSpec
from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.errors import InvalidArgument

MAX_ECHO_CHARS = 60
MAX_PROBLEMS = 8
_SAYS: dict[JsonType, str] = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}


def judge(tool: ToolSpec, arguments: Json) -> Json | Refusal:
    """Return the arguments with defaults filled in, or a Refusal `invalid_argument` that lists every problem."""
    known = {parameter.name: parameter for parameter in tool.parameters}
    problems = [f"{_echo(name)} is no argument" for name in sorted(arguments.keys() - known.keys())]
    judged: Json = {}
    for name, parameter in known.items():
        value = arguments.get(name)
        if value is None:
            if parameter.required:
                problems.append(f"{name} is missing: give {_allowed(parameter)}")
            judged[name] = parameter.default
        elif _fits(parameter, value):
            judged[name] = value
        else:
            problems.append(f"{name} must be {_allowed(parameter)}, not {_echo(value)}")
    return _refusal(tool, problems) if problems else judged


def _refusal(tool: ToolSpec, problems: list[str]) -> Refusal:
    listed = "; ".join(problems[:MAX_PROBLEMS])
    takes = ", ".join(parameter.name for parameter in tool.parameters) or "nothing"
    text = f"{listed}. {tool.name} takes {takes}. Nothing has changed: mend the arguments and call it again."
    return Refusal("invalid_argument", text, InvalidArgument)


def _fits(parameter: Parameter, value: Any) -> bool:
    if isinstance(value, bool) or parameter.type == "boolean":
        return isinstance(value, bool) and parameter.type == "boolean"
    if parameter.type == "string":
        return isinstance(value, str) and (not parameter.enum or value in parameter.enum)
    if not isinstance(value, int if parameter.type == "integer" else (int, float)):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    low = parameter.minimum is None or value >= parameter.minimum
    return low and (parameter.maximum is None or value <= parameter.maximum)


def _allowed(parameter: Parameter) -> str:
    if parameter.enum:
        return f"one of {', '.join(parameter.enum)}"
    says = _SAYS[parameter.type]
    if parameter.maximum is not None:
        return f"{says} from {parameter.minimum} to {parameter.maximum}"
    return says if parameter.minimum is None else f"{says} of at least {parameter.minimum}"


def _echo(value: Any) -> str:
    """Return a value as short ASCII text."""
    text = ascii(value[:MAX_ECHO_CHARS] if isinstance(value, str) else value)
    return text if len(text) <= MAX_ECHO_CHARS else f"{text[: MAX_ECHO_CHARS - 3]}..."
