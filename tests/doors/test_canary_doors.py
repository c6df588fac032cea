"""`canary` through every door with tickets: the same play gets the same answers, score and log everywhere."""

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from mcp import Client

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.dispatch import invoke
from releaseops_mcp.audit.rescore import rescored
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.events import Origin
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.reading import ExportLog
from releaseops_mcp.rewards.canary import DECISION
from releaseops_mcp.settings import Settings, open_arena
from releaseops_mcp.simulation import Simulation
from tests.cli.conftest import cli, database_url
from tests.doors.canarykit import GIVEAWAY, TOUR, excursion, tickets
from tests.doors.http.servekit import ask, client_of, live, settings, socket_of
from tests.graphs.graphkit import play as play_graph
from tests.graphs.graphkit import scripted, supervisor
from tests.playing import logged

__all__ = ["cli", "database_url"]

SCENARIO = "canary/f07-leak-twin/seed-3"
EPISODES = 500
CLOSED = 12
"""Calls of the tour until the rollout is over."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Arena]:
    with closing(open_arena(Settings(database_url=f"sqlite:///{tmp_path / 'log.sqlite3'}"))) as arena:
        yield arena


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def expected():
    """Return the observations of the tour and its score, as the core alone plays it."""
    simulation = Simulation.of(SCENARIO)
    return [simulation.call(*call).observation for call in TOUR], simulation.score().total


def by_dispatch(arena: Arena, ticket: str, calls):
    """Return the episode's id and every byte that an agent reads."""
    origin = Origin(door="mcp")
    started = invoke(arena, "start_episode", {"scenario": ticket}, origin)
    read = [started]
    for tool, arguments in calls:
        read.append(invoke(arena, tool, {"episode_id": started.episode_id, **arguments}, origin))
    read.append(invoke(arena, "observe", {"episode_id": started.episode_id}, origin))
    read.append(invoke(arena, "finish_episode", {"episode_id": started.episode_id}, origin))
    return started.episode_id, [f"{reply.body} {reply.error}" for reply in read]


