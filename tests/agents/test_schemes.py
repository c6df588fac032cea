"""Supervisors that are made by a schemed name."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from io import StringIO

import pytest

from releaseops_mcp.agents import schemes
from releaseops_mcp.agents.base import Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.agents.terminal import seat
from releaseops_mcp.arena import Arena
from releaseops_mcp.cli.choosing import agents_of
from releaseops_mcp.errors import InvalidArgument
from tests.playing import logged

GATE = "classic-gate/green_ci_disabled_payment_test/low/seed-5"


def leave(brief: Brief) -> Play:
    brief.record("message", {"role": "system", "content": "leave"})
    yield from ()


def made(rest: str, suite: str) -> Supervisor:
    return Supervisor(f"toy:{rest}", suite, leave, False, "Leaves.", model=rest, capture="messages")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entries = [
        EntryPoint("toy", f"{__name__}:made", schemes.GROUP),
        EntryPoint("broken", "no_such_package.agents:make", schemes.GROUP),
    ]
    monkeypatch.setattr(EntryPoint, "load", lambda self: made if self.name == "toy" else __import__("no_such_package"))
    monkeypatch.setattr(schemes, "entry_points", lambda group: entries if group == schemes.GROUP else [])
    schemes.schemes.cache_clear()
    yield
    schemes.schemes.cache_clear()


@pytest.mark.usefixtures("toy")
def test_a_schemed_name_is_made_on_demand_and_plays_with_its_capture_level(sqlite_arena: Arena) -> None:
    found = find_supervisor("toy:m-1", "classic-gate")

    played = play_episode(sqlite_arena, found, GATE)

    [start, message, *_] = logged(sqlite_arena.store, played.episode_id).events
    assert (start.data["capture"], start.data["origin"]["agent"], start.data["origin"]["model"]) == (
        "messages",
        "toy:m-1",
        "m-1",
    )
    assert (message.kind, message.data["content"]) == ("message", "leave")
    assert [entry.name for entry in agents_of("classic-canary", ["toy:m-1"])] == ["toy:m-1"]


@pytest.mark.usefixtures("toy")
def test_a_scheme_whose_packages_are_missing_says_which() -> None:
    with pytest.raises(InvalidArgument, match="broken: needs no_such_package"):
        find_supervisor("broken:m", "classic-gate")


@pytest.mark.usefixtures("toy")
def test_an_unknown_name_is_refused_with_the_schemes_there_are() -> None:
    with pytest.raises(InvalidArgument, match=r"or human, toy:\.\.\., broken:\.\.\."):
        find_supervisor("nobody:m", "classic-gate")


def test_a_supervisor_with_a_runner_of_its_own_is_played_by_it(sqlite_arena: Arena) -> None:
    def runner(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        return Played("ep", scenario, supervisor.suite, "f", supervisor.name, seed, 0, None, {}, {}, None, False, "own")

    own = Supervisor("own", "classic-gate", leave, False, "Plays by itself.", runner=runner)

    assert play_episode(sqlite_arena, own, GATE, seed=7).steps == 7


def test_a_person_at_the_terminal_is_an_agent_of_every_suite(
    sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(seat.sys, "stdin", StringIO("inspect_ticket\nticket_0\nq\n"))

    played = play_episode(sqlite_arena, find_supervisor("human", "classic-gate"), GATE)

    assert (played.steps, played.invalid, played.fault) == (1, 1, None)
    assert "refused: unknown_artifact: " in capsys.readouterr().out


def test_a_person_takes_nothing_behind_a_colon() -> None:
    with pytest.raises(InvalidArgument, match="human takes nothing"):
        find_supervisor("human:me", "classic-gate")
