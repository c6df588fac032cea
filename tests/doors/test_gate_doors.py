"""`gate` through every door with tickets: the same play gets the same answers, score and log everywhere."""

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
from releaseops_mcp.episodes.gate import SUITE
from releaseops_mcp.events import Origin
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.reading import ExportLog
from releaseops_mcp.settings import Settings, open_arena
from releaseops_mcp.simulation import Simulation
from tests.cli.conftest import cli, database_url
from tests.doors.gatekit import GIVEAWAY, excursion, tickets, tour
from tests.doors.http.servekit import ask, client_of, live, settings, socket_of
from tests.graphs.graphkit import play as play_graph
from tests.graphs.graphkit import scripted, supervisor
from tests.playing import logged
from tests.world.cases import scenarios

__all__ = ["cli", "database_url"]

SCENARIO = "gate/looplatch/k12-false-claim-twin/level-3/seed-3"
ORIGIN = Origin(door="mcp")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Arena]:
    with closing(open_arena(Settings(database_url=f"sqlite:///{tmp_path / 'log.sqlite3'}"))) as arena:
        yield arena


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def expected():
    """Return the calls of the tour, the observations that it meets and its score, as the core alone plays it."""
    simulation = Simulation.of(SCENARIO)
    calls = tour(simulation.first_observation)
    return calls, [simulation.call(*call) for call in calls], simulation.score().total


def by_dispatch(arena: Arena, ticket: str, choose):
    """Return the episode's id and every byte that an agent reads."""
    started = invoke(arena, "start_episode", {"scenario": ticket}, ORIGIN)
    read = [started]
    for tool, arguments in choose(started.body["observation"]):
        read.append(invoke(arena, tool, {"episode_id": started.episode_id, **arguments}, ORIGIN))
    read.append(invoke(arena, "observe", {"episode_id": started.episode_id}, ORIGIN))
    read.append(invoke(arena, "finish_episode", {"episode_id": started.episode_id}, ORIGIN))
    return started.episode_id, [f"{reply.body} {reply.error}" for reply in read]


def test_the_tour_has_good_and_bad_calls_and_an_end() -> None:
    calls, judged, _ = expected()

    assert {tool for tool, _ in calls} == {tool.name for tool in SUITE.tools}
    assert sum(each.refusal is not None for each in judged) >= 3
    assert judged[-1].done


def test_no_episode_shows_a_kind_or_an_id(opened: Arena) -> None:
    shown: list[str] = []
    names = [(name, name.other)[place % 2].id for place, name in enumerate(scenarios(3, homes=2))]
    for number, ticket in enumerate(tickets(opened, names)):
        shown += by_dispatch(opened, ticket, lambda observation, seed=number: excursion(observation, seed))[1]
    for offset in (0, 20, 300):
        shown.append(str(invoke(opened, "list_scenarios", {"suite": "gate", "offset": offset}, ORIGIN)))
    for wrong in (SCENARIO, "gate/cedarline/k98-none/level-1/seed-1", "scn_0000000000000000"):
        refused = invoke(opened, "start_episode", {"scenario": wrong}, ORIGIN)
        assert refused.body is None
        shown.append(str(refused.error).replace(wrong, ""))

    assert len(names) >= 50
    asked = "k01-skipped-test"  # the tour asks for it, and the refusal repeats what was asked
    assert GIVEAWAY.search("\n".join(shown).replace(asked, "")) is None


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_mcp_of_both_eras_plays_it_and_shows_no_kind_or_id(opened: Arena, mode: str) -> None:
    calls, judged, total = expected()
    (ticket,) = tickets(opened, [SCENARIO])
    shown: list[str] = []
    async with Client(build_server(opened, ["gate"]), mode=mode) as client:
        shown += [each.model_dump_json() for each in (await client.list_tools()).tools]
        shown += [each.model_dump_json() for each in (await client.list_prompts()).prompts]
        shown += [each.model_dump_json() for each in (await client.list_resources()).resources]
        shown.append((await client.get_prompt("supervise_gate", {})).model_dump_json())
        shown.append((await client.read_resource("releaseops://suites/gate/policy")).model_dump_json())
        started = await client.call_tool("start_episode", {"scenario": ticket})
        episode_id = started.structured_content["episode_id"]
        answers = [await client.call_tool(tool, {"episode_id": episode_id, **asked}) for tool, asked in calls]
        for view in ("observation", "transcript"):
            shown.append((await client.read_resource(f"releaseops://episodes/{episode_id}/{view}")).model_dump_json())

    shown += [answer.model_dump_json() for answer in answers]
    assert [answer.is_error for answer in answers] == [each.refusal is not None for each in judged]
    assert opened.score(episode_id).total == total
    assert GIVEAWAY.search("\n".join(shown).replace("k01-skipped-test", "")) is None


