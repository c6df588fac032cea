"""`releaseops eval`: the interface that scripts rely on, and what people see."""

import json
from pathlib import Path

import pytest

from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.cli.choosing import parse_seeds
from releaseops_mcp.errors import InvalidArgument
from tests.cli.conftest import Cli


def test_rows_and_laws_are_pure_json(cli: Cli) -> None:
    ran = cli("eval", "--suite", "classic-canary", "--agent", "cautious", "--seeds", "0..9", "--json")

    assert ran.code == 0
    assert set(ran.json) == {"rows", "laws"}
    overall = next(row for row in ran.json["rows"] if row["family"] == "all")
    assert (overall["suite"], overall["agent"], overall["episodes"]) == ("classic-canary", "cautious", 60)
    assert overall["ci95"][0] < overall["mean"] < overall["ci95"][1]
    assert {row["family"] for row in ran.json["rows"]} == {
        "easy",
        "medium",
        "hard",
        "expert",
        "recovery",
        "silent",
        "all",
    }
    assert [(law["law"], law["verdict"]) for law in ran.json["laws"]] == [("same-figure", "holds")]
    assert "logged steps/s" in ran.err


def test_all_supervisors_stand_side_by_side_with_the_laws(cli: Cli) -> None:
    ran = cli("eval", "--suite", "classic-gate", "--split", "eval")

    assert ran.code == 0
    for line in ("naive -0.9200", "rule -0.4500", "phase-aware 0.3120", "hold-then-approve * 0.7120"):
        assert line in " ".join(ran.out.split())
    assert "* degenerate: needs no judgement" in ran.out
    assert "broken  An unfinished episode is never better than a finished safe one." in ran.out
    assert "holds   The same trajectory has the same figure, live and re-scored." in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_every_suite_that_an_agent_plays_is_played(cli: Cli) -> None:
    rows = cli("eval", "--agent", "always-hold", "--seeds", "3", "--json").json["rows"]

    assert {row["suite"] for row in rows} == {"canary", "classic-canary", "classic-gate"}
    assert all(row["degenerate"] for row in rows)


def test_scenarios_are_named_by_id_or_ticket(cli: Cli) -> None:
    [minted] = cli("scenarios", "ticket", "classic-gate/careful_qa_safe/low/seed-3", "--json").json

    ran = cli("eval", "--agent", "naive", "--scenario", minted["ticket"], "--json")

    row = ran.json["rows"][0]
    assert (row["family"], row["episodes"], row["mean"], row["ci95"]) == ("careful_qa_safe", 1, 1.0, None)


def test_the_result_is_written_to_a_file_too(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "result.json"

    ran = cli("eval", "--suite", "classic-canary", "--agent", "baseline", "--seeds", "0", "--json", "--out", str(out))

    assert json.loads(out.read_text()) == ran.json


def test_an_episode_that_does_not_end_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(play_episode.__kwdefaults__, "max_calls", 2)
    ran = cli("eval", "--suite", "classic-gate", "--agent", "naive", "--seeds", "0..1")

    assert " of 8 episodes were stopped at the limit of calls and are left out of its means" in ran.out


def test_an_unscored_episode_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("releaseops_mcp.episodes.classic_gate.episode.ClassicGateEpisode.call", crash)

    ran = cli("eval", "--suite", "classic-gate", "--agent", "naive", "--seeds", "1")

    assert "naive on classic-gate/careful_qa_safe/medium/seed-1 is unscored: environment_fault: " in " ".join(
        ran.out.split()
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--suite", "gone"], "no suite 'gone': the suites are canary, classic-canary, classic-gate"),
        (["--split", "gone"], "no split 'gone': the splits are "),
        (["--agent", "gone", "--suite", "classic-gate"], "no agent 'gone' plays classic-gate: choose one of naive"),
        (["--agent", "naive", "--suite", "classic-canary"], "none of naive plays classic-canary"),
        (["--seeds", "1", "--split", "eval"], "name scenarios in one way"),
        (["--seeds", "9..1"], "a range runs upwards"),
        (["--via", "pigeon", "--seeds", "1"], "no runner 'pigeon': choose one of python"),
        (
            ["--suite", "classic-canary", "--scenario", "classic-gate/careful_qa_safe/low/seed-1"],
            "is of classic-gate, which --suite leaves out",
        ),
        (["--agent", "naive", "--seeds", "1", "--out", "/proc/none/result.json"], "/proc/none/result.json: No such"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], message: str, cli: Cli) -> None:
    ran = cli("eval", *words)

    assert ran.code == 2
    assert message in ran.err


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("0..9", range(10)), ("5", [5]), ("1,3,7", [1, 3, 7]), ("-2..1, 9", [-2, -1, 0, 1, 9])],
)
def test_seeds_are_read_with_both_ends(text: str, seeds: list[int]) -> None:
    assert [seed for part in parse_seeds(text) for seed in part] == list(seeds)


@pytest.mark.parametrize("text", ["", "a", "1..", "3..1", "1;2", "0..1000000", "1,,2", "0x1"])
def test_seeds_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_seeds(text)
