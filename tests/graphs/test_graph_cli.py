"""`releaseops graph`: run, wait for a person, resume, draw."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from graphs import cli
from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.cli.session import Session
from releaseops_mcp.errors import InvalidArgument
from tests.sequences import CANARY_SCENARIO

ROOT = Path(__file__).parents[2]
Graph = Callable[..., Any]


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    """Run one `graph` command on a log and checkpoints of the test's own; errors are raised."""
    app = typer.Typer()
    cli.add_to(app)
    app.command("other")(lambda: None)

    @app.callback()
    def root(context: typer.Context) -> None:
        context.obj = Session(f"sqlite:///{tmp_path / 'log.sqlite3'}")
        context.call_on_close(context.obj.close)

    def invoke(*arguments: str, text: str = "") -> Any:
        kept = ["--checkpoints", str(tmp_path / "checkpoints.sqlite3")] if arguments[0] == "run" else []
        came = CliRunner().invoke(app, ["graph", *arguments, *kept], input=text, standalone_mode=False)
        if came.exception is not None:
            raise came.exception
        return came

    return invoke


def test_a_run_is_played_to_its_end_and_told(graph: Graph) -> None:
    came = graph("run", CANARY_SCENARIO, "--model", "scripted:cautious")

    assert came.stdout.startswith("stopped: episode_over, ")
    assert "calls decide_rollout" in came.stderr
    assert "episodes show ep_" in came.stderr


def test_a_run_waits_for_a_person_and_is_resumed_with_an_answer(graph: Graph) -> None:
    waiting = json.loads(
        graph("run", CANARY_SCENARIO, "--model", "scripted:alert-only", "--human-gate", "required", "--json").stdout
    )
    thread = waiting["thread"]

    again = json.loads(graph("run", "--resume", thread, "--json").stdout)
    refused = json.loads(
        graph("run", "--resume", thread, "--answer", '{"action": "refuse", "reason": "no"}', "--json").stdout
    )

    assert waiting["stop_reason"] == ""
    assert again["waiting"] == waiting["waiting"] != refused["waiting"]
    assert refused["waiting"]["calls"][0]["tool"] == "decide_rollout", "the gate is still there after resuming"
    assert (refused["calls"], refused["step"]) == (1, 0)


def test_a_run_plays_at_a_url(graph: Graph) -> None:
    with temporary_server() as url:
        came = json.loads(
            graph("run", CANARY_SCENARIO, "--model", "scripted:cautious", "--url", f"{url}/mcp", "--json").stdout
        )

    assert (came["stop_reason"], came["waiting"]) == ("episode_over", None)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["run"], "name a scenario"),
        (["run", CANARY_SCENARIO, "--resume", "t"], "name a scenario"),
        (["run", CANARY_SCENARIO], "name a --model"),
        (["run", CANARY_SCENARIO, "--model", "scripted:nobody"], "no agent 'nobody'"),
        (["run", CANARY_SCENARIO, "--model", "m", "--human-gate", "often"], "--human-gate is one of"),
        (["run", "--resume", "nowhere"], "no run 'nowhere'"),
        (["run", "--resume", "t", "--answer", "{"], "--answer is JSON"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], problem: str, graph: Graph) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        graph(*arguments)


def test_the_command_line_loads_no_langgraph_before_it_needs_it() -> None:
    program = "import sys; from graphs import cli; print({'langgraph', 'langchain_core'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "set()"


def test_both_graphs_are_drawn_as_mermaid(graph: Graph) -> None:
    alone, three = graph("draw").stdout, graph("draw", "--panel").stdout

    assert alone.startswith("---\nconfig:")
    assert "decide --> gate" in alone.replace("\t", "")
    assert "sceptic" in three
