"""The judges as supervisors of `canary`: what they read, and what they make of their judge's verdict."""

import math

import pytest

from releaseops_mcp.agents.base import Action, Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import supervisors
from releaseops_mcp.agents.scripted.canary.judges import RULES
from releaseops_mcp.agents.scripted.canary.notebook import Notebook
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.simulation import Simulation

NAMES = [rule.judge for rule in RULES]


def played(name: str, scenario: str) -> tuple[Simulation, list[Action]]:
    """An episode that a supervisor has played, and its calls; a refused call fails the test."""
    simulation, calls = Simulation.of(scenario), list[Action]()

    def apply(action: Action) -> Turn:
        calls.append(action)
        judged = simulation.call(action.tool, action.arguments)
        assert judged.refusal is None, judged.refusal
        return Turn(judged.result, None, judged.observation, judged.done, judged.terminal_reason)

    assert drive(supervisors()[name, "canary"].policy, Brief(simulation.first_observation, SUITE.tools, 0), apply)
    return simulation, calls


def view(values: list[float | None], *, start: int = 0, bucket: int = 1, requests: int = 1_000) -> Json:
    """A view of errors in which every arm shows the same."""
    arms = ("canary", "baseline", "stable")
    shown = {arm: values for arm in arms} | {f"{arm}_requests": requests for arm in arms}
    return {"metric": "errors", "unit": "%", "from_minute": start, "bucket_minutes": bucket, **shown}


def test_a_notebook_turns_shares_back_into_counts_and_leaves_the_newest_row_for_later():
    notebook = Notebook()

    notebook.add(view([1.0, None, 2.0, 9.0]))

    (series,) = notebook.comparison(["errors"]).series
    assert series.canary.totals == (250.0, 250.0, 250.0)
    assert series.canary.events is not None
    assert series.canary.events[::2] == (2.0, 5.0)
    assert math.isnan(series.canary.events[1])
    assert notebook.window("errors", 10) == 8


def test_a_notebook_continues_where_it_stopped_whatever_the_buckets():
    notebook = Notebook()
    notebook.add(view([1.0, 1.0, 5.0]))

    notebook.add(view([2.0, 3.0, 9.0], start=2, bucket=2))

    (series,) = notebook.comparison(["errors"]).series
    assert [value for value in series.canary.values if not math.isnan(value)] == [1.0, 1.0, 2.0, 3.0]
    assert notebook.window("errors", 10) == 5


def test_an_empty_notebook_gives_a_comparison_without_values():
    assert math.isnan(Notebook().comparison(["errors", "latency_p99"]).series[1].canary.values[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_judge_supervises_to_an_end(name: str):
    simulation, calls = played(name, "canary/f01-bigbang/seed-0")

    assert simulation.episode.terminal_reason in ("promoted", "rolled_back")
    assert {call.tool for call in calls} == {"decide_rollout", "inspect_metric"}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_scenario_is_played_the_same(name: str):
    _, once = played(name, "canary/f03-sharedincident/seed-4")
    _, again = played(name, "canary/f03-sharedincident/seed-4")

    assert once == again


@pytest.mark.parametrize("name", ["kayenta-like", "group-sequential", "e-process"])
def test_judges_that_compare_mostly_let_a_shared_incident_pass(name: str):
    ends = [played(name, f"canary/f03-sharedincident/seed-{seed}")[0].episode.terminal_reason for seed in range(6)]

    assert ends.count("promoted") >= 4


@pytest.mark.parametrize("name", ["kayenta-like", "group-sequential"])
def test_judges_that_compare_mostly_roll_a_big_bang_back(name: str):
    ends = [played(name, f"canary/f01-bigbang/seed-{seed}")[0].episode.terminal_reason for seed in range(6)]

    assert ends.count("rolled_back") >= 4
