"""Tickets hide the ids that would give the answer away, and open what an agent may play."""

import re

import pytest

from releaseops_mcp.arena.dispatch import invoke
from releaseops_mcp.arena.tickets import PAGE
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument, UnknownScenario
from releaseops_mcp.events import Origin
from tests import toys
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO

AGENT = Origin(door="mcp", client="test")


@pytest.fixture
def tickets(arena, monkeypatch):
    """The tickets of an arena where the closed toy suite is installed."""
    toys.install(monkeypatch)
    return arena.tickets


def test_a_ticket_is_opaque_and_leads_to_its_scenario(tickets):
    one, two = tickets.mint([toys.SCENARIO, CANARY_SCENARIO])
    assert re.fullmatch("scn_[0-9a-f]{16}", one)
    assert tickets.resolve(one, operator=False)[0].id == toys.SCENARIO
    assert tickets.resolve(two, operator=False)[1].name == "classic-canary"


def test_a_ticket_is_good_in_every_process(tickets, second_arena):
    (ticket,) = tickets.mint([toys.SCENARIO])
    assert second_arena.start(ticket, operator=False).suite == "toy"


def test_no_ticket_is_minted_for_what_does_not_exist(tickets):
    with pytest.raises(UnknownScenario):
        tickets.mint([CANARY_SCENARIO, "toy/none/seed-1"])
    assert tickets.mint([]) == []


def test_only_an_operator_may_name_the_id_of_a_closed_suite(tickets):
    assert tickets.resolve(toys.SCENARIO, operator=True)[0].family == "f99-leak"
    with pytest.raises(UnknownScenario, match="toy is played by tickets alone: list_scenarios shows some"):
        tickets.resolve(toys.SCENARIO, operator=False)
    assert tickets.resolve(GATE_SCENARIO, operator=False)[0].id == GATE_SCENARIO, "the classics' ids are open"


@pytest.mark.parametrize("named", [None, 7, "", "x" * 400, "toy/\n", "\ud800", "scn_0000", "nosuite/a", ["scn_1"]])
def test_what_names_no_scenario_is_refused_with_advice(tickets, named):
    with pytest.raises(UnknownScenario, match="list_scenarios shows what can be played"):
        tickets.resolve(named, operator=True)


def test_scenarios_are_listed_in_pages(tickets):
    seen, offset = [], 0
    while offset is not None:
        page = tickets.listing("classic-gate", offset=offset)
        assert len(page.scenarios) <= PAGE
        assert page.truncated == (page.next_offset is not None)
        seen += [listed.scenario for listed in page.scenarios]
        offset = page.next_offset
    assert seen == list(suites()["classic-gate"].grid(range(10)))
    assert page.total == len(seen) == 40


def test_a_split_is_listed_by_its_name(tickets):
    page = tickets.listing(split="published")
    assert [listed.suite for listed in page.scenarios] == ["classic-canary"] * 6
    assert page.scenarios[0].level == "easy"


def test_a_closed_suite_is_listed_by_suite_split_level_and_ticket_alone(tickets):
    page = tickets.listing("toy", split="pair")
    assert [(listed.suite, listed.level) for listed in page.scenarios] == [("toy", "plain")] * 2
    assert all(listed.scenario.startswith("scn_") for listed in page.scenarios)
    assert "f99" not in page.model_dump_json()
    found = [tickets.resolve(listed.scenario, operator=False)[0].id for listed in page.scenarios]
    assert found == list(toys.TOY.splits()["pair"])


def test_only_the_suites_that_are_shown_are_listed(tickets):
    page = tickets.listing(shown=("toy",))
    assert {listed.suite for listed in page.scenarios} == {"toy"}
    with pytest.raises(InvalidArgument, match="no suite 'classic-gate': the suites are toy"):
        tickets.listing("classic-gate", shown=("toy",))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"suite": "none"}, "no suite 'none': the suites are "),
        ({"suite": ["toy"]}, r"no suite \['toy'\]"),
        ({"split": "none"}, "no split 'none': the splits are "),
        ({"split": 4}, "no split 4"),
        ({"offset": -1}, "offset must be a whole number from 0"),
        ({"offset": True}, "offset must be a whole number from 0"),
        ({"offset": "3"}, "offset must be a whole number from 0"),
    ],
)
def test_a_listing_that_cannot_be_made_says_why(tickets, asked, message):
    with pytest.raises(InvalidArgument, match=message):
        tickets.listing(**asked)


def test_nothing_that_an_agent_is_shown_holds_the_id_of_a_closed_scenario(tickets, arena):
    """Every tool, every refusal and every error of a whole play, as an agent gets them."""
    ticket = invoke(arena, "list_scenarios", {"suite": "toy"}, AGENT).body["scenarios"][0]["scenario"]
    started = invoke(arena, "start_episode", {"scenario": ticket}, AGENT)
    assert started.body["scenario"] == ticket
    episode = {"episode_id": started.episode_id}
    calls = [
        ("start_episode", {"scenario": toys.SCENARIO}),
        ("start_episode", {"scenario": "toy/f98/seed-1"}),
        ("read_diff", episode),
        ("observe", episode | {"offset": 6000}),
        ("observe", episode | {"offset": -1}),
        ("decide", episode | {"verdict": "maybe"}),
        ("explode", episode),
        ("nonsense", episode),
        ("decide", episode | {"verdict": "ship", "action_id": "a"}),
        ("decide", episode | {"verdict": "block", "action_id": "a"}),
        ("decide", episode | {"verdict": "ship"}),
        ("finish_episode", episode),
    ]
    replies = [invoke(arena, tool, arguments, AGENT) for tool, arguments in calls]
    shown = str([(reply.body, reply.error) for reply in replies])
    assert "f99" not in shown
    assert "-twin" not in shown
    assert "seed-1" not in shown.replace("toy/f98/seed-1", ""), "but for what the caller itself has sent"


def test_an_error_while_an_episode_is_rebuilt_names_no_scenario(tickets, arena, second_arena, monkeypatch):
    episode_id = arena.start(tickets.mint([toys.SCENARIO])[0], operator=False).episode_id
    monkeypatch.setattr(toys.ToyEpisode, "world_hash", "f" * 64)
    reply = invoke(second_arena, "observe", {"episode_id": episode_id}, AGENT)
    assert reply.error.startswith("version_mismatch: event 0: its scenario generates another world")
    assert "f99" not in reply.error
    monkeypatch.setattr(toys.Toy, "version", "2.0.0")
    reply = invoke(second_arena, "observe", {"episode_id": episode_id}, AGENT)
    assert reply.error.startswith("version_mismatch: this episode was played on toy 1.0.0, and 2.0.0 is here")
    assert "f99" not in reply.error
