"""One episode through every door of one server: begun over MCP, played over HTTP, read over a WebSocket, and back."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from mcp import Client

from releaseops_mcp.doors.http.app import create_app
from tests.doors.http.servekit import CANARY, DECISION, HOLD, ROLLBACK, ask, client_of, live, settings, socket_of
from tests.doors.mcp.doorkit import MODES


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(params=MODES)
def mcp_of(request: pytest.FixtureRequest) -> Callable[[str], Client]:
    """Make a client of one protocol era."""
    return lambda url: Client(f"{url}/mcp", mode=MODES[request.param])


async def mcp_call(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


@pytest.mark.anyio
async def test_an_episode_goes_from_door_to_door(url, mcp_of):
    async with mcp_of(url) as client:
        begun = await mcp_call(client, "start_episode", scenario=CANARY)
        episode_id = begun["episode_id"]
        by_http = httpx.post(f"{url}/episodes/{episode_id}/step", json=HOLD).json()
        with socket_of(url) as socket:
            seen = ask(socket, "reset", {"episode_id": episode_id})["data"]["observation"]
            by_socket = ask(socket, "step", HOLD)["data"]["observation"]
        by_mcp = await mcp_call(client, "decide_rollout", episode_id=episode_id, **DECISION)
        ended = httpx.post(f"{url}/step", json={"action": ROLLBACK | {"episode_id": episode_id}}).json()
        transcript = json.loads(
            (await client.read_resource(f"releaseops://episodes/{episode_id}/transcript")).contents[0].text
        )

    assert (seen["step"], seen["observation"]) == (1, by_http["observation"])
    assert [by_http["step"], by_socket["step"], by_mcp["step"], ended["observation"]["step"]] == [1, 2, 3, 4]
    assert ended["done"] is True
    assert transcript == httpx.get(f"{url}/episodes/{episode_id}/transcript").json()
    events = httpx.get(f"{url}/episodes/{episode_id}/events").json()["events"]
    callers = [each["data"]["origin"] for each in events if each["kind"] == "tool_call"]
    assert [caller and (caller["door"], caller["transport"]) for caller in callers] == [
        ("http", "http"),
        ("http", "ws"),
        None,
        ("http", "http"),
    ]


@pytest.mark.anyio
async def test_an_episode_begun_on_a_socket_is_finished_over_mcp(url, mcp_of):
    with socket_of(url) as socket:
        episode_id = ask(socket, "reset", {"scenario": CANARY})["data"]["observation"]["episode_id"]
        async with mcp_of(url) as client:
            rolled_back = DECISION | {"action_type": "rollback"}
            assert (await mcp_call(client, "decide_rollout", episode_id=episode_id, **rolled_back))["done"] is True
        assert ask(socket, "state")["data"]["done"] is True


def test_the_validators_probe_is_answered_and_everything_else_is_the_sdks(tmp_path):
    with client_of(settings(tmp_path)) as http:
        probe = http.post("/mcp", json={})
        assert probe.status_code == 200
        assert probe.json()["jsonrpc"] == "2.0"
        assert probe.json()["error"]["code"] == -32600
        for other in (b"[]", b'{"a": 1}', b"{} {}", b'{"jsonrpc":"2.0"}', b"{}" + b" " * 40):
            assert http.post("/mcp", content=other, headers={"content-type": "application/json"}).status_code == 400
        assert http.get("/mcp").status_code in (400, 405, 406)


def test_the_app_can_be_served_again_after_it_ended(tmp_path):
    app = create_app(settings(tmp_path))
    for _ in range(2):
        with TestClient(app, base_url="http://127.0.0.1") as http:
            assert http.post("/mcp", json={}).status_code == 200
            assert http.post("/reset").status_code == 200


def test_a_mounted_classic_shares_the_log(tmp_path):
    with live(settings(tmp_path)) as url:
        begun = httpx.post(f"{url}/classic-canary/episodes", json={"task": "easy"}).json()
        state = httpx.get(f"{url}/episodes/{begun['episode_id']}/state").json()
        assert state["observation"]["traffic_pct"] == 0.0
