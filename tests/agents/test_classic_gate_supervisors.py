"""The scripted supervisors of the classic gate: the published figures, and the yardsticks."""

from dataclasses import dataclass

import pytest

from releaseops_mcp.agents.base import Action, Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.scripted.classic_gate_moves import hold
from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.rewards.base import Score
from releaseops_mcp.simulation import Simulation

GREEN_CI, P1, DEPLOY, SAFE = SUITE.families
DEGENERATE = (
    "always-approve",
    "always-block",
    "always-hold",
    "do-nothing",
    "hold-then-approve",
    "inspect-and-stop",
    "random-valid",
)
FIGURES = ("safe_ship", "unsafe_ship", "missed_deadline", "true_blocks", "budget_spent")

PUBLISHED = {
    ("eval_seen", "naive"): (-0.867, 0.067, 0.933, 0, 0, 0),
    ("eval_seen", "rule"): (-0.165, 0.400, 0.533, 0.067, 0.400, 1.433),
    ("eval_seen", "phase-aware"): (-0.033, 0.400, 0.533, 0.067, 0.633, 0.933),
    ("eval_unseen", "naive"): (-1.000, 0, 1, 0, 0, 0),
    ("eval_unseen", "rule"): (-0.877, 0, 1, 0, 0, 1.550),
    ("eval_unseen", "phase-aware"): (0.830, 0.800, 0, 0.200, 1.0, 1.0),
    ("eval", "naive"): (-0.920, 0.040, 0.960, 0, 0, 0),
    ("eval", "rule"): (-0.450, 0.240, 0.720, 0.040, 0.240, 1.480),
    ("eval", "phase-aware"): (0.312, 0.560, 0.320, 0.120, 0.780, 0.960),
}
"""Average reward, then the averages of FIGURES."""
BY_FAMILY = {
    (GREEN_CI, "naive"): (12, 0, -1.000),
    (GREEN_CI, "rule"): (12, 0.833, 0.792),
    (GREEN_CI, "phase-aware"): (12, 0.833, 0.883),
    (P1, "naive"): (16, 0, -1.000),
    (P1, "rule"): (16, 0, -1.028),
    (P1, "phase-aware"): (16, 0, -0.850),
    (DEPLOY, "naive"): (20, 0, -1.000),
    (DEPLOY, "rule"): (20, 0, -0.877),
    (DEPLOY, "phase-aware"): (20, 0.800, 0.830),
    (SAFE, "naive"): (2, 1, 1.000),
    (SAFE, "rule"): (2, 1, 1.000),
    (SAFE, "phase-aware"): (2, 1, 1.000),
}
"""Episodes, safe rate and average reward."""


@dataclass
class Played:
    score: Score
    actions: list[Action]
    errors: list[str | None]
    finished: bool
    done: bool


def play(name: str, scenario: str, seed: int = 0) -> Played:
    simulation = Simulation.of(scenario)
    actions: list[Action] = []
    errors: list[str | None] = []

    def apply(action: Action) -> Turn:
        judged = simulation.call(action.tool, action.arguments)
        actions.append(action)
        errors.append(judged.refusal.code if judged.refusal else None)
        return Turn(judged.result, errors[-1], judged.observation, judged.done, judged.terminal_reason)

    brief = Brief(simulation.first_observation, SUITE.tools, seed)
    finished = drive(find_supervisor(name, "classic-gate").policy, brief, apply)
    return Played(simulation.score(), actions, errors, finished, simulation.done)


def average(scores: list[Score], figure: str) -> float:
    return round(sum(score.metrics[figure] for score in scores) / len(scores), 3)


def average_reward(scores: list[Score]) -> float:
    """Sum and divide as the original did: an exactly rounded mean turns one -0.8775 into -0.878."""
    return round(sum(score.total for score in scores) / len(scores), 3)


