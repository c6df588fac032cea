"""The tools as MCP lists them: flat schemas, derived from the catalogue and from the arena's answer models."""

from collections.abc import Iterable
from typing import Any, cast

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel

from releaseops_mcp.arena.tools import agent_tools, answer_model
from releaseops_mcp.catalogue import ToolSpec
from releaseops_mcp.episodes.base import Json, Suite


def list_tools(suites: Iterable[Suite]) -> list[Tool]:
    """Return every tool that an agent may call in these suites."""
    return [_tool(spec) for spec in agent_tools(suites)]


def flat_schema(model: type[BaseModel]) -> Json:
    """Return a model's JSON schema without references and titles: hosts differ in what they understand."""
    schema = model.model_json_schema(mode="serialization")
    definitions = schema.pop("$defs", {})
    return _flat(schema, definitions)


def _tool(spec: ToolSpec) -> Tool:
    return Tool(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=spec.json_schema(),
        output_schema=flat_schema(answer_model(spec.name)),
        annotations=ToolAnnotations(
            title=spec.title,
            read_only_hint=spec.read_only,
            destructive_hint=spec.destructive,
            idempotent_hint=spec.idempotent,
            open_world_hint=spec.open_world,
        ),
    )


def _flat(node: Any, definitions: Json) -> Any:
    if isinstance(node, list):
        return [_flat(item, definitions) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    return _flat_object(cast("Json", node), definitions)


def _flat_object(node: Json, definitions: Json) -> Json:
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        node = {**definitions[node["$ref"].rpartition("/")[2]], **rest}
    return {
        key: _flat(value, definitions) for key, value in node.items() if key != "title" or not isinstance(value, str)
    }
