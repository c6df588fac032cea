"""The laws and the measures of `canary`."""

from collections.abc import Iterator

import pytest

from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.evaluation.laws import Finding, measure
from releaseops_mcp.evaluation.laws.base import attempt
from releaseops_mcp.evaluation.measures import Ending, measures_of
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.evaluation.trajectory import Call, trajectory_of
from releaseops_mcp.settings import Settings, open_arena
from tests.playing import logged

MEASURES = measures_of("canary")
FIELD = ("bayes", "cautious", "always-hold", "always-rollback", "always-increase-25", "do-nothing")


FAMILIES = [name for name in SUITE.families if int(name[1:3]) % 5 == 2]
"""Every fifth family with its twin: the reference takes its time."""
SCENARIOS = [f"canary/{family}/seed-100001" for family in FAMILIES]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    opened = open_arena(Settings(database_url=f"sqlite:///{tmp_path_factory.mktemp('laws') / 'log.sqlite3'}"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def findings(arena: Arena) -> dict[str, Finding]:
    field = [entry for entry in supervisors_for("canary") if entry.name in FIELD]
    played = run(arena, field, SCENARIOS)
    return {finding.law: finding for finding in measure(arena, played, field=True)}


@pytest.mark.parametrize("law", ["same-figure", "false-accusation", "unfinished", "first-observation"])
def test_the_law_holds(findings: dict[str, Finding], law: str) -> None:
    assert findings[law].verdict == "holds", findings[law].evidence


def test_a_false_alarm_costs_about_what_a_release_is_worth(findings: dict[str, Finding]) -> None:
    figures = findings["false-accusation"].figures
    assert figures["worlds"] == len(FAMILIES) / 2
    assert figures["promoted_mean"] == pytest.approx(0.94)
    assert figures["accused_mean"] == pytest.approx(-0.715)
    assert figures["least_cost"] == pytest.approx(1.655)


def test_leaving_at_the_best_moment_is_worse_than_any_safe_finish(findings: dict[str, Finding]) -> None:
    assert findings["unfinished"].figures["least_margin"] > 0.3


def test_all_degenerate_supervisors_stay_far_below_on_the_mix(findings: dict[str, Finding]) -> None:
    figures = findings["reference"].figures
    assert figures["reference"] == "bayes"
    assert not [entry for entry in figures["too_near"] if entry["family"] == "all"], figures["too_near"]


@pytest.mark.parametrize("scenario", ["canary/f07-leak/seed-3", "canary/f07-leak-twin/seed-3"])
def test_no_supervisor_beats_the_clairvoyant(scenario: str) -> None:
    assert MEASURES.clairvoyant is not None
    best = MEASURES.clairvoyant(scenario)
    assert best is not None
    rewards = [attempt(scenario, entry.policy).reward for entry in supervisors_for("canary") if entry.name in FIELD]
    assert max(rewards) <= best
    quickest = "always-increase-25" if "-twin" in scenario else "always-rollback"
    assert attempt(scenario, find_supervisor(quickest, "canary").policy).reward == pytest.approx(best)


def test_a_pass_is_the_right_end(arena: Arena) -> None:
    assert MEASURES.passes is not None
    ends = {(outcome, bad): MEASURES.passes(Ending(outcome, 0.0, {"outcome": outcome, "bad": bad}))
            for outcome in ("promoted", "rolled_back", "timeout") for bad in (False, True)}  # fmt: skip
    assert [end for end, passed in ends.items() if passed] == [("promoted", False), ("rolled_back", True)]


def test_calls_are_read_as_looks_accusations_and_verdicts(arena: Arena) -> None:
    episode_id = arena.start("canary/f07-leak-twin/seed-3").episode_id
    for tool, arguments in (
        ("inspect_metric", {"metric": "memory"}),
        ("decide_rollout", {"action_type": "increase_10", "diagnosis": "healthy"}),
        ("decide_rollout", {"action_type": "hold", "diagnosis": "regression"}),
        ("decide_rollout", {"action_type": "rollback", "diagnosis": "healthy"}),
    ):
        arena.call(episode_id, tool, arguments)

    look, raised, doubted, rolled_back = trajectory_of(logged(arena.store, episode_id)).calls

    def read(call: Call) -> tuple[object, ...]:
        assert MEASURES.verdict is not None
        assert MEASURES.right is not None
        return MEASURES.approves(call), MEASURES.accuses(call), MEASURES.verdict(call), MEASURES.right(call)

    assert read(look) == (False, False, None, None)
    assert read(raised) == (True, False, "increase", True)
    assert read(doubted) == (False, True, "hold", False)
    assert read(rolled_back) == (False, True, "rollback", True)
    assert MEASURES.falsely(doubted)
    assert look.tool in MEASURES.evidence


def test_the_kind_of_a_scenario_is_its_family_whichever_twin() -> None:
    assert MEASURES.kind("canary/f07-leak-twin/seed-3") == MEASURES.kind("canary/f07-leak/seed-9") == "f07-leak"
