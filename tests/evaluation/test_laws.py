"""The laws of the reward: what the classics keep and break, with the figures that show it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.evaluation.laws import Finding, measure
from releaseops_mcp.evaluation.laws.base import Case, attempt
from releaseops_mcp.evaluation.laws.reference import reference_of, stands_above
from releaseops_mcp.evaluation.laws.registry import laws_of
from releaseops_mcp.evaluation.laws.same_figure import agrees
from releaseops_mcp.evaluation.runs import Figure, Run, run
from releaseops_mcp.settings import Settings, open_arena


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    url = f"sqlite:///{tmp_path_factory.mktemp('laws') / 'log.sqlite3'}"
    opened = open_arena(Settings(database_url=url))
    yield opened
    opened.close()


def play(arena: Arena, suite: Suite, split: str) -> Run:
    return run(arena, supervisors_for(suite.name), suite.splits()[split])


@pytest.fixture(scope="module")
def gate(arena: Arena) -> dict[str, Finding]:
    return {finding.law: finding for finding in measure(arena, play(arena, GATE, "eval"), field=True)}


@pytest.fixture(scope="module")
def canary(arena: Arena) -> dict[str, Finding]:
    return {finding.law: finding for finding in measure(arena, play(arena, CANARY, "published"), field=True)}


def test_each_suite_is_measured_on_all_five_laws(gate: dict[str, Finding], canary: dict[str, Finding]) -> None:
    verdicts = {law: (finding.verdict, canary[law].verdict) for law, finding in gate.items()}

    assert verdicts == {
        "same-figure": ("holds", "holds"),
        "reference": ("broken", "broken"),
        "false-accusation": ("holds", "holds"),
        "unfinished": ("broken", "broken"),
        "first-observation": ("broken", "not applicable"),
    }
    assert list(canary) == list(gate)


def test_every_figure_of_the_log_is_compared(gate: dict[str, Finding], canary: dict[str, Finding]) -> None:
    assert gate["same-figure"].figures == {"episodes": 500, "different": 0, "first": []}
    assert canary["same-figure"].figures["episodes"] == 60


def test_on_the_gate_holding_once_and_approving_beats_the_best_judge(gate: dict[str, Finding]) -> None:
    figures = gate["reference"].figures

    assert (figures["reference"], round(figures["reference_mean"], 3)) == ("phase-aware", 0.312)
    assert figures["not_beaten"] == []
    first = figures["too_near"][0]
    assert (first["agent"], first["family"], round(first["mean"], 3)) == ("hold-then-approve", "all", 0.712)
    assert first["share"] > 1
    assert "hold-then-approve 0.712" in gate["reference"].evidence


def test_on_the_canary_promoting_blindly_comes_near_where_nothing_breaks(canary: dict[str, Finding]) -> None:
    figures = canary["reference"].figures

    assert figures["reference"] == "cautious"
    near = {(entry["agent"], entry["family"]) for entry in figures["too_near"]}
    assert ("always-increase", "recovery") in near
    assert not [family for _, family in near if family == "all"]


def test_a_false_block_costs_what_the_reward_says(gate: dict[str, Finding]) -> None:
    figures = gate["false-accusation"].figures

    assert figures["worlds"] == 50
    assert figures["least_cost"] == pytest.approx(0.15)
    assert figures["most_cost"] == pytest.approx(0.15)


def test_a_false_alarm_costs_on_the_canary(canary: dict[str, Finding]) -> None:
    figures = canary["false-accusation"].figures

    assert round(figures["plain_mean"], 4) == 0.9476
    assert figures["rolled_back_mean"] == pytest.approx(0.05)
    assert figures["least_cost"] > 0


def test_on_the_gate_leaving_a_lost_world_is_better_than_finishing_it(gate: dict[str, Finding]) -> None:
    figures = gate["unfinished"].figures

    assert figures["left_mean"] == pytest.approx(0.15)
    assert figures["best_finished_mean"] == pytest.approx(-0.45)
    assert figures["better"] == figures["worlds"] > 9


def test_on_the_canary_leaving_after_one_good_step_keeps_its_figure(canary: dict[str, Finding]) -> None:
    figures = canary["unfinished"].figures

    assert (figures["example"], figures["left"], figures["finished"]) == ("classic-canary/easy/seed-0", 0.97, 0.9567)
    assert figures["better"] == 6


def test_the_gates_first_observation_gives_the_truth_away(gate: dict[str, Finding]) -> None:
    figures = gate["first-observation"].figures

    assert (figures["accuracy"], figures["blind_accuracy"]) == (1.0, 0.96)


def test_the_canarys_first_observations_collapse_to_a_few(canary: dict[str, Finding]) -> None:
    figures = canary["first-observation"].figures

    assert figures["worlds"] == 6_000
    assert figures["distinct"] < 50


def test_without_the_whole_field_only_the_first_law_is_measured(arena: Arena) -> None:
    ticks: list[None] = []
    came = run(arena, [find_supervisor("cautious", CANARY.name)], CANARY.splits()["published"])

    findings = measure(arena, came, field=False, tick=lambda: ticks.append(None))

    assert [finding.law for finding in findings] == ["same-figure"]
    assert len(ticks) == 6


def test_a_score_that_was_altered_in_the_log_breaks_the_first_law(sqlite_arena: Arena) -> None:
    came = run(sqlite_arena, [find_supervisor("cautious", CANARY.name)], CANARY.splits()["published"][:2])
    with sqlite_arena.store._database.writing() as connection:  # pyright: ignore[reportPrivateUsage]
        connection.execute(text("UPDATE scores SET total = total + 0.01 WHERE episode = 1"))

    [finding] = measure(sqlite_arena, came, field=False)

    assert finding.verdict == "broken"
    assert finding.figures["first"] == [came.figures[0].episode_id]
    assert came.figures[0].episode_id in finding.evidence


def test_an_episode_that_is_lost_or_open_agrees_with_nothing(sqlite_arena: Arena) -> None:
    running = sqlite_arena.start(CANARY.default_scenario).episode_id

    assert not agrees(sqlite_arena.store, Figure("ep_lost", 0.5))
    assert not agrees(sqlite_arena.store, Figure(running, 0.0))


def test_a_supervisor_that_failed_is_no_reference(sqlite_arena: Arena) -> None:
    def broken(brief: Brief) -> Play:
        yield Action("hold_release", {"reason_code": "awaiting_fix"})
        raise KeyError("gone")

    came = run(sqlite_arena, [Supervisor("broken", GATE.name, broken, False, "")], GATE.splits()["eval"][:1])

    assert reference_of(came) is None
    assert [finding.law for finding in measure(sqlite_arena, came, field=True)] == ["same-figure"]


def test_a_field_without_a_blemish_keeps_the_law_of_the_reference(sqlite_arena: Arena) -> None:
    names = ("cautious", "baseline", "do-nothing", "always-rollback")
    came = run(sqlite_arena, [find_supervisor(name, CANARY.name) for name in names], CANARY.splits()["published"])

    finding = stands_above(Case(came, came.supervisors[0]))

    assert finding.verdict == "holds"
    assert "all beaten, every degenerate one far below" in finding.evidence


def test_a_supervisor_without_a_figure_neither_beats_nor_comes_near(sqlite_arena: Arena) -> None:
    def broken(brief: Brief) -> Play:
        yield Action("hold_release", {"reason_code": "awaiting_fix"})
        raise KeyError("gone")

    field = [find_supervisor("cautious", CANARY.name)]
    field += [Supervisor(name, CANARY.name, broken, name == "lazy", "") for name in ("keen", "lazy")]
    came = run(sqlite_arena, field, CANARY.splits()["published"][:1])

    assert stands_above(Case(came, field[0])).verdict == "holds"


def test_a_reference_that_is_beaten_somewhere_is_told(sqlite_arena: Arena) -> None:
    names = ("cautious", "baseline")
    came = run(sqlite_arena, [find_supervisor(name, CANARY.name) for name in names], CANARY.splits()["published"])

    finding = stands_above(Case(came, came.supervisors[1]))

    assert {(entry["agent"], entry["family"]) for entry in finding.figures["not_beaten"]} >= {("cautious", "all")}


def test_a_large_run_is_measured_on_an_even_choice_of_its_scenarios() -> None:
    scenarios = tuple(CANARY.grid(range(100)))
    came = Run([find_supervisor("cautious", CANARY.name)], scenarios)

    chosen = Case(came, came.supervisors[0]).scenarios

    assert len(chosen) == 200
    assert chosen[:2] == [scenarios[0], scenarios[3]]


def test_a_trial_in_memory_has_the_arenas_figure(sqlite_arena: Arena) -> None:
    supervisor = find_supervisor("phase-aware", GATE.name)
    [figure] = run(sqlite_arena, [supervisor], [GATE.default_scenario]).figures

    trial = attempt(GATE.default_scenario, supervisor.policy)

    assert (trial.reward, trial.running[-1], trial.terminal_reason) == (figure.reward, figure.reward, "safe_ship")


def test_a_suite_without_laws_of_its_own_has_none() -> None:
    assert laws_of("no-such-suite") == ()
