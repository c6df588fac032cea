"""The bridge: tools without handles, errors as messages, the gate from the hints; in process, over stdio and by URL."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from mcp import StdioServerParameters

from graphs.bridge import HIDDEN, ArenaSession, Offer, Outcome, arena_tool, arena_tools, gate_set
from graphs.in_process import LocalSession
from graphs.over_mcp import connect
from releaseops_mcp.agents.over_mcp import own_server
from releaseops_mcp.arena import Arena
from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument
from releaseops_mcp.settings import Settings, open_store
from tests import toys
from tests.graphs.graphkit import ROLLED_BACK, play, scripted, supervisor
from tests.playing import logged
from tests.playing import play as played_in_process
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, UNKNOWN_ARTIFACT

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def reach(way: str, arena: Arena) -> AsyncGenerator[ArenaSession]:
    """Reach an arena in process, or through an MCP client of a server in this process."""
    if way == "in process":
        yield LocalSession(arena)
        return
    async with connect(build_server(arena)) as session:
        yield session


both = pytest.mark.parametrize("way", ["in process", "over MCP"])


@both
async def test_a_model_sees_the_suites_tools_without_the_handles(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        offers = await session.offers("classic-gate")
        tools = arena_tools(session, "ep_1", offers)

    schemas = {tool.name: convert_to_openai_tool(tool)["function"] for tool in tools}
    assert list(schemas) == [
        "observe", "inspect_pr_diff", "inspect_ci_run", "inspect_ticket", "ask_worker",
        "approve_proposal", "block_proposal", "hold_release", "finish_episode",
    ]  # fmt: skip
    for schema in schemas.values():
        assert not set(HIDDEN) & set(schema["parameters"]["properties"])
    assert schemas["inspect_pr_diff"]["parameters"]["required"] == ["pr_id"]
    assert schemas["approve_proposal"]["description"].startswith("Grant what a proposal requests.")


@both
async def test_the_gate_is_what_the_arena_calls_destructive(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        assert gate_set(await session.offers("classic-gate")) == {
            "approve_proposal",
            "block_proposal",
            "finish_episode",
        }
        assert gate_set(await session.offers("classic-canary")) == {"decide_rollout", "finish_episode"}


@both
async def test_answers_are_text_and_artifact_refusals_are_error_messages(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        started = await session.start(GATE_SCENARIO, agent="tested", model="none")
        tools = {
            tool.name: tool
            for tool in arena_tools(session, started["episode_id"], await session.offers("classic-gate"))
        }

        good = await tools["observe"].ainvoke({"name": "observe", "args": {}, "id": "a", "type": "tool_call"})
        bad = await tools[UNKNOWN_ARTIFACT[0]].ainvoke(
            {"name": UNKNOWN_ARTIFACT[0], "args": UNKNOWN_ARTIFACT[1], "id": "b", "type": "tool_call"}
        )
        handles = await tools["observe"].ainvoke(
            {"name": "observe", "args": {"episode_id": "ep_of_another"}, "id": "c", "type": "tool_call"}
        )

    assert isinstance(good, ToolMessage)
    assert good.artifact["observation"] == handles.artifact["observation"] == started["observation"]
    assert (good.status, bad.status, bad.artifact) == ("success", "error", None)
    assert bad.text.startswith("unknown_artifact: ")


@both
async def test_a_call_that_is_made_again_under_its_id_applies_once(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        started = await session.start(CANARY_SCENARIO, agent="tested", model="")
        offer = next(offer for offer in await session.offers("classic-canary") if offer.name == "decide_rollout")
        tool = arena_tool(session, started["episode_id"], offer)
        call = {"name": offer.name, "args": ROLLED_BACK[0][1], "id": "call_7", "type": "tool_call"}

        first, again = await tool.ainvoke(call), await tool.ainvoke(call)

    assert first.artifact == again.artifact
    assert sqlite_arena.peek(started["episode_id"]).step == 1


@both
async def test_the_arenas_own_failure_is_raised_and_no_answer(
    way: str, sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.install(monkeypatch)
    ticket = sqlite_arena.tickets.mint([toys.SCENARIO])[0]
    async with reach(way, sqlite_arena) as session:
        started = await session.start(ticket, agent="", model="")
        with pytest.raises(EnvironmentFault):
            await session.call("explode", {"episode_id": started["episode_id"]})


async def test_a_server_refuses_to_start_what_it_does_not_know(sqlite_arena: Arena) -> None:
    async with reach("over MCP", sqlite_arena) as session:
        with pytest.raises(InvalidArgument, match="unknown_scenario"):
            await session.start("classic-gate/nowhere/low/seed-1", agent="", model="")


@both
async def test_both_ways_tell_a_model_the_same(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        assert await session.briefing("classic-canary") == await LocalSession(sqlite_arena).briefing("classic-canary")


@both
async def test_the_graph_plays_both_ways_to_the_same_figure(way: str, sqlite_arena: Arena) -> None:
    async with reach(way, sqlite_arena) as session:
        _, state = await play(supervisor(session, scripted(*ROLLED_BACK)))

    assert state["stop_reason"] == "episode_over"
    same = played_in_process(sqlite_arena, CANARY_SCENARIO, ROLLED_BACK)
    assert sqlite_arena.score(state["episode_id"]) == sqlite_arena.score(same)


async def test_over_stdio_against_a_real_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'log.sqlite3'}"
    server: StdioServerParameters = own_server(url, {**os.environ, "PYTHONPATH": str(ROOT)})
    async with connect(server) as session:
        _, state = await play(supervisor(session, "scripted:phase-aware"), scenario=GATE_SCENARIO)

    store = open_store(Settings(database_url=url))
    begun = logged(store, state["episode_id"]).events[0]
    store.close()
    assert (state["stop_reason"], begun.data["origin"]["transport"], begun.data["capture"]) == (
        "episode_over",
        "stdio",
        "tools",
    )


async def test_by_url_against_a_real_server() -> None:
    with temporary_server() as url:
        async with connect(f"{url}/mcp") as session:
            _, state = await play(supervisor(session, "scripted:cautious"))

    assert state["stop_reason"] == "episode_over"


async def test_by_url_against_a_server_that_wants_a_token() -> None:
    with temporary_server(token="let me in") as url:
        async with connect(f"{url}/mcp", "let me in") as session:
            _, state = await play(supervisor(session, "scripted:cautious"))

    assert state["stop_reason"] == "episode_over"


async def test_inspections_stand_side_by_side_and_acting_calls_one_after_the_other() -> None:
    session = Slow()
    calls = [("look", {}), ("look", {}), ("act", {}), ("act", {}), ("look", {})]

    _, state = await play(supervisor(session, together(calls)))

    assert state["calls"] == 6
    assert session.most == {"look": 2, "act": 1}


def together(calls):
    """Return a model that makes all calls in one message."""
    messages = scripted(*calls).script
    whole = messages[0].model_copy(update={"tool_calls": [message.tool_calls[0] for message in messages]})
    return scripted().model_copy(update={"script": (whole, *scripted(("finish", {})).script)})


class Slow:
    """An arena whose calls take a while, and that counts how many run at the same time."""

    def __init__(self) -> None:
        self.running = {"look": 0, "act": 0}
        self.most = dict(self.running)
        self._step = 0

    async def start(self, scenario: str, *, agent: str, model: str) -> dict:
        return {**self._answer(), "suite": "slow"}

    async def offers(self, suite: str) -> tuple[Offer, ...]:
        schema = {"type": "object", "properties": {}}
        return (
            Offer("look", "Look.", schema, read_only=True, destructive=False),
            Offer("act", "Act.", schema),
            Offer("finish", "End.", schema),
        )

    async def briefing(self, suite: str) -> str:
        return "Be slow."

    async def call(self, tool: str, arguments: dict) -> Outcome:
        self._step += 1
        if tool in self.running:
            self.running[tool] += 1
            self.most[tool] = max(self.most[tool], self.running[tool])
            await asyncio.sleep(0.01)
            self.running[tool] -= 1
        return Outcome({**self._answer(), "done": tool == "finish"})

    async def record(self, episode_id: str, kind: str, data: dict) -> None:
        return None

    def _answer(self) -> dict:
        return {
            "episode_id": "ep_slow", "step": self._step, "result": None, "observation": {"n": self._step},
            "done": False, "terminal_reason": None,
        }  # fmt: skip
