"""Tool calls in both eras: what the arena judges reaches the agent unchanged, and nothing is judged on the way."""

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as rules
from hypothesis import strategies as st
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.dispatch import Reply, invoke
from releaseops_mcp.arena.tools import agent_tools
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.doors.mcp.tools import _result
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import PRESENTATIONS
from releaseops_mcp.events import Origin
from releaseops_mcp.log.chain import LoggedEvent
from tests.doors.mcp.doorkit import CANARY, GATE, VERSIONS, body_of, error_of, hold, start

pytestmark = pytest.mark.anyio
History = Callable[[str], list[LoggedEvent]]

CODES = {row.code for row in PRESENTATIONS.values()} | {
    code for suite in suites().values() for code in suite.error_codes
}


async def test_an_episode_runs_to_its_end(client: Client) -> None:
    async with client:
        listed = body_of(await client.call_tool("list_scenarios", {"suite": "classic-canary"}))
        episode_id = await start(client, listed["scenarios"][0]["scenario"])
        answers = [body_of(await hold(client, episode_id)) for _ in range(12)]
        after = body_of(await client.call_tool("observe", {"episode_id": episode_id}))

    assert episode_id.startswith("ep_")
    assert len(episode_id) == 35
    assert [answer["step"] for answer in answers] == list(range(1, 13))
    assert [answer["done"] for answer in answers] == [False] * 11 + [True]
    assert answers[-1]["terminal_reason"] == "max_steps_reached"
    assert after["observation"] == answers[-1]["observation"]


async def test_the_log_names_the_client_and_how_it_came(client: Client, history: History, era: str) -> None:
    async with client:
        episode_id = await start(client, agent="careful", model="model-9")
        await client.call_tool("inspect_ticket", {"episode_id": episode_id, "ticket": 3})

    begun, call, result = history(episode_id)
    assert begun.data["origin"] == {
        "door": "mcp",
        "transport": "stdio",
        "protocol": VERSIONS[era],
        "client": "tester",
        "client_version": "1.2.3",
        "agent": "careful",
        "model": "model-9",
    }
    assert begun.data["named"] == CANARY
    assert call.data["tool"] == "inspect_ticket"
    assert call.data["arguments"] == {"ticket": 3}
    assert result.data["error"] == "unknown_tool"
    assert result.data["duration_ms"] >= 0


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("start_episode", {}, "invalid_argument"),
        ("start_episode", None, "invalid_argument"),
        ("start_episode", {"scenario": 7}, "unknown_scenario"),
        ("start_episode", {"scenario": None}, "unknown_scenario"),
        ("start_episode", {"scenario": CANARY, "seed": 3}, "invalid_argument"),
        ("start_episode", {"scenario": CANARY, "agent": ["x"]}, "invalid_argument"),
        ("list_scenarios", {"suite": "chess"}, "invalid_argument"),
        ("list_scenarios", {"offset": -1}, "invalid_argument"),
        ("observe", {"episode_id": "ep_0"}, "unknown_episode"),
        ("observe", {"episode_id": {"a": [1]}}, "unknown_episode"),
        ("observe", None, "invalid_argument"),
        ("make_coffee", None, "invalid_argument"),
        ("", {}, "invalid_argument"),
    ],
)
async def test_a_bad_call_is_a_tool_error_that_begins_with_its_code(
    client: Client, tool: str, arguments: Any, code: str
) -> None:
    async with client:
        text = error_of(await client.call_tool(tool, arguments))

    assert text.startswith(f"{code}: ")
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("observe", {"offset": "x"}, "invalid_argument"),
        ("observe", {"page": 1}, "invalid_argument"),
        ("finish_episode", {"why": "bored"}, "invalid_argument"),
        ("make_coffee", {}, "unknown_tool"),
        ("inspect_pr_diff", {}, "argument_error"),
        ("inspect_pr_diff", {"pr_id": 12}, "unknown_artifact"),
        ("hold_release", {"reason_code": "bored"}, "invalid_hold_reason"),
        ("approve_proposal", {"proposal_id": "p0", "expected_step": 9}, "conflict"),
        ("approve_proposal", {"proposal_id": "p0", "action_id": 9}, "invalid_argument"),
    ],
)
async def test_a_bad_call_on_an_episode_is_logged(
    client: Client, history: History, tool: str, arguments: dict[str, Any], code: str
) -> None:
    async with client:
        episode_id = await start(client, GATE)
        text = error_of(await client.call_tool(tool, {"episode_id": episode_id, **arguments}))

    _, call, result = history(episode_id)
    assert text == f"{code}: {result.data['message']}"
    assert (call.data["tool"], result.data["error"]) == (tool, code)


