"""`releaseops episodes`: list, show, export, verify and re-score a log that holds a bit of everything."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from atif import Trajectory

from releaseops_mcp.arena import Arena
from releaseops_mcp.events import Origin
from releaseops_mcp.settings import Settings, open_arena
from tests.cli.conftest import Cli
from tests.playing import fill

HOSTILE = "[bold]\x1b[2J\ud800"


@pytest.fixture
def log(database_url: str) -> Iterator[Arena]:
    arena = open_arena(Settings(database_url=database_url))
    yield arena
    arena.close()


@pytest.fixture
def ids(log: Arena) -> list[str]:
    """Four episodes: an ended one of each suite, a closed one, a running one."""
    return fill(log)


def alter(database_url: str, statement: str) -> None:
    with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
        connection.execute(statement)
    connection.close()


def test_episodes_are_listed_a_page_at_a_time(cli: Cli, ids: list[str]) -> None:
    first = cli("episodes", "list", "--limit", "3", "--json").json
    second = cli("episodes", "list", "--after", str(first["next_after"]), "--json").json

    assert [entry["episode_id"] for entry in first["episodes"] + second["episodes"]] == ids
    assert second["next_after"] is None
    assert first["episodes"][0]["terminal_reason"] == "missed_deadline"
    assert second["episodes"][0]["reward"] is None


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["--ended"], [1, 2, 3]),
        (["--open"], [4]),
        (["--suite", "classic-canary"], [2, 3]),
        (["--agent", "nobody"], []),
    ],
)
def test_the_list_can_be_narrowed(words: list[str], numbers: list[int], cli: Cli, ids: list[str]) -> None:
    listed = cli("episodes", "list", *words, "--json").json["episodes"]

    assert [entry["number"] for entry in listed] == numbers


def test_people_see_whole_ids_and_what_is_open_or_unscored(cli: Cli, ids: list[str]) -> None:
    ran = cli("episodes", "list", "--limit", "4")

    assert all(episode_id in ran.out for episode_id in ids)
    assert "missed_deadline" in ran.out
    assert "open unscored" in " ".join(ran.out.split())
    assert cli("episodes", "list", "--limit", "2").err == "--after 2 shows more\n"


def test_an_empty_log_says_what_makes_episodes(cli: Cli) -> None:
    assert "releaseops demo makes some" in cli("episodes", "list").err


def test_an_episode_is_shown_to_scripts_in_full(cli: Cli, ids: list[str]) -> None:
    told = cli("episodes", "show", ids[1], "--json").json

    assert (told["episode_id"], told["suite"]) == (ids[1], "classic-canary")
    assert [step["tool"] for step in told["steps"]] == ["decide_rollout"] * 3
    assert (told["terminal_reason"], told["validity"]) == ("rollback", "complete")
    assert {"reward", "metrics", "components", "origin", "versions"} <= told.keys()


def test_an_episode_reads_as_a_transcript(cli: Cli, ids: list[str]) -> None:
    gate, running = cli("episodes", "show", ids[0]).out, cli("episodes", "show", ids[3]).out

    assert "refused: unknown_artifact" in gate
    assert "hold_release" in gate
    assert "phase triage to deploy_gate" in gate
    assert "missed deadline" in gate
    assert "still open" in running


def test_a_canary_transcript_names_what_moved_and_how_it_was_graded(cli: Cli, ids: list[str]) -> None:
    shown = cli("episodes", "show", ids[1]).out

    assert "traffic pct 0.0 to 0.1" in shown
    assert "healthy standard promotion" in shown


def test_hostile_texts_are_harmless_in_a_transcript(cli: Cli, log: Arena) -> None:
    episode = log.start("classic-gate/careful_qa_safe/low/seed-3", Origin(door="python", agent="x")).episode_id
    log.call(episode, HOSTILE, {HOSTILE: HOSTILE, "long": "a" * 5_000})
    log.call(episode, "hold_release", [HOSTILE])

    ran = cli("episodes", "show", episode)

    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "[bold]\\x1b[2J\\ud800" in ran.out
    assert "a" * 700 not in ran.out.replace("\n", "")


def test_an_episode_that_cannot_be_scored_here_says_so(
    cli: Cli, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("releaseops_mcp.audit.rescore.scorers", dict)

    ran = cli("episodes", "show", ids[0])

    assert "unscored" in ran.out
    assert "no reward for suite classic-gate is installed" in " ".join(ran.out.split())


def test_the_log_is_exported_with_its_chain_and_verified_from_the_file(
    cli: Cli, ids: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "log.jsonl"

    assert cli("episodes", "export", "--out", str(out), "--with-truth").code == 0
    printed = cli("episodes", "export", "--with-truth").out

    assert out.read_text() == printed
    verified = cli("episodes", "verify", "--file", str(out), "--json").json
    assert (verified["episodes"], verified["replayed"]) == (4, 4)


def test_chosen_episodes_are_exported_alone(cli: Cli, ids: list[str]) -> None:
    lines = cli("episodes", "export", ids[1]).out.splitlines()

    assert ids[1] in lines[-1]
    assert ids[0] not in lines[-1]


def test_trajectories_are_exported_as_atif(cli: Cli, ids: list[str], tmp_path: Path) -> None:
    out = tmp_path / "log.atif.jsonl"

    assert cli("episodes", "export", "--format", "atif", "--out", str(out)).code == 0
    lines = cli("episodes", "export", "--format", "atif").out.splitlines()

    assert out.read_text().splitlines() == lines
    trajectories = [Trajectory.model_validate(json.loads(line)) for line in lines]
    assert [trajectory.session_id for trajectory in trajectories] == ids
    assert not (tmp_path / "log.atif.jsonl.unfinished").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "atif", "--with-truth"], "an ATIF trajectory holds no truth"),
        (["ep_gone"], "no episode 'ep_gone' in this log"),
        (["--format", "xml"], "Invalid value for '--format'"),
    ],
)
def test_an_export_that_makes_no_sense_is_refused(words: list[str], message: str, cli: Cli, ids: list[str]) -> None:
    ran = cli("episodes", "export", *words)

    assert ran.code == 2
    assert message in ran.err


def test_a_log_in_order_is_verified(cli: Cli, ids: list[str]) -> None:
    ran = cli("episodes", "verify")

    assert ran.code == 0
    assert ran.out.startswith("in order: 4 episodes, ")
    assert "replayed: 4" in ran.out
    assert "not re-scored: 1 (still running)" in ran.out


def test_a_log_of_another_suite_version_is_verified_without_replay(
    cli: Cli, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("releaseops_mcp.episodes.classic_gate.suite.ClassicGate.version", "9.0.0")

    ran = cli("episodes", "verify")

    assert ran.code == 0
    assert "not replayed: 2 (" in ran.out


def test_an_altered_event_is_named_with_code_3(cli: Cli, ids: list[str], database_url: str) -> None:
    alter(database_url, "UPDATE events SET body = replace(body, 'triage', 'treason') WHERE episode = 1 AND seq = 0")

    ran = cli("episodes", "verify")

    assert ran.code == 3
    assert ran.err.startswith(f"error: chain_broken: {ids[0]} event 0: ")
    assert ran.err.count("\n") == 1


def test_rescoring_adds_a_figure_where_one_differs(cli: Cli, ids: list[str], database_url: str) -> None:
    assert cli("episodes", "rescore", "--json").json == {
        "unchanged": 3,
        "changed": 0,
        "unscored": {"still running": 1},
        "dry_run": False,
    }
    alter(database_url, "UPDATE scores SET total = 7 WHERE episode = 2")

    dry = cli("episodes", "rescore", "--dry-run").out
    wet = cli("episodes", "rescore").out
    again = cli("episodes", "rescore").out

    assert "would get a new score: 1" in dry
    assert "got a new score: 1" in wet
    assert "got a new score: 0" in again
    assert "unscored: 1 (still running)" in again


def test_an_export_is_scored_from_the_file_alone(cli: Cli, ids: list[str], tmp_path: Path) -> None:
    out, bare = tmp_path / "log.jsonl", tmp_path / "bare.jsonl"
    cli("episodes", "export", "--out", str(out), "--with-truth")
    cli("episodes", "export", "--out", str(bare))

    scored = cli("episodes", "rescore", "--file", str(out), "--json").json
    listed = {entry["episode_id"]: entry["reward"] for entry in cli("episodes", "list", "--json").json["episodes"]}
    people = cli("episodes", "rescore", "--file", str(out)).out

    assert {entry["episode_id"]: entry["reward"] for entry in scored["scores"]} == {
        name: reward for name, reward in listed.items() if reward is not None
    }
    assert scored["unscored"] == {"still running": 1}
    assert ids[0] in people
    assert cli("episodes", "rescore", "--file", str(bare), "--json").json["scores"] == []
