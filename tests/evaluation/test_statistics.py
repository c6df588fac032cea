"""The interval: seeded, clustered by scenario, and honest where there is nothing to say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.evaluation import statistics
from releaseops_mcp.evaluation.statistics import Cluster, interval

figures = st.floats(-10, 10, allow_nan=False)


def single(values: list[float]) -> list[Cluster]:
    return [Cluster(value, 1) for value in values]


def test_the_same_episodes_always_have_the_same_interval() -> None:
    clusters = single([0.1, 0.5, 0.9, 0.4])

    assert interval(clusters) == interval(clusters)


def test_it_agrees_with_the_normal_approximation_where_that_holds() -> None:
    values = np.random.Generator(np.random.PCG64(1)).normal(0.5, 0.2, 400)
    half = 1.96 * values.std() / 20

    found = interval(single(list(values)))

    assert found == pytest.approx((values.mean() - half, values.mean() + half), abs=0.004)


def test_repeats_of_a_scenario_do_not_narrow_it() -> None:
    once = single([0.0, 1.0, 0.2, 0.8])
    ten_times = [Cluster(cluster.total * 10, 10) for cluster in once]

    assert interval(ten_times) == pytest.approx(interval(once))


def test_a_scenario_with_more_episodes_weighs_more() -> None:
    low, high = interval([Cluster(9.0, 9), Cluster(0.0, 1)]) or (0.0, 0.0)

    assert (low, high) == (0.0, 1.0)


@pytest.mark.parametrize("clusters", [[], [Cluster(3.0, 4)]])
def test_below_two_scenarios_there_is_none(clusters: list[Cluster]) -> None:
    assert interval(clusters) is None


@given(st.lists(figures, min_size=2, max_size=30))
def test_it_lies_within_the_figures(values: list[float]) -> None:
    low, high = interval(single(values)) or (0.0, 0.0)

    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_drawing_in_parts_bounds_the_memory_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clusters = single([0.1, 0.5, 0.9, 0.4])
    whole = interval(clusters)

    monkeypatch.setattr(statistics, "_DRAWS_AT_ONCE", 1_000)

    assert interval(clusters) == whole
