"""The tool catalogue: what a tool is, and how the tools of several suites become one list.

A suite declares its tools once, as `ToolSpec`s. MCP, HTTP, LangGraph and TRL derive their schemas from them. Schemas
guide a model; they never judge a call. Only the arena does, so that every door answers the same mistake alike.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from releaseops_mcp import canonical

_SENTENCE_END = re.compile(r"(?<=[.:])\s+(?=[A-Z])")
JsonType = Literal["string", "boolean", "integer", "number"]


class Parameter(BaseModel):
    """One flat argument of a tool."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    type: JsonType
    description: str
    enum: tuple[str, ...] = ()
    """The values that guide a model; empty where any value of the type will do."""
    required: bool = True
    default: str | bool | int | float | None = None
    """Shown in the schema of an optional argument."""
    min_length: int | None = None
    minimum: int | None = None
    maximum: int | None = None

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON schema of this argument."""
        schema: dict[str, Any] = {"type": self.type, "description": self.description}
        optional = {
            "enum": list(self.enum) or None,
            "default": self.default,
            "minLength": self.min_length,
            "minimum": self.minimum,
            "maximum": self.maximum,
        }
        return schema | {key: value for key, value in optional.items() if value is not None}


class ToolSpec(BaseModel):
    """One tool: its name, its flat arguments and what a client may assume about it.

    The four hints mean what MCP's tool annotations of the same names mean.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = False

    def json_schema(self, extra: Sequence[Parameter] = ()) -> dict[str, Any]:
        """Return the flat JSON schema of the arguments, `extra` ones first."""
        parameters = (*extra, *self.parameters)
        return {
            "type": "object",
            "properties": {parameter.name: parameter.json_schema() for parameter in parameters},
            "required": [parameter.name for parameter in parameters if parameter.required],
            "additionalProperties": False,
        }


def merge_tools(toolsets: Iterable[Sequence[ToolSpec]]) -> tuple[ToolSpec, ...]:
    """Return one list of tools, in order of first appearance, for several suites' lists.

    A tool that several suites have becomes one: enums are united, an argument is required only where every suite
    requires it, a bound is the weakest of them, and each hint takes the most conservative value. Raises ValueError
    where two suites give one argument different types.
    """
    merged: dict[str, ToolSpec] = {}
    for tools in toolsets:
        for tool in tools:
            merged[tool.name] = _merge_pair(merged[tool.name], tool) if tool.name in merged else tool
    return tuple(merged.values())


def schema_hash(tools: Iterable[ToolSpec]) -> str:
    """Return the SHA-256 of the tools' canonical JSON: an episode names the schema it was played under."""
    return canonical.digest([tool.model_dump(mode="json") for tool in tools])


def _merge_pair(first: ToolSpec, second: ToolSpec) -> ToolSpec:
    ours = {parameter.name: parameter for parameter in first.parameters}
    theirs = {parameter.name: parameter for parameter in second.parameters}
    parameters = tuple(
        _merge_parameter(first.name, ours.get(name), theirs.get(name)) for name in dict.fromkeys((*ours, *theirs))
    )
    return first.model_copy(
        update={
            "description": _join(first.description, second.description),
            "parameters": parameters,
            "read_only": first.read_only and second.read_only,
            "destructive": first.destructive or second.destructive,
            "idempotent": first.idempotent and second.idempotent,
            "open_world": first.open_world or second.open_world,
        }
    )


def _merge_parameter(tool: str, first: Parameter | None, second: Parameter | None) -> Parameter:
    if first is None or second is None:
        only = first or second
        assert only is not None
        return only.model_copy(update={"required": False})
    if first.type != second.type:
        raise ValueError(
            f"argument {first.name!r} of tool {tool!r} is {first.type} in one suite and {second.type} in another: "
            "give the later one another name"
        )
    closed = bool(first.enum and second.enum)
    return first.model_copy(
        update={
            "description": _join(first.description, second.description),
            "enum": tuple(dict.fromkeys((*first.enum, *second.enum))) if closed else (),
            "required": first.required and second.required,
            "default": first.default if first.default == second.default else None,
            "min_length": _weakest(first.min_length, second.min_length),
            "minimum": _weakest(first.minimum, second.minimum),
            "maximum": _highest(first.maximum, second.maximum),
        }
    )


def _weakest(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else min(first, second)


def _highest(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else max(first, second)


def _join(first: str, second: str) -> str:
    """Return both texts, no sentence twice; one alone where it says all that the other does."""
    if first.removesuffix(".") in second:
        return second
    if second.removesuffix(".") in first:
        return first
    known = set(_sentences(first))
    return " ".join([first, *(sentence for sentence in _sentences(second) if sentence not in known)])


def _sentences(text: str) -> list[str]:
    return _SENTENCE_END.split(text)
