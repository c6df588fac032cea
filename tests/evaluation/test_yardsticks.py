"""What stands beside the rows: yardsticks, the summary's differences, and the episodes worth reading."""

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor, supervisors
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.evaluation.facts import Facts
from releaseops_mcp.evaluation.rehearsal import rehearse
from releaseops_mcp.evaluation.runs import draw_seed, run
from releaseops_mcp.evaluation.summary import NotCounted, summarise
from releaseops_mcp.evaluation.tables import ALL, Tables
from releaseops_mcp.evaluation.trajectory import trajectory_of
from releaseops_mcp.evaluation.worth import Worth
from releaseops_mcp.evaluation.yardsticks import yardsticks
from tests.evaluation.conftest import reader
from tests.evaluation.entries import entry
from tests.playing import logged

SCENARIOS = ("toy/f99-leak/seed-1", "toy/f99-leak-twin/seed-1")


def test_the_yardsticks_play_in_memory_what_was_played(sqlite_arena: Arena) -> None:
    scenarios = GATE.splits()["eval"]

    found = {stick.name: stick for stick in yardsticks(GATE.name, scenarios, without=["always-hold"])}

    assert round(found["phase-aware"].mean, 3) == 0.312
    assert round(found["hold-then-approve"].mean, 3) == 0.712
    assert found["phase-aware"].role == "reference"
    assert found["phase-aware"].family_means().keys() == {*GATE.families, ALL}
    assert "always-hold" not in found
    assert "rule" not in found
    assert sqlite_arena.store.started() == 0


def test_a_clairvoyant_comes_first_where_the_suite_has_one(toy: None) -> None:
    sticks = list(yardsticks("toy", SCENARIOS))

    assert [(stick.name, stick.role) for stick in sticks] == [
        ("clairvoyant", "clairvoyant"),
        ("reader", "reference"),
        ("shipper", "degenerate"),
    ]
    assert [stick.mean for stick in sticks][::2] == [1.0, 0.0]
    assert sticks[2].ci95 == (-1.0, 1.0)


def test_a_yardstick_that_fails_everywhere_is_none_and_somewhere_is_counted(
    toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(brief: Brief) -> Play:
        if brief.seed == draw_seed(SCENARIOS[0]):
            raise KeyError("gone")
        yield Action("explode", {})

    monkeypatch.setitem(supervisors(), ("broken", "toy"), Supervisor("broken", "toy", broken, True, ""))
    shy = Supervisor(
        "shy", "toy", lambda brief: broken(brief) if brief.seed == draw_seed(SCENARIOS[0]) else reader(brief), True, ""
    )
    monkeypatch.setitem(supervisors(), ("shy", "toy"), shy)

    found = {stick.name: stick.failed for stick in yardsticks("toy", SCENARIOS)}

    assert found == {"clairvoyant": 0, "reader": 0, "shipper": 0, "shy": 1}


def test_a_suite_that_is_not_installed_has_no_yardsticks() -> None:
    assert list(yardsticks("gone", ["gone/1"])) == []
    assert list(yardsticks(CANARY.name, [])) == []


def test_every_agent_is_held_against_the_reference_that_played_or_the_yardstick(sqlite_arena: Arena) -> None:
    agents = [find_supervisor(name, CANARY.name) for name in ("baseline", "cautious")]
    scenarios = CANARY.splits()["published"]
    both, one = run(sqlite_arena, agents, scenarios), run(sqlite_arena, agents[:1], scenarios)

    sticks = list(yardsticks(CANARY.name, scenarios))
    beside = [summarise(both.tables, both.kinds), summarise(one.tables, one.kinds, sticks=sticks)]

    assert beside[0].differences == beside[1].differences
    assert [(each.agent, each.other) for each in beside[0].differences if each.family == ALL] == [
        ("baseline", "cautious")
    ]


def test_without_a_reference_nothing_is_held_against_anything() -> None:
    tables = Tables("gone")
    tables.add_entry(entry(suite="gone"))

    summary = summarise(tables, Tables("gone"))

    assert (summary.reference, summary.differences) == ("", [])


def test_why_an_episode_is_not_counted() -> None:
    def why(**changes: object) -> str | None:
        found = NotCounted.of(entry(**changes).played)  # pyright: ignore[reportArgumentType]
        return found.why if found else None

    assert why() is None
    assert why(truncated=True) == "truncated"
    assert why(reward=None, fault="agent_failed: x") == "unscored"
    assert why(reward=None, fault="infrastructure: 503") == "infrastructure"


def test_the_worst_regrets_come_first_and_no_scenario_twice_for_an_agent() -> None:
    worth = Worth("ref", {str(seed): 1.0 for seed in range(9)}, ["lazy"])
    for seed in range(5):
        worth.look(entry(agent="a", scenario=str(seed), reward=seed / 10))
    worth.look(entry(1, agent="a", scenario="0", reward=-5.0))
    worth.look(entry(agent="ref", scenario="0", episode_id="ep_ref", reward=0.0))
    worth.look(entry(agent="lazy", scenario="0", reward=-9.0))
    worth.look(entry(agent="b", scenario="elsewhere", reward=-9.0))
    worth.look(entry(agent="b", scenario="1", reward=None))
    worth.look(entry(agent="b", scenario="2", reward=1.0))

    regrets = worth.regrets()

    assert [(each.entry.played.agent, each.regret, each.counterpart) for each in regrets] == [
        ("a", 6.0, "ep_ref"),
        ("a", 0.9, ""),
        ("a", 0.8, ""),
    ]


def test_a_pair_that_was_not_told_apart_is_shown_original_first() -> None:
    worth = Worth("", {})
    for repeat, (first, second) in enumerate([(True, True), (True, False), (False, False)]):
        worth.look(entry(repeat, scenario=SCENARIOS[1], facts=Facts(passed=second)))
        worth.look(entry(repeat, scenario=SCENARIOS[0], facts=Facts(passed=first)))
    worth.look(entry(9, scenario=SCENARIOS[0], facts=Facts(passed=False)))
    worth.look(entry(8, scenario=SCENARIOS[0], facts=Facts(passed=True)))
    worth.look(entry(8, scenario=SCENARIOS[1], facts=Facts(passed=False)))

    pairs = worth.failed_pairs()

    assert [(pair.original.repeat, pair.original.facts.passed, pair.twin.facts.passed) for pair in pairs] == [
        (1, True, False),
        (2, False, False),
        (8, True, False),
    ]
    assert all(pair.twin.played.scenario == SCENARIOS[1] for pair in pairs)


def test_a_rehearsal_is_what_would_have_been_logged(sqlite_arena: Arena) -> None:
    supervisor = find_supervisor("phase-aware", GATE.name)
    came = run(sqlite_arena, [supervisor], [GATE.default_scenario])

    rehearsed = rehearse(supervisor, GATE.default_scenario)

    assert rehearsed == trajectory_of(logged(sqlite_arena.store, came.figures[0].episode_id))
