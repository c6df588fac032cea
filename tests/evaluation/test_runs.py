"""Supervisors over scenarios: the published figures come out, and what is counted is what was played."""

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.evaluation.logged import played_from_log
from releaseops_mcp.evaluation.runs import draw_seed, run
from releaseops_mcp.evaluation.tables import ALL
from tests.playing import logged

PUBLISHED = {"naive": (0.040, -0.920), "rule": (0.240, -0.450), "phase-aware": (0.560, 0.312)}
"""Safe rate and mean reward on the split `eval`."""
BASELINE = {"easy": 0.9567, "medium": 0.8460, "hard": 0.8217, "expert": 0.6967, "recovery": 0.9109, "silent": 0.8360}
"""The canary baseline on the split `published`; 0.8447 over all."""


def test_the_gates_baselines_reproduce_the_published_figures(sqlite_arena: Arena) -> None:
    supervisors = [find_supervisor(name, GATE.name) for name in PUBLISHED]

    came = run(sqlite_arena, supervisors, GATE.splits()["eval"])

    rows = {row.agent: row for row in came.tables.rows() if row.family == ALL}
    found = {name: (row.outcomes["safe_ship"], round(row.mean or 0.0, 3)) for name, row in rows.items()}
    assert found == PUBLISHED
    assert {row.metrics["safe_ship"] for row in rows.values()} == {0.04, 0.24, 0.56}
    assert all((row.episodes, row.scored, row.invalid_rate) == (50, 50, 0.0) for row in rows.values())


def test_the_canarys_baseline_reproduces_the_published_figures(sqlite_arena: Arena) -> None:
    came = run(sqlite_arena, [find_supervisor("baseline", CANARY.name)], CANARY.splits()["published"])

    means = {row.family: round(row.mean or 0.0, 4) for row in came.tables.rows()}
    assert means == BASELINE | {ALL: 0.8447}


def test_cautious_reaches_its_published_mean_over_200_seeds(sqlite_arena: Arena) -> None:
    came = run(sqlite_arena, [find_supervisor("cautious", CANARY.name)], tuple(CANARY.grid(range(200))))

    assert round(came.tables.mean("cautious") or 0.0, 4) == 0.9489


def test_a_run_tells_of_each_episode_and_remembers_its_live_figure(sqlite_arena: Arena) -> None:
    told: list[Played] = []

    came = run(sqlite_arena, supervisors_for(CANARY.name)[:2], CANARY.splits()["published"], progress=told.append)

    assert [figure.episode_id for figure in came.figures] == [played.episode_id for played in told]
    assert [figure.reward for figure in came.figures] == [played.reward for played in told]
    assert came.steps == sum(played.steps for played in told)
    assert came.tables.agents() == ["baseline", "cautious"]
    assert came.faults == []


def test_another_runner_plays_in_place_of_the_usual_one(sqlite_arena: Arena) -> None:
    seeds: list[int] = []

    def runner(arena: Arena, supervisor: Supervisor, scenario: str, *, seed: int = 0) -> Played:
        seeds.append(seed)
        return play_episode(arena, supervisor, scenario, seed=seed)

    scenarios = CANARY.splits()["published"][:2]
    run(sqlite_arena, supervisors_for(CANARY.name)[:1], scenarios, runner=runner)

    assert seeds == [draw_seed(scenario) for scenario in scenarios]


def test_an_episode_that_failed_is_kept_apart(sqlite_arena: Arena) -> None:
    def broken(brief: Brief) -> Play:
        yield Action("hold_release", {"reason_code": "awaiting_fix"})
        raise KeyError("gone")

    supervisor = Supervisor("broken", GATE.name, broken, False, "Fails.")

    came = run(sqlite_arena, [supervisor], GATE.splits()["eval"][:1])

    [row] = [row for row in came.tables.rows() if row.family == ALL]
    assert (row.episodes, row.scored, row.unscored, row.mean, row.ci95) == (1, 0, 1, None, None)
    assert [played.fault for played in came.faults] == ["agent_failed: KeyError: 'gone'"]


@pytest.mark.parametrize("name", ["phase-aware", "random-valid", "do-nothing"])
def test_the_log_tells_of_an_episode_what_was_counted_live(name: str, sqlite_arena: Arena) -> None:
    played = play_episode(sqlite_arena, find_supervisor(name, GATE.name), GATE.default_scenario)

    found = played_from_log(sqlite_arena.store, logged(sqlite_arena.store, played.episode_id))

    assert found == played


def test_an_episode_that_is_still_open_is_unscored(sqlite_arena: Arena) -> None:
    episode_id = sqlite_arena.start(GATE.default_scenario).episode_id

    found = played_from_log(sqlite_arena.store, logged(sqlite_arena.store, episode_id), stopped={episode_id})

    assert (found.reward, found.fault, found.truncated) == (None, "no score is stored", True)