async def test_a_retried_call_counts_once(client: Client) -> None:
    async with client:
        episode_id = await start(client)
        first = body_of(await hold(client, episode_id, action_id="a1"))
        again = body_of(await hold(client, episode_id, action_id="a1"))
        other = await hold(client, episode_id, action_id="a1", action_type="rollback")

    assert again == first
    assert error_of(other).startswith("conflict: action_id 'a1'")


async def test_parallel_calls_take_distinct_steps(client: Client) -> None:
    steps: list[int] = []

    async def call() -> None:
        steps.append(body_of(await hold(client, episode_id))["step"])

    async with client:
        episode_id = await start(client)
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(call)

    assert sorted(steps) == list(range(1, 11))


async def test_an_episode_goes_on_with_another_client(arena: Arena, client_of: Callable[..., Client]) -> None:
    async with client_of(build_server(arena)) as first:
        episode_id = await start(first)
        await hold(first, episode_id)
    async with client_of(build_server(arena), name="another") as second:
        answer = body_of(await hold(second, episode_id))

    assert answer["step"] == 2


async def test_a_client_without_a_name_is_served(arena: Arena, history: History) -> None:
    from releaseops_mcp.doors.mcp.origin import origin_of

    class Nameless:
        protocol_version = "2026-07-28"
        meta = None

        class session:  # noqa: N801
            client_params = None

    assert origin_of(Nameless, "http") == Origin(door="mcp", transport="http", protocol="2026-07-28")  # type: ignore[arg-type]


async def test_a_crash_is_told_without_its_details(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*_: Any, **__: Any) -> Reply:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("releaseops_mcp.doors.mcp.tools.invoke", crash)
    async with client:
        with caplog.at_level(logging.ERROR):
            text = error_of(await client.call_tool("observe", {"episode_id": "ep_1"}))

    assert text.startswith("internal_error: ")
    assert "secret" not in text
    assert "secret detail" in caplog.text


def test_a_reply_without_body_or_error_is_an_error() -> None:
    assert _result(Reply(None)).is_error


ODD_TEXTS = ["\ud800", "\x00", "\u202eevil", "é" * 300, "x" * 70_000, GATE, CANARY, "scn_0", "NaN", "\n"]
texts = st.text(max_size=40) | st.sampled_from(ODD_TEXTS)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=12), children, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(
    sorted({parameter.name for tool in agent_tools(suites().values()) for parameter in tool.parameters})
)
keys = names | st.text(max_size=8) | st.sampled_from(ODD_TEXTS)
arguments_of_any_kind = st.dictionaries(keys, anything, max_size=5)
TOOLS = [tool.name for tool in agent_tools(suites().values())]


@rules(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tool=st.sampled_from(TOOLS) | texts,
    arguments=arguments_of_any_kind,
    on=st.sampled_from([GATE, CANARY, None]),
)
def test_no_call_whatsoever_crashes(arena: Arena, tool: str, arguments: dict[str, Any], on: str | None) -> None:
    """The same through the dispatcher, the SDK's result and its JSON."""
    origin = Origin(door="mcp")
    if on is not None:
        started = invoke(arena, "start_episode", {"scenario": on}, origin)
        arguments = {**arguments, "episode_id": started.episode_id}

    reply = invoke(arena, tool, arguments, origin)

    text = _result(reply).model_dump_json()
    if reply.error is not None:
        assert reply.error.partition(":")[0] in CODES
    assert json.loads(text)["is_error"] is (reply.error is not None)
    if on is not None:
        row = arena.store.episode(started.episode_id)
        assert row is not None
        assert row.steps <= 1


@rules(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    calls=st.lists(
        st.tuples(
            st.sampled_from(TOOLS) | st.text(max_size=30),
            st.none() | arguments_of_any_kind,
        ),
        min_size=1,
        max_size=8,
    )
)
def test_a_connection_outlives_any_call(arena: Arena, calls: list[tuple[str, dict[str, Any] | None]]) -> None:
    results = anyio.run(partial(_call_all, build_server(arena), calls))

    assert all(result.content for result in results)


async def _call_all(server: Server[Any], calls: list[tuple[str, Any]]) -> list[CallToolResult]:
    async with Client(server) as client:
        results = [await client.call_tool(tool, arguments) for tool, arguments in calls]
        assert not (await client.call_tool("list_scenarios", {})).is_error
    return results
