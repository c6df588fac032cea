"""`mcp-command:CMD`: a real process connects over MCP, plays the one ticket it was given, and is scored for that."""

import shlex
import sys
from pathlib import Path

import pytest

from graphs.agents.external import mcp_command
from graphs.agents.guest import Guest
from graphs.agents.process import environment_for, filled
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import Conflict, InvalidArgument, UnknownScenario
from releaseops_mcp.events import Origin
from tests.playing import logged

SUITE = "classic-gate"
SCENARIO = "classic-gate/green_ci_disabled_payment_test/low/seed-5"
AGENT = shlex.join([sys.executable, str(Path(__file__).with_name("outside_agent.py")), "{mcp_config}"])
DOOR = Origin(door="mcp")


def play(arena: Arena, command: str) -> Played:
    return play_episode(arena, mcp_command(command, SUITE), SCENARIO)


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def test_an_agent_that_connects_by_itself_plays_its_ticket(sqlite_arena):
    played = play(sqlite_arena, AGENT)

    assert (played.terminal_reason, played.steps, played.invalid, played.fault) == ("missed_deadline", 3, 0, None)
    assert played.reward == sqlite_arena.score(played.episode_id).total
    start = logged(sqlite_arena.store, played.episode_id).events[0].data
    assert (start["capture"], start["origin"]["door"], start["origin"]["transport"]) == ("tools", "mcp", "http")
    assert start["origin"]["agent"].startswith("mcp-command:")
    assert start["named"].startswith("scn_")


def test_an_agent_that_leaves_is_scored_as_things_stand(sqlite_arena):
    played = play(sqlite_arena, f"{AGENT} leave")

    assert (played.steps, played.terminal_reason, played.truncated, played.fault) == (1, None, False, None)
    assert played.reward is not None


def test_an_agent_that_crashes_in_its_episode_is_unscored(sqlite_arena):
    played = play(sqlite_arena, f"{AGENT} crash")

    assert (played.steps, played.reward) == (1, None)
    assert played.fault is not None
    assert played.fault.startswith("agent_failed: the process ended with code 1: ")
    assert "out of tokens" in played.fault


def test_an_agent_that_lingers_is_stopped_when_time_is_up(sqlite_arena, monkeypatch):
    monkeypatch.setenv("RELEASEOPS_AGENT_TIMEOUT_S", "4")

    played = play(sqlite_arena, f"{AGENT} linger")

    assert (played.steps, played.terminal_reason, played.truncated, played.fault) == (1, None, True, None)
    assert played.reward is not None


def test_an_agent_gets_one_episode_of_one_scenario(sqlite_arena):
    ticket, other = sqlite_arena.tickets.mint([SCENARIO] * 2)
    guest = Guest(sqlite_arena, ticket, "me")

    with pytest.raises(UnknownScenario, match=f"start {ticket}"):
        guest.start(other, DOOR)
    started = guest.start(ticket, DOOR)
    with pytest.raises(Conflict, match=f"go on with episode {started.episode_id}"):
        guest.start(ticket, DOOR)


def test_an_agent_that_roams_is_led_back(sqlite_arena):
    played = play(sqlite_arena, f"{AGENT} roam")

    assert (played.terminal_reason, played.fault) == ("missed_deadline", None)
    assert [row.id for row in sqlite_arena.store.stream(None)] == [played.episode_id]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (python("print('no key')"), "agent_failed: the process ended with code 0 and had not started its episode: no"),
        (python("raise SystemExit(3)"), "agent_failed: the process ended with code 3 and had not started its episode"),
        ("/no/such/agent --fast", "infrastructure: cannot start /no/such/agent: No such file"),
    ],
)
def test_an_agent_that_starts_nothing_is_unscored(sqlite_arena, command, fault):
    played = play(sqlite_arena, command)

    assert (played.episode_id, played.reward, played.truncated) == ("", None, False)
    assert played.fault is not None
    assert played.fault.startswith(fault)


def test_an_agent_that_hangs_before_it_starts_is_unscored(sqlite_arena, monkeypatch):
    monkeypatch.setenv("RELEASEOPS_AGENT_TIMEOUT_S", "0.3")

    played = play(sqlite_arena, python("import time; time.sleep(60)"))

    assert (played.reward, played.truncated) == (None, False)
    assert "was stopped when time was up and had not started its episode" in str(played.fault)


def test_an_agent_is_handed_all_it_needs_and_not_the_log(monkeypatch):
    monkeypatch.setenv("RELEASEOPS_DATABASE_URL", "sqlite:///secret")
    values = {"mcp_config": "/there/mcp.json", "prompt": "Play {url}", "url": "http://here"}

    environment = environment_for(values)

    assert (environment["RELEASEOPS_MCP_CONFIG"], environment["RELEASEOPS_PROMPT"]) == ("/there/mcp.json", "Play {url}")
    assert "RELEASEOPS_DATABASE_URL" not in environment
    assert filled(["a", "--p={prompt}", "{url}{mcp_config}"], values) == [
        "a",
        "--p=Play {url}",
        "http://here/there/mcp.json",
    ]


@pytest.mark.parametrize(("command", "said"), [("", "needs a command"), ("'", "No closing quotation")])
def test_a_command_that_makes_no_sense_is_refused(command, said):
    with pytest.raises(InvalidArgument, match=said):
        mcp_command(command, SUITE)


def test_a_timeout_that_makes_no_sense_is_refused(monkeypatch):
    monkeypatch.setenv("RELEASEOPS_AGENT_TIMEOUT_S", "soon")

    with pytest.raises(InvalidArgument, match="RELEASEOPS_AGENT_TIMEOUT_S"):
        mcp_command("agent", SUITE)


def test_an_agent_plays_the_suite_it_is_made_for(sqlite_arena):
    with pytest.raises(InvalidArgument, match="plays classic-canary"):
        play_episode(sqlite_arena, mcp_command("agent", "classic-canary"), SCENARIO)