def test_500_episodes_never_show_a_family_or_an_id(opened: Arena) -> None:
    count, shown = 0, []
    for seed in range(-(-EPISODES // len(SUITE.families))):
        for ticket in tickets(opened, range(seed, seed + 1)):
            shown += by_dispatch(opened, ticket, excursion(count, 3))[1]
            count += 1
    origin = Origin(door="mcp")
    for offset in (0, 20, 360):
        shown.append(str(invoke(opened, "list_scenarios", {"suite": "canary", "offset": offset}, origin)))
    for wrong in (SCENARIO, "canary/f98-none/seed-1", "scn_0000000000000000"):
        refused = invoke(opened, "start_episode", {"scenario": wrong}, origin)
        assert refused.body is None
        shown.append(str(refused.error).replace(wrong, ""))

    assert count >= EPISODES
    assert GIVEAWAY.search("\n".join(shown)) is None


@pytest.mark.anyio
async def test_mcp_shows_no_family_or_id_in_tools_prompts_resources_or_completions(opened: Arena) -> None:
    shown = []
    async with Client(build_server(opened)) as client:
        shown += [each.model_dump_json() for each in (await client.list_tools()).tools]
        shown += [each.model_dump_json() for each in (await client.list_prompts()).prompts]
        shown += [each.model_dump_json() for each in (await client.list_resources()).resources]
        shown.append((await client.get_prompt("supervise_canary", {})).model_dump_json())
        shown.append((await client.read_resource("releaseops://suites/canary/policy")).model_dump_json())
        for index, ticket in enumerate(tickets(opened, range(1))):
            started = await client.call_tool("start_episode", {"scenario": ticket})
            episode_id = started.structured_content["episode_id"]
            shown.append(started.model_dump_json())
            for tool, arguments in excursion(index):
                answer = await client.call_tool(tool, {"episode_id": episode_id, **arguments})
                shown.append(answer.model_dump_json())
            for view in ("observation", "transcript"):
                read = await client.read_resource(f"releaseops://episodes/{episode_id}/{view}")
                shown.append(read.model_dump_json())

    hits = [found.group() for text in shown if (found := GIVEAWAY.search(text))]
    assert [hit for hit in hits if hit != "seed-0"] == []
    open_ids = sum("classic-" in text and "seed-0" in text for text in shown)
    assert len(hits) <= open_ids, "only the classics' open ids may stand in a text"


def test_a_place_in_the_listing_tells_no_truth(opened: Arena) -> None:
    pages = [opened.tickets.listing("canary", offset=offset).scenarios for offset in range(0, 400, 20)]
    listed = [row.scenario for page in pages for row in page]
    bad = [Simulation.of(opened.tickets.resolve(name, operator=True)[0].id).episode.truth()["bad"] for name in listed]

    assert len(bad) == 10 * len(SUITE.families)
    assert all(name.startswith("scn_") for name in listed)
    runs = sum(first is not second for first, second in pairwise(bad))
    assert abs(runs - len(bad) / 2) < 4 * (len(bad) / 4) ** 0.5


def test_dispatch_answers_as_the_core_plays_and_the_log_replays_and_rescores(opened: Arena, tmp_path: Path) -> None:
    (ticket,) = opened.tickets.mint([SCENARIO])
    episode_id, _ = by_dispatch(opened, ticket, TOUR)

    observations, total = expected()
    results = [event for event in logged(opened.store, episode_id).events if event.kind == "tool_result"]
    judged = [event.data for event in results if event.data["error"] is None][: len(TOUR)]
    assert [data["observation"] for data in judged if data["observation"]][-1] == observations[-1]
    report = verify_store(opened.store)
    assert (report.episodes, report.replayed, report.rescored) == (1, 1, 1)
    assert opened.score(episode_id).total == total
    write_export(opened.store, tmp_path / "log.jsonl", with_truth=True)
    (again,) = ExportLog(tmp_path / "log.jsonl").episodes()
    assert rescored(again).total == total


def test_http_plays_it_and_no_figure_on_the_way_tells_the_truth(tmp_path: Path) -> None:
    observations, _ = expected()
    with client_of(settings(tmp_path)) as http:
        listed = http.get("/tasks", params={"suite": "canary"}).json()["scenarios"]
        begun = http.post("/episodes", json={"scenario": listed[0]["scenario"]})
        refused = http.post("/episodes", json={"scenario": SCENARIO})
        answers = [
            http.post(f"/episodes/{begun.json()['episode_id']}/step", json={"tool": tool, "arguments": arguments})
            for tool, arguments in TOUR
        ]

    assert refused.status_code == 422
    assert {answer.json().get("reward", 0.0) for answer in answers[: CLOSED - 1]} <= {0.0, -DECISION}
    assert begun.status_code == 201
    assert answers[CLOSED - 1].json()["done"]
    for answer in (begun, *answers):
        assert GIVEAWAY.search(answer.text) is None
    assert set(answers[0].json()["observation"]) == set(observations[0])


def test_a_websocket_plays_it(tmp_path: Path) -> None:
    with live(settings(tmp_path)) as url, socket_of(url) as socket:
        begun = ask(socket, "reset", {"suite": "canary"})
        held = ask(socket, "step", {"tool": TOUR[0][0], "arguments": TOUR[0][1]})
        over = ask(socket, "step", {"tool": TOUR[11][0], "arguments": TOUR[11][1]})

    for frame in (begun, held, over):
        assert frame["type"] != "error", frame
        assert GIVEAWAY.search(str(frame)) is None
    assert over["data"]["done"]


@pytest.mark.anyio
async def test_the_graph_plays_it(sqlite_arena: Arena) -> None:
    (ticket,) = sqlite_arena.tickets.mint([SCENARIO])
    good = [call for call in TOUR[:CLOSED] if Simulation.of(SCENARIO).call(*call).refusal is None]

    _, state = await play_graph(supervisor(sqlite_arena, scripted(*good)), scenario=ticket)

    simulation = Simulation.of(SCENARIO)
    for call in good:
        simulation.call(*call)
    assert (state["stop_reason"], state["done"]) == ("episode_over", True)
    assert sqlite_arena.score(state["episode_id"]).total == simulation.score().total


def test_the_command_line_plays_lists_and_tickets_it(cli) -> None:
    assert cli("eval", "--suite", "canary", "--agent", "cautious", "--scenario", SCENARIO).code == 0
    (row,) = cli("episodes", "list", "--json").json["episodes"]
    assert (row["suite"], row["agent"]) == ("canary", "cautious")
    ticket = cli("scenarios", "ticket", SCENARIO)
    assert ticket.code == 0
    assert "scn_" in ticket.out
    assert cli("episodes", "verify").code == 0
