"""What the tests of the MCP door share: names, a good call, and how to read an answer."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mcp import Client

ROOT = Path(__file__).parents[3]
SERVER = [sys.executable, "-m", "releaseops_mcp.doors.mcp"]

MODES = {"2025": "legacy", "2026": "auto"}
"""Mode of the SDK's client by the era that it then speaks."""
VERSIONS = {"2025": "2025-11-25", "2026": "2026-07-28"}

GATE = "classic-gate/green_ci_disabled_payment_test/medium/seed-42"
CANARY = "classic-canary/easy/seed-0"
HOLD = {
    "action_type": "hold",
    "reasoning": "waiting for one more step",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}


def body_of(result: Any) -> dict[str, Any]:
    """Return the structured content of a good answer, which its text repeats."""
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def error_of(result: Any) -> str:
    """Return the text of a refused call, which stands alone."""
    assert result.is_error
    assert result.structured_content is None
    assert len(result.content) == 1
    return result.content[0].text


async def start(client: Client, scenario: str = CANARY, **more: Any) -> str:
    """Start an episode and return its id."""
    return body_of(await client.call_tool("start_episode", {"scenario": scenario, **more}))["episode_id"]


async def hold(client: Client, episode_id: str, **more: Any) -> Any:
    """Make a good call on a canary episode and return the raw result."""
    return await client.call_tool("decide_rollout", {"episode_id": episode_id, **HOLD, **more})


async def read_json(client: Client, uri: str) -> dict[str, Any]:
    """Return a JSON resource."""
    return json.loads((await client.read_resource(uri)).contents[0].text)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Return when something listens on a port."""
    for _ in range(300):
        assert process.poll() is None, process.communicate()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")
