"""Rows: what enters a mean, and what is counted beside it."""

from dataclasses import replace

import pytest

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.tables import ALL, LEFT, Row, Tables

EPISODE = Played(
    episode_id="ep_1",
    scenario="classic-gate/f/low/seed-1",
    suite="classic-gate",
    family="f",
    agent="a",
    steps=4,
    invalid=1,
    reward=1.0,
    components={},
    metrics={"safe_ship": True, "budget_spent": 2, "violated_rules": []},
    terminal_reason="safe_ship",
    truncated=False,
    fault=None,
)


def rows_of(*episodes: Played) -> dict[str, Row]:
    tables = Tables("classic-gate", ["lazy"])
    for episode in episodes:
        tables.add(episode)
    return {f"{row.agent}/{row.family}": row for row in tables.rows()}


def test_a_row_holds_means_shares_and_rates() -> None:
    other = replace(
        EPISODE, scenario="classic-gate/f/low/seed-2", reward=-0.5, steps=1, invalid=0, terminal_reason=None
    )

    row = rows_of(EPISODE, other)["a/all"]

    assert (row.episodes, row.scored, row.mean, row.steps_mean, row.invalid_rate) == (2, 2, 0.25, 2.5, 0.2)
    assert row.outcomes == {LEFT: 0.5, "safe_ship": 0.5}
    assert row.metrics == {"safe_ship": 1.0, "budget_spent": 2.0}
    assert row.ci95 == (-0.5, 1.0)


def test_unscored_is_its_own_state_and_never_0() -> None:
    row = rows_of(EPISODE, replace(EPISODE, reward=None, fault="agent_failed: x"))["a/all"]

    assert (row.episodes, row.scored, row.unscored, row.mean) == (2, 1, 1, 1.0)


def test_a_stopped_episode_is_counted_and_left_out_of_the_mean() -> None:
    row = rows_of(EPISODE, replace(EPISODE, reward=-47.0, truncated=True))["a/all"]

    assert (row.episodes, row.scored, row.truncated, row.mean) == (2, 1, 1, 1.0)


def test_nothing_scored_has_no_mean() -> None:
    row = rows_of(replace(EPISODE, reward=None))["a/all"]

    assert (row.mean, row.ci95, row.steps_mean, row.invalid_rate, row.outcomes) == (None, None, None, None, {})


def test_rows_come_agent_by_agent_each_family_and_then_all() -> None:
    found = rows_of(EPISODE, replace(EPISODE, family="g"), replace(EPISODE, agent="lazy"))

    assert list(found) == ["a/f", "a/g", f"a/{ALL}", "lazy/f", f"lazy/{ALL}"]
    assert [row.degenerate for row in found.values()] == [False, False, False, True, True]


def test_a_mean_is_the_sum_in_the_order_of_play_divided_by_the_count() -> None:
    figures = [0.1, 0.2, 0.3, -0.7, 0.1]

    row = rows_of(*(replace(EPISODE, reward=figure) for figure in figures))["a/all"]

    assert row.mean == sum(figures) / len(figures)


def test_a_mean_that_nobody_played_for_is_none() -> None:
    tables = Tables("classic-gate")
    tables.add(EPISODE)

    assert tables.mean("nobody") is None
    assert tables.mean("a", "f") == pytest.approx(1.0)
