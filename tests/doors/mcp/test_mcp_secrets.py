"""No byte that an agent can read tells it what it earned or what is true, while its episode runs."""

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.log.chain import LoggedEvent
from tests.doors.mcp.doorkit import CANARY, GATE, HOLD, body_of, read_json, start

pytestmark = pytest.mark.anyio

GATE_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("observe", {}),
    ("inspect_pr_diff", {"pr_id": "pr_0"}),
    ("hold_release", {"reason_code": "risk_too_high"}),
    ("ask_worker", {"worker_id": "nobody", "question_type": "risk_summary"}),
]
CANARY_CALLS = [("decide_rollout", HOLD)] * 6
SECRETS = (
    "reward",
    "score",
    "truth",
    "violated",
    "has_violation",
    "actual",
    "latent",
    "breach_point",
    "ground",
    "grade",
)


async def everything_shown(client: Client, scenario: str, calls: list[tuple[str, dict[str, Any]]]) -> str:
    """Return every byte that the server sends while an episode runs, its briefing and policy aside."""
    started = await client.call_tool("start_episode", {"scenario": scenario})
    episode_id = body_of(started)["episode_id"]
    shown = [started.model_dump_json()]
    for tool, arguments in calls:
        answer = await client.call_tool(tool, {"episode_id": episode_id, **arguments})
        shown.append(answer.model_dump_json())
    for view in ("observation", "transcript", "transcript/1"):
        answer = await client.read_resource(f"releaseops://episodes/{episode_id}/{view}")
        shown.append(answer.model_dump_json())
    assert not body_of(await client.call_tool("observe", {"episode_id": episode_id}))["done"]
    return "\n".join(shown).lower()


@pytest.mark.parametrize(("scenario", "calls"), [(GATE, GATE_CALLS), (CANARY, CANARY_CALLS)])
async def test_nothing_is_told_while_an_episode_runs(
    client: Client, scenario: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    async with client:
        shown = await everything_shown(client, scenario, calls)

    for word in SECRETS:
        assert word not in shown, word


async def test_the_account_is_shown_once_an_open_suites_episode_is_over(client: Client) -> None:
    async with client:
        episode_id = await start(client)
        running = await read_json(client, f"releaseops://episodes/{episode_id}/transcript")
        await client.call_tool("decide_rollout", {"episode_id": episode_id, **HOLD, "action_type": "rollback"})
        over = await read_json(client, f"releaseops://episodes/{episode_id}/transcript")

    assert not running["done"]
    assert running["scenario"] == CANARY
    assert over["done"]
    accounts = [entry for entry in over["entries"] if "reward" in entry]
    assert len(accounts) == 1
    assert accounts[0]["reward"]["validity"] == "complete"


@pytest.mark.parametrize("suite", ["classic-gate", "classic-canary"])
async def test_a_closed_suite_shows_neither_an_id_nor_an_account(
    arena: Arena,
    client_of: Callable[..., Client],
    monkeypatch: pytest.MonkeyPatch,
    history: Callable[[str], list[LoggedEvent]],
    suite: str,
) -> None:
    from releaseops_mcp.episodes.registry import suites

    scenario = {"classic-gate": GATE, "classic-canary": CANARY}[suite]
    (ticket,) = arena.tickets.mint([scenario])
    by_operator = arena.start(scenario).episode_id
    arena.finish(by_operator)
    monkeypatch.setattr(type(suites()[suite]), "open_ids", False)

    async with client_of(build_server(arena, [suite])) as client:
        refused = await client.call_tool("start_episode", {"scenario": scenario})
        listed = body_of(await client.call_tool("list_scenarios", {}))
        started = body_of(await client.call_tool("start_episode", {"scenario": ticket}))
        await client.call_tool("finish_episode", {"episode_id": started["episode_id"]})
        own = await read_json(client, f"releaseops://episodes/{started['episode_id']}/transcript")
        foreign = await read_json(client, f"releaseops://episodes/{by_operator}/transcript")

    assert refused.is_error
    assert all(row["scenario"].startswith("scn_") for row in listed["scenarios"])
    assert started["scenario"] == own["scenario"] == ticket
    assert foreign["scenario"] is None
    for shown in (own, foreign):
        assert shown["done"]
        assert not any("reward" in entry or "account_of" in entry for entry in shown["entries"])
    assert history(started["episode_id"])[0].data["scenario"] == scenario
