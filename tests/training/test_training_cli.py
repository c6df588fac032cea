"""`releaseops model` and `releaseops dataset`, run in this process as a user would."""

import json

import pytest
import typer
from typer.testing import CliRunner

from releaseops_mcp.cli.session import Session
from releaseops_mcp.errors import InvalidArgument
from tests.training import logs
from tests.training.test_plots import evaluation, journal
from training import cli
from training.dataset import load_rows
from training.models import tiny


@pytest.fixture
def run(tmp_path):
    """Run words on the log of the test's own; raises what the command raises."""
    app = typer.Typer()

    @app.callback()
    def root(context: typer.Context) -> None:
        context.obj = Session(f"sqlite:///{tmp_path / 'log.sqlite3'}")
        context.call_on_close(context.obj.close)

    cli.add_to(app)

    def run_words(*words):
        return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False, standalone_mode=False)

    return run_words


def test_a_dataset_is_built_from_the_log(run, tmp_path):
    logs.played(tmp_path)

    said = run("dataset", "sft", tmp_path / "sft", "-o", "best_share=0.5", "--arrow", "--json")

    card = json.loads(said.stdout)
    assert card["options"]["best_share"] == 0.5
    assert len(load_rows(tmp_path / "sft")) == card["rows"] > 0
    assert (tmp_path / "sft" / "arrow").is_dir()


def test_what_was_left_out_is_said(run, tmp_path):
    logs.played(tmp_path, scenarios=(logs.SCENARIOS[0], logs.HELD_OUT))

    said = run("dataset", "sft", tmp_path / "sft", "--skip-held-out")

    assert f"left out, held out: {len(logs.AGENTS)}" in said.stderr
    assert "rows of kind sft" in said.stdout


def test_an_option_without_a_value_is_refused(run, tmp_path):
    with pytest.raises(InvalidArgument, match="NAME=VALUE"):
        run("dataset", "sft", tmp_path / "sft", "-o", "best_share")


def test_a_tiny_model_is_built_in_a_new_folder_only(run, tmp_path, monkeypatch):
    # given suites whose supervisors are quick
    from releaseops_mcp.episodes.registry import suites

    monkeypatch.setattr(tiny, "suites", lambda: {"classic-canary": suites()["classic-canary"]})

    said = run("model", "tiny", tmp_path / "tiny", "--hidden", 32, "--layers", 1)

    assert said.stdout.strip() == str(tmp_path / "tiny")
    assert json.loads((tmp_path / "tiny" / "config.json").read_text())["hidden_size"] == 32
    with pytest.raises(InvalidArgument, match="not empty"):
        run("model", "tiny", tmp_path / "tiny")


def test_policies_are_evaluated_on_a_held_out_split(run, tmp_path, bench, installed):
    words = ("--suite", "arms", "--split", "test", "--scenarios", 4, "--temperature", 0)

    said = run("model", "evaluate", "--out", tmp_path / "eval", "--policy", f"warm={bench.warm}", *words)

    assert "test  warm  " in said.stdout
    assert (tmp_path / "eval" / "results.json").is_file()


def test_charts_are_drawn_of_a_run_and_an_evaluation(run, tmp_path):
    where = ("--run", journal(tmp_path / "run"), "--evaluation", evaluation(tmp_path / "eval"))

    said = run("model", "plot", "--out", tmp_path / "charts", *where)

    assert str(tmp_path / "charts" / "progress.png") in said.stdout
    assert (tmp_path / "charts" / "bars-arms-test.svg").is_file()


def test_a_chart_of_nothing_and_an_unknown_suite_are_refused(run, tmp_path):
    with pytest.raises(InvalidArgument, match="name a --run"):
        run("model", "plot", "--out", tmp_path)
    with pytest.raises(InvalidArgument, match="no suite 'moon'"):
        run("model", "evaluate", "--out", tmp_path, "--policy", "a=b", "--suite", "moon")