@pytest.mark.parametrize(("split", "name"), PUBLISHED)
def test_baselines_reproduce_the_published_figures(split, name):
    scores = [play(name, scenario).score for scenario in SUITE.splits()[split]]
    reward = average_reward(scores)
    assert (reward, *(average(scores, figure) for figure in FIGURES)) == PUBLISHED[split, name]
    assert average(scores, "false_blocks") == average(scores, "invalid_actions") == 0


@pytest.mark.parametrize(("family", "name"), BY_FAMILY)
def test_baselines_reproduce_the_figures_of_each_family(family, name):
    scores = [play(name, scenario).score for scenario in SUITE.splits()["eval"] if f"/{family}/" in scenario]
    reward = average_reward(scores)
    assert (len(scores), average(scores, "safe_ship"), reward) == BY_FAMILY[family, name]


@pytest.mark.parametrize(
    ("name", "safe", "reward", "endless"),
    [("naive", 0.250, -0.501, 9), ("rule", 0.406, -0.110, 15), ("phase-aware", 0.566, 0.316, 19)],
)
def test_baselines_reproduce_the_wider_figures_with_their_endless_episodes(name, safe, reward, endless):
    played = [
        play(name, f"classic-gate/{family}/{level}/seed-{seed}")
        for family in SUITE.families
        for level in ("low", "medium", "high")
        for seed in range(200)
    ]
    scores = [entry.score for entry in played if entry.finished]
    assert len(played) - len(scores) == endless
    assert average(scores, "safe_ship") == safe
    assert average_reward(scores) == reward


def test_naive_holds_where_nothing_is_left_to_approve():
    episode = Simulation.of(SUITE.default_scenario)
    policy = find_supervisor("naive", "classic-gate").policy
    assert next(policy(Brief(episode.first_observation | {"proposals": []}, SUITE.tools, 0))) == hold()


def test_the_baselines_come_before_the_degenerate_supervisors():
    ours = supervisors_for("classic-gate")
    judging = {entry.name for entry in ours if not entry.degenerate}
    assert judging >= {"naive", "rule", "phase-aware"}
    assert {entry.name for entry in ours if entry.degenerate} >= set(DEGENERATE)
    assert all(entry.summary.endswith(".") for entry in ours)


@pytest.mark.parametrize("name", DEGENERATE)
def test_a_degenerate_supervisor_stops_everywhere(name):
    assert all(play(name, scenario).finished for scenario in SUITE.grid(range(60)))
    assert all(play(name, scenario).finished for scenario in SUITE.splits()["train"])


@pytest.mark.parametrize(
    ("name", "reward", "done"),
    [("do-nothing", 0.0, False), ("inspect-and-stop", 0.15, False), ("hold-then-approve", 1.0, True)],
)
def test_what_needs_no_judgement_earns_on_a_flagged_release(name, reward, done):
    played = play(name, f"classic-gate/{GREEN_CI}/medium/seed-17")
    assert played.score.total == pytest.approx(reward)
    assert played.done is done


def test_a_supervisor_that_reads_only_ui_tickets_pays_for_it():
    assert play("inspect-and-stop", f"classic-gate/{SAFE}/medium/seed-1").score.total == pytest.approx(-0.05)


def test_always_hold_misses_every_deadline():
    played = [play("always-hold", scenario) for scenario in SUITE.grid(range(20))]
    assert all(entry.score.metrics["missed_deadline"] for entry in played)
    assert all(set(map(repr, entry.actions)) == {repr(hold())} for entry in played)


def test_random_valid_makes_only_valid_calls_and_repeats_itself():
    scenarios = [*SUITE.grid(range(40)), *SUITE.splits()["train"]]
    for scenario in scenarios:
        played = play("random-valid", scenario, seed=3)
        assert played.done
        assert set(played.errors) == {None}
    assert play("random-valid", scenarios[0], seed=3).actions == play("random-valid", scenarios[0], seed=3).actions
    assert len({repr(play("random-valid", scenarios[0], seed=seed).actions) for seed in range(10)}) > 1
