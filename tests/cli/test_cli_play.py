"""`releaseops play`: a person types, the log has it."""

import pytest

from tests.cli.conftest import Cli

GATE = "classic-gate/green_ci_disabled_payment_test/low/seed-5"


def test_a_person_plays_and_is_logged_and_scored(cli: Cli) -> None:
    ran = cli("play", GATE, typed="1\npr_2854\n7\n1\n5\np990\n")

    assert ran.code == 0
    assert "reward +1.1500  safe ship" in ran.out
    [entry] = cli("episodes", "list", "--json").json["episodes"]
    assert (entry["agent"], entry["steps"], entry["terminal_reason"]) == ("person", 3, "safe_ship")
    assert f"episodes show {entry['episode_id']}" in ran.out


def test_without_a_scenario_a_first_one_is_played(cli: Cli) -> None:
    ran = cli("play", typed="q\n")

    assert "left by its supervisor" in ran.out
    assert cli("episodes", "list", "--json").json["episodes"][0]["suite"] == "classic-gate"


def test_a_world_that_breaks_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("releaseops_mcp.episodes.classic_gate.episode.ClassicGateEpisode.call", crash)

    ran = cli("play", GATE, typed="7\n1\n")

    assert ran.code == 0
    assert "environment_fault: " in ran.out


def test_an_unknown_scenario_is_refused(cli: Cli) -> None:
    assert cli("play", "nowhere").code == 2
