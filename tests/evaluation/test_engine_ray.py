"""The Ray engine on real clusters of this machine: the figures are the local engine's, and nothing is lost."""

import importlib
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.agents.base import Brief, Play, Supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.agents.runners import runners
from releaseops_mcp.arena import Arena
from releaseops_mcp.cli import main
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument
from releaseops_mcp.evaluation.engines import open_engine
from releaseops_mcp.evaluation.engines.left_behind import close_left_behind
from releaseops_mcp.evaluation.engines.on_ray import CLOSER
from releaseops_mcp.evaluation.entries import is_infrastructure
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.settings import Settings, open_arena
from tests.playing import logged

pytestmark = pytest.mark.slow  # a cluster takes seconds to start and to end

TOKEN = secrets.token_hex(32)
"""What the clusters of this test process admit each other by: Ray reads it once a process."""
WORDS = ("eval", "--suite", "classic-gate", "--agent", "rule", "--agent", "random-valid", "--seeds", "0")
MORTALS = '''
import os
from pathlib import Path
from releaseops_mcp.agents.base import Action, supervisor

@supervisor("mortal", suite="classic-gate")
def mortal(brief):
    """Takes its process with it."""
    yield Action("hold_release", {"reason_code": "awaiting_fix"})
    os._exit(1)

@supervisor("phoenix", suite="classic-gate")
def phoenix(brief):
    """Takes its process with it, the first time."""
    yield Action("hold_release", {"reason_code": "awaiting_fix"})
    mark = Path(__file__).with_name("died")
    if not mark.exists():
        mark.touch()
        os._exit(1)
'''
"""A package of supervisors, as others install one."""


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Ray, which tells nobody that it is used, in a folder of its own; shut down after the test."""
    for name, value in {"USAGE_STATS_ENABLED": "0", "AUTH_MODE": "token", "AUTH_TOKEN": TOKEN}.items():
        monkeypatch.setenv(f"RAY_{name}", value)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    module = pytest.importorskip("ray", reason="needs ray: pip install 'releaseops-arena[ray]'")
    folder = tempfile.mkdtemp(prefix="ray-")  # a socket's path is short: pytest's own folder is too deep
    monkeypatch.setenv("RAY_TMPDIR", folder)
    yield module
    module.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def two_workers(ray: Any) -> Callable[[], None]:
    """Starts Ray with two workers on this machine."""
    return lambda: ray.init(
        address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="warning"
    )


@pytest.fixture
def two_nodes(ray: Any) -> Iterator[str]:
    """The address of a cluster of two nodes with a worker each."""
    assert ray
    head = {"num_cpus": 1, "include_dashboard": False}
    cluster: Any = importlib.import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args=head)
    cluster.add_node(num_cpus=1)
    yield cluster.address
    cluster.shutdown()


@pytest.fixture
def mortals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package of supervisors for the workers alone."""
    about = tmp_path / "mortals-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mortals\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[releaseops.agents]\nmortals = mortals\n")
    (tmp_path / "mortals.py").write_text(MORTALS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def absent(name: str) -> Supervisor:
    """Return a supervisor whose policy only the workers have."""

    def elsewhere(brief: Brief) -> Play:
        raise AssertionError("this policy never plays in the driver")

    return Supervisor(name, GATE.name, elsewhere, False, "")


def test_the_figures_are_the_local_engines_byte_for_byte(
    url: str, two_workers: Callable[[], None], tmp_path: Path
) -> None:
    words = ("--database", url, *WORDS, "--repeats", "2", "--out")
    assert main([*words, str(tmp_path / "local"), "--jobs", "2"]) == 0
    two_workers()

    assert main([*words, str(tmp_path / "ray"), "--engine", "ray"]) == 0

    for name in ("results.json", "manifest.json"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()
    assert main(["--database", url, "episodes", "verify", "--file", str(tmp_path / "ray" / "log.jsonl")]) == 0


def test_a_run_that_was_interrupted_here_goes_on_there(
    ray: Any, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = iter(range(5))

    def dying(*given: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return play_episode(*given, **named)

    words = ["--database", sqlite_url, *WORDS, "--out", str(tmp_path / "run")]
    with monkeypatch.context() as patched:
        patched.setitem(runners(), "python", lambda: dying)  # pyright: ignore[reportArgumentType]
        assert main(words) == 130

    assert main([*words, "--engine", "ray"]) == 0

    assert "5 kept from before" in capsys.readouterr().err
    assert not ray.is_initialized()


def test_an_episode_whose_workers_die_is_closed_and_counted_apart(
    sqlite_url: str, mortals: None, ray: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(database_url=sqlite_url)
    arena = open_arena(settings)

    with open_engine("ray", arena, settings, via="python", jobs=1) as engine:
        came, again = (
            run(arena, [absent(name)], [GATE.default_scenario], engine=engine) for name in ("mortal", "phoenix")
        )

    [lost] = came.not_counted
    assert is_infrastructure(lost)
    assert lost.fault == "infrastructure: 2 workers died under this episode, the last by WorkerCrashedError"
    assert (lost.agent, lost.reward, lost.steps) == ("mortal", None, 1)
    assert again.not_counted == []
    assert again.figures[0].reward is not None
    assert arena.store.started() == 4
    assert arena.store.count(EpisodeFilter(ended=False)) == 0
    closed = logged(arena.store, lost.episode_id).events
    assert [event.data["origin"] for event in closed if event.kind == "tool_call"][-1] == CLOSER.model_dump(
        exclude_defaults=True
    )
    assert capsys.readouterr().out == ""
    arena.close()


def test_a_worker_that_dies_before_it_begins_leaves_an_episode_without_an_id(sqlite_arena: Arena) -> None:
    [ticket] = sqlite_arena.tickets.mint([GATE.default_scenario])

    lost = close_left_behind(sqlite_arena, absent("mortal"), ticket, fault="infrastructure: gone", closer=CLOSER)

    assert (lost.episode_id, lost.scenario, lost.reward) == ("", GATE.default_scenario, None)
    assert is_infrastructure(lost)


def test_what_a_worker_refuses_is_raised_here(sqlite_url: str, two_workers: Callable[[], None]) -> None:
    settings = Settings(database_url=sqlite_url)
    arena = open_arena(settings)
    two_workers()

    with (
        pytest.raises(InvalidArgument, match="no agent 'stranger' plays classic-gate: choose one of"),
        open_engine("ray", arena, settings, via="python") as engine,
    ):
        run(arena, [absent("stranger")], [GATE.default_scenario], engine=engine)
    arena.close()


def test_a_cluster_that_does_not_answer_is_said_at_once(
    ray: Any, sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{nobody.getsockname()[1]}")

        with (
            pytest.raises(EnvironmentFault, match=r"Ray failed \(ConnectionRefusedError: .*look after the cluster"),
            open_engine("ray", sqlite_arena, Settings(), via="python"),
        ):
            raise AssertionError


def test_a_cluster_of_two_nodes_takes_postgres_and_refuses_sqlite(
    two_nodes: str,
    sqlite_url: str,
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", two_nodes)
    words = (*WORDS, "--engine", "ray", "--out", str(tmp_path / "run"))

    refused = main(["--database", sqlite_url, *words])
    said = capsys.readouterr().err
    came = main(["--database", postgres_url, *words])

    assert (refused, came) == (2, 0)
    assert "this Ray cluster has 2 nodes, and a SQLite file is one machine's: name a Postgres log" in said
