"""Supervisors through a real MCP client: the same calls, the same answers, the same figure as in process."""

import os
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor, Turn
from releaseops_mcp.agents.over_mcp import own_server, play_over_mcp, turn_of
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.account import account
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.settings import Settings, open_store
from tests.playing import logged

ROOT = Path(__file__).parents[2]
SCENARIOS = {
    "classic-gate": "classic-gate/green_ci_disabled_payment_test/low/seed-5",
    "classic-canary": "classic-canary/hard/seed-0",
}
MISTAKE = Action("inspect_ticket", {"ticket_id": "ticket_0"})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def of(*actions: Action) -> Supervisor:
    def policy(brief: Brief) -> Play:
        for action in actions:
            _ = yield action

    return Supervisor("tested", "classic-gate", policy, False, "A supervisor in a test.")


@pytest.mark.anyio
@pytest.mark.parametrize("suite", SCENARIOS)
async def test_every_supervisor_plays_over_mcp_as_it_does_in_process(suite: str, sqlite_arena: Arena) -> None:
    scenario = SCENARIOS[suite]
    async with Client(build_server(sqlite_arena)) as client:
        for supervisor in supervisors_for(suite):
            visit = await play_over_mcp(client, supervisor, scenario, seed=7)
            played = play_episode(sqlite_arena, supervisor, scenario, seed=7)

            outside, inside = (
                account(logged(sqlite_arena.store, episode_id)) for episode_id in (visit.episode_id, played.episode_id)
            )
            assert [(step.tool, step.arguments, step.result, step.reward) for step in outside.steps] == [
                (step.tool, step.arguments, step.result, step.reward) for step in inside.steps
            ]
            assert (outside.reward, outside.components) == (inside.reward, inside.components)
            assert (outside.ended, outside.origin["door"], outside.origin["agent"]) == (True, "mcp", supervisor.name)
            assert (visit.calls, visit.done) == (played.steps, played.terminal_reason is not None)


@pytest.mark.anyio
async def test_a_refused_call_is_a_turn_with_its_code_and_nothing_changed(sqlite_arena: Arena) -> None:
    turns: list[Turn] = []

    def policy(brief: Brief) -> Play:
        turns.append((yield MISTAKE))
        assert turns[0].observation == brief.observation

    async with Client(build_server(sqlite_arena)) as client:
        visit = await play_over_mcp(
            client, Supervisor("t", "classic-gate", policy, False, ""), SCENARIOS["classic-gate"]
        )

    assert (turns[0].error, turns[0].result, turns[0].done) == ("unknown_artifact", None, False)
    assert (visit.done, visit.truncated, visit.fault) == (False, False, None)


@pytest.mark.anyio
async def test_a_supervisor_that_does_not_end_is_stopped_and_closed(sqlite_arena: Arena) -> None:
    async with Client(build_server(sqlite_arena)) as client:
        visit = await play_over_mcp(client, of(*[MISTAKE] * 9), SCENARIOS["classic-gate"], max_calls=3)

    assert (visit.calls, visit.truncated) == (3, True)
    assert account(logged(sqlite_arena.store, visit.episode_id)).ended


@pytest.mark.anyio
async def test_a_supervisor_that_raises_is_closed_and_told(sqlite_arena: Arena) -> None:
    def broken(brief: Brief) -> Play:
        yield MISTAKE
        raise KeyError("gone")

    async with Client(build_server(sqlite_arena)) as client:
        visit = await play_over_mcp(
            client, Supervisor("t", "classic-gate", broken, False, ""), SCENARIOS["classic-gate"]
        )

    assert (visit.fault, visit.truncated) == ("agent_failed: KeyError: 'gone'", False)
    assert account(logged(sqlite_arena.store, visit.episode_id)).ended


@pytest.mark.anyio
async def test_a_scenario_that_the_server_refuses_is_an_error(sqlite_arena: Arena) -> None:
    async with Client(build_server(sqlite_arena)) as client:
        with pytest.raises(InvalidArgument, match="unknown_scenario"):
            await play_over_mcp(client, of(MISTAKE), "classic-gate/nowhere/low/seed-1")


def test_a_result_without_structured_content_is_read_from_its_text() -> None:
    text = '{"result": null, "observation": {"a": 1}, "done": true, "terminal_reason": "safe_ship"}'
    result = CallToolResult(content=[TextContent(text=text)])

    assert turn_of(result, Turn(None, None, {}, False, None)) == Turn(None, None, {"a": 1}, True, "safe_ship")


@pytest.mark.anyio
async def test_our_own_server_is_started_and_played_over_stdio(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'log.sqlite3'}"
    server = own_server(url, {**os.environ, "PYTHONPATH": str(ROOT)}, "--suite", "classic-gate")
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        visit = await play_over_mcp(client, find_supervisor("phase-aware", "classic-gate"), SCENARIOS["classic-gate"])

    store = open_store(Settings(database_url=url))
    told = account(logged(store, visit.episode_id))
    store.close()
    assert "decide_rollout" not in tools
    assert (told.origin["transport"], told.terminal_reason) == ("stdio", "safe_ship")
