"""Arms, series and comparisons: what is refused, and how buckets are merged and cut."""

import math

import pytest
from pydantic import ValidationError

from releaseops_mcp.canary.judges import Arm, Comparison, Series
from releaseops_mcp.errors import InvalidArgument
from tests.canary.judges.conftest import NAN, counted, one


def test_shares_are_events_over_totals_and_unknown_where_nothing_was_served():
    arm = Arm.of_counts([1, 0, 0], [4, 5, 0])

    assert arm.values[:2] == (0.25, 0.0)
    assert math.isnan(arm.values[2])


@pytest.mark.parametrize(
    ("arm", "said"),
    [
        ({"values": (1.0,), "events": (1.0,)}, "both or neither"),
        ({"values": (1.0,), "events": (1.0, 2.0), "totals": (3.0, 3.0)}, "one a bucket"),
        ({"values": (1.0,), "events": (-1.0,), "totals": (3.0,)}, "below 0"),
        ({"values": (1.0,), "events": (4.0,), "totals": (3.0,)}, "more events than totals"),
    ],
)
def test_counts_that_contradict_each_other_are_refused(arm, said):
    with pytest.raises(ValidationError, match=said):
        Arm(**arm)


def test_arms_of_different_lengths_are_refused():
    with pytest.raises(ValidationError, match="different lengths"):
        one([1.0, 2.0], [1.0])


def test_two_series_of_one_name_are_refused():
    series = Series.of("errors", [1.0])

    with pytest.raises(ValidationError, match="names of their own"):
        Comparison(series=(series, series))


def test_merged_buckets_add_counts_up_and_average_values():
    by_count = counted(([1, 1, 4], [10, 30, 8]), ([0, 0, 0], [1, 1, 1]))
    by_value = one([1.0, NAN, 4.0], [1.0, 2.0, 3.0])

    merged = by_count.every(2).series[0].canary
    assert (merged.events, merged.totals) == ((2.0, 4.0), (40.0, 8.0))
    assert merged.values == pytest.approx((0.05, 0.5))
    assert by_value.every(2).series[0].canary.values == (1.0, 4.0)


def test_a_merged_share_keeps_its_unit():
    percent = Arm(values=(10.0, 1.0), events=(1.0, 3.0), totals=(10.0, 300.0))

    merged = percent.every(2)

    assert merged.values == pytest.approx((100.0 * 4 / 310,))


def test_a_bucket_with_an_unknown_count_is_left_out_of_the_merged_one():
    merged = counted(([1, NAN], [10, 30]), ([0, 0], [1, 1])).every(2)

    assert merged.series[0].canary == Arm.of_counts([1], [10])


def test_merging_into_nothing_is_refused():
    with pytest.raises(InvalidArgument, match="at least 1"):
        one([1.0]).every(0)


def test_a_part_cuts_every_arm_and_the_times():
    whole = Comparison(series=one([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).series, times=(0.0, 60.0, 120.0))

    part = whole.part(1)

    assert part.times == (60.0, 120.0)
    assert part.series[0].canary.values == (2.0, 3.0)
    assert part.series[0].baseline is not None
    assert part.series[0].baseline.values == (5.0, 6.0)


def test_the_control_falls_back_to_the_arm_that_there_is():
    baseline, stable = Arm(values=(1.0,)), Arm(values=(2.0,))
    canary = Arm(values=(3.0,))

    assert Series(metric="m", canary=canary).control("baseline") is None
    assert Series(metric="m", canary=canary, stable=stable).control("baseline") == stable
    assert Series(metric="m", canary=canary, baseline=baseline).control("stable") == baseline
    assert Series(metric="m", canary=canary, baseline=baseline, stable=stable).control("pooled") == baseline


def test_a_pooled_control_adds_counts_up_and_takes_one_arm_where_the_other_is_unknown():
    series = counted(([1, 1], [9, 9]), ([1, NAN], [10, 10]), ([2, 3], [20, 30])).series[0]

    assert series.control("pooled") == Arm.of_counts([3, 3], [30, 30])
