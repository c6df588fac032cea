"""What tools/list shows: flat, described schemas that any host understands, and honest hints."""

from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import Tool

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.mcp.schemas import list_tools
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from tests.doors.mcp.doorkit import CANARY, GATE, body_of, hold, start

pytestmark = pytest.mark.anyio

CLASSIC = [
    "list_scenarios",
    "start_episode",
    "observe",
    "inspect_pr_diff",
    "inspect_ci_run",
    "inspect_ticket",
    "ask_worker",
    "approve_proposal",
    "block_proposal",
    "hold_release",
    "decide_rollout",
    "finish_episode",
]


def all_tools() -> list[Tool]:
    return list_tools(suites().values())


def schemas_within(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from schemas_within(value)
    if isinstance(schema, list):
        for value in schema:
            yield from schemas_within(value)


async def test_the_twelve_tools_are_listed_in_both_eras(client: Client) -> None:
    async with client:
        listed = (await client.list_tools()).tools

    assert set(CLASSIC) <= {tool.name for tool in listed}


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_schemas_are_flat_and_every_field_is_described(tool: Tool) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        assert schema is not None
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        for field in schema["properties"].values():
            assert field["description"].endswith((".", ":"))
        for within in schemas_within(schema):
            assert not within.keys() & {"$ref", "$defs", "oneOf", "allOf", "title"}
            assert within.get("anyOf", [{"type": "null"}])[-1] == {"type": "null"}
        assert "anyOf" not in schema
    assert tool.title
    assert tool.description
    assert all(
        field["type"] in {"string", "integer", "number", "boolean"}
        for field in tool.input_schema["properties"].values()
    )


def test_annotations_are_the_catalogues_hints() -> None:
    hints = {tool.name: tool.annotations for tool in all_tools()}

    for destructive in ("approve_proposal", "block_proposal", "decide_rollout"):
        assert hints[destructive].destructive_hint is True
    for harmless in ("hold_release", "observe", "inspect_pr_diff", "start_episode"):
        assert hints[harmless].destructive_hint is False
    assert hints["observe"].read_only_hint is True
    assert hints["hold_release"].read_only_hint is False
    assert all(hint.open_world_hint is False for hint in hints.values())


async def test_every_answer_fits_its_output_schema(client: Client) -> None:
    schemas = {tool.name: tool.output_schema for tool in all_tools()}
    async with client:
        gate = await start(client, GATE)
        canary = await start(client)
        calls = [
            ("list_scenarios", {}),
            ("start_episode", {"scenario": CANARY}),
            ("observe", {"episode_id": gate}),
            ("hold_release", {"episode_id": gate, "reason_code": "risk_too_high"}),
            ("finish_episode", {"episode_id": gate}),
        ]
        answers = [(tool, body_of(await client.call_tool(tool, arguments))) for tool, arguments in calls]
        answers.append(("decide_rollout", body_of(await hold(client, canary))))

    for tool, answer in answers:
        jsonschema.validate(answer, schemas[tool])


async def test_a_server_of_one_suite_shows_that_suite_alone(arena: Arena, client_of: Callable[..., Client]) -> None:
    async with client_of(build_server(arena, ["classic-canary"])) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        listed = body_of(await client.call_tool("list_scenarios", {}))
        refused = await client.call_tool("start_episode", {"scenario": GATE})
        other_list = await client.call_tool("list_scenarios", {"suite": "classic-gate"})
        started = await client.call_tool("start_episode", {"scenario": CANARY})
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        policies = [resource.uri for resource in (await client.list_resources()).resources]

    assert names == {"list_scenarios", "start_episode", "observe", "decide_rollout", "finish_episode"}
    assert {scenario["suite"] for scenario in listed["scenarios"]} == {"classic-canary"}
    assert refused.content[0].text.startswith("unknown_scenario: scenarios of classic-gate are not played here")
    assert other_list.content[0].text.startswith("invalid_argument: no suite 'classic-gate'")
    assert not started.is_error
    assert prompts == ["supervise_classic_canary"]
    assert policies == ["releaseops://suites/classic-canary/policy"]


def test_a_suite_that_nobody_has_is_refused(arena: Arena) -> None:
    with pytest.raises(InvalidArgument, match="no suite 'chess': the suites are canary"):
        build_server(arena, ["chess"])


async def test_no_list_has_a_second_page(client: Client) -> None:
    async with client:
        for method in (client.list_tools, client.list_resources, client.list_resource_templates, client.list_prompts):
            with pytest.raises(MCPError, match="no such cursor"):
                await method(cursor="2")
