"""`releaseops demo`: real clients and servers, a log that is whole, and something to read."""

import os
import subprocess
import sys
import time
from pathlib import Path

import mcp.client.stdio  # noqa: F401 - binds standard error when it is imported, which must not be a test's own
import pytest

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.over_mcp import Visit
from releaseops_mcp.agents.registry import supervisors
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.cli.demo.jobs import Job, plan, scenarios_of
from releaseops_mcp.cli.demo.playing import Sat
from releaseops_mcp.cli.demo.showing import count
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.log.store import Store
from releaseops_mcp.settings import Settings, open_arena
from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[2]


def test_it_plays_every_scripted_supervisor_of_every_suite() -> None:
    jobs = plan()

    assert {(job.supervisor.name, job.supervisor.suite) for job in jobs} == set(supervisors())
    for suite in suites().values():
        assert 4 <= len(scenarios_of(suite)) <= 6
        assert all(suite.parse(scenario) for scenario in scenarios_of(suite))


@pytest.mark.slow
def test_it_runs_as_a_newcomer_runs_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'demo.sqlite3'}"
    environment = dict(os.environ, PYTHONPATH=str(ROOT), HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path))
    environment.pop("COLUMNS", None)
    began = time.monotonic()
    command = [sys.executable, "-m", "releaseops_mcp.cli", "--database", url, "demo"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 60
    assert f"verified the whole log: {len(plan())} episodes" in done.stdout
    assert f"re-scored {len(plan())} episodes from the log: the same figure as live, each" in done.stdout
    assert "0.8447" in done.stdout
    assert "the same release under naive:" in done.stdout
    assert "reward +1.1500  safe ship" in done.stdout
    assert "reward -1.0000  unsafe ship" in done.stdout
    assert str(tmp_path / "demo.sqlite3") in done.stdout
    assert f"releaseops --database {url} play  # hold the button yourself" in done.stdout
    assert "\x1b" not in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if str(tmp_path) not in line) <= 100


def test_in_process_it_plays_verifies_and_shows(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr("releaseops_mcp.cli.demo.jobs.supervisors_for", few)
    monkeypatch.setattr("releaseops_mcp.cli.demo.WHOLE_LOG_EPISODES", 3)

    ran = cli("demo")

    assert (ran.code, ran.err) == (0, "")
    assert f"verified these episodes: {len(plan())} episodes" in ran.out
    assert "over mcp stdio" in ran.out
    assert "releaseops play" in ran.out


def test_a_figure_that_differs_ends_it_with_code_3(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr("releaseops_mcp.cli.demo.jobs.supervisors_for", few)
    monkeypatch.setattr(Store, "scores", lambda self, number: [])

    ran = cli("demo")

    assert ran.code == 3
    count = len(plan())
    assert ran.err == f"error: chain_broken: {count} of {count} figures differ when they are computed again\n"


def test_a_log_out_of_reach_ends_it_before_it_begins(cli: Cli) -> None:
    ran = cli("--database", "sqlite:////proc/none/log.sqlite3", "demo")

    assert (ran.code, ran.out) == (3, "")


def test_a_server_that_refuses_ends_it_with_what_it_said(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr("releaseops_mcp.cli.demo.jobs.scenarios_of", lambda suite: ("classic-gate/nowhere/low/seed-1",))

    ran = cli("demo")

    assert ran.code == 2
    assert ran.err.startswith("error: invalid_argument: the server did not start classic-gate/nowhere/low/seed-1: ")


def test_an_agent_that_failed_is_unscored(cli: Cli, database_url: str) -> None:
    arena = open_arena(Settings(database_url=database_url))
    played = play_episode(arena, few("classic-gate")[0], "classic-gate/careful_qa_safe/low/seed-7")
    job = Job(few("classic-gate")[0], played.scenario)

    failed, sound = (
        count(arena.store, [Sat(job, Visit(played.episode_id, 1, False, False, fault))])[0]
        for fault in ("agent_failed: KeyError", None)
    )
    arena.close()

    assert (failed.reward, failed.fault) == (None, "agent_failed: KeyError")
    assert sound == played


def few(suite: str) -> list[Supervisor]:
    """Return two supervisors that judge."""
    return [entry for (_, owner), entry in supervisors().items() if owner == suite and not entry.degenerate][:2]