def test_a_place_in_the_listing_tells_no_truth(opened: Arena) -> None:
    pages = [opened.tickets.listing("gate", offset=offset).scenarios for offset in range(0, 200, 20)]
    ids = [opened.tickets.resolve(row.scenario, operator=True)[0].id for page in pages for row in page]
    twins = ["-twin/" in name for name in ids]

    assert len(ids) == 200
    runs = sum(first is not second for first, second in pairwise(twins))
    assert abs(runs - len(twins) / 2) < 4 * (len(twins) / 4) ** 0.5


def test_dispatch_answers_as_the_core_plays_and_the_log_replays_and_rescores(opened: Arena, tmp_path: Path) -> None:
    _, judged, total = expected()
    (ticket,) = tickets(opened, [SCENARIO])

    episode_id, _ = by_dispatch(opened, ticket, tour)

    results = [event.data for event in logged(opened.store, episode_id).events if event.kind == "tool_result"]
    played = results[: len(judged)]
    assert [data["error"] is None for data in played] == [each.refusal is None for each in judged]
    assert played[-1]["observation"] == judged[-1].observation
    report = verify_store(opened.store)
    assert (report.episodes, report.replayed, report.rescored) == (1, 1, 1)
    assert opened.score(episode_id).total == total
    write_export(opened.store, tmp_path / "log.jsonl", with_truth=True)
    (again,) = ExportLog(tmp_path / "log.jsonl").episodes()
    assert rescored(again).total == total


def test_http_plays_it_and_no_figure_on_the_way_tells_the_truth(tmp_path: Path) -> None:
    with client_of(settings(tmp_path)) as http:
        listed = http.get("/tasks", params={"suite": "gate"}).json()["scenarios"]
        begun = http.post("/episodes", json={"scenario": listed[0]["scenario"]})
        refused = http.post("/episodes", json={"scenario": SCENARIO})
        calls = tour(begun.json()["observation"])
        answers = [
            http.post(f"/episodes/{begun.json()['episode_id']}/step", json={"tool": tool, "arguments": arguments})
            for tool, arguments in calls
        ]

    assert refused.status_code == 422
    assert begun.status_code == 201
    assert answers[-1].json()["done"]
    for answer in (begun, *answers):
        assert GIVEAWAY.search(answer.text.replace("k01-skipped-test", "")) is None
    assert set(answers[0].json()["observation"]) == set(begun.json()["observation"])


def test_a_websocket_plays_it(tmp_path: Path) -> None:
    with live(settings(tmp_path)) as url, socket_of(url) as socket:
        begun = ask(socket, "reset", {"suite": "gate"})
        read = ask(socket, "step", {"tool": "read_policy", "arguments": {}})
        over = ask(socket, "step", {"tool": "refuse_release", "arguments": {"reason_code": "policy_forbids"}})

    for frame in (begun, read, over):
        assert frame["type"] != "error", frame
        assert GIVEAWAY.search(str(frame)) is None
    assert over["data"]["done"]


@pytest.mark.anyio
async def test_the_graph_plays_it(sqlite_arena: Arena) -> None:
    (ticket,) = tickets(sqlite_arena, [SCENARIO])
    calls, judged, _ = expected()
    good = [call for call, each in zip(calls, judged, strict=True) if each.refusal is None]

    _, state = await play_graph(supervisor(sqlite_arena, scripted(*good)), scenario=ticket)

    simulation = Simulation.of(SCENARIO)
    for call in good:
        simulation.call(*call)
    assert (state["stop_reason"], state["done"]) == ("episode_over", True)
    assert sqlite_arena.score(state["episode_id"]).total == simulation.score().total


def test_the_command_line_plays_lists_and_tickets_it(cli) -> None:
    assert cli("eval", "--suite", "gate", "--agent", "reference", "--scenario", SCENARIO).code == 0
    (row,) = cli("episodes", "list", "--json").json["episodes"]
    assert (row["suite"], row["agent"]) == ("gate", "reference")
    ticket = cli("scenarios", "ticket", SCENARIO)
    assert ticket.code == 0
    assert "scn_" in ticket.out
    assert cli("episodes", "verify").code == 0
    assert cli("play", SCENARIO, typed="").code == 0
