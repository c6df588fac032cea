"""A CSV table becomes series by arm; a bad cell is refused with its line and column."""

import math
from pathlib import Path

import pytest

from releaseops_mcp.canary.series import ArmNames, Choice, Counted, assemble, read_files
from releaseops_mcp.errors import InvalidArgument


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str, choice: Choice | None = None, **names: str):
        path = tmp_path / "errors.csv"
        path.write_text(text)
        return assemble(read_files([path], ArmNames(**names)), choice or Choice())

    return read_text


def test_a_row_is_a_bucket_and_a_column_an_arm(read):
    comparison = read("time,canary,baseline,stable,comment\n0,1,2,3,first\n60,,NaN,4,\n")

    (series,) = comparison.series
    assert comparison.times == (0.0, 60.0)
    assert series.metric == "errors"
    assert series.canary.values[0] == 1.0
    assert math.isnan(series.canary.values[1])
    assert series.baseline is not None
    assert math.isnan(series.baseline.values[1])
    assert series.stable is not None
    assert series.stable.values == (3.0, 4.0)


def test_counts_have_columns_of_their_own(read):
    header = "canary_events,canary_totals,baseline_events,baseline_totals"

    (series,) = read(f"{header}\n1,100,2,100\n0,50,0,0\n").series

    assert series.canary.events == (1.0, 0.0)
    assert series.canary.values == (0.01, 0.0)
    assert series.baseline is not None
    assert math.isnan(series.baseline.values[1])


def test_a_metric_column_makes_several_series_on_one_grid(read):
    comparison = read("metric,time,canary,baseline\np50,0,10,11\np99,0,90,91\np50,60,12,13\n")

    assert [series.metric for series in comparison.series] == ["p50", "p99"]
    assert comparison.series[0].canary.values == (10.0, 12.0)
    assert math.isnan(comparison.series[1].canary.values[1])


def test_without_times_the_rows_of_each_metric_are_counted(read):
    comparison = read("metric,canary\na,1\nb,2\na,3\nb,4\n")

    assert comparison.times == (0.0, 1.0)
    assert comparison.series[1].canary.values == (2.0, 4.0)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_and_case_are_found_out(read, separator):
    text = "\ufeff" + separator.join(["Time", "V2", "V1"]) + "\n" + separator.join(["0", "1.5", "2"]) + "\n"

    (series,) = read(text, canary="v2", baseline="v1").series

    assert series.canary.values == (1.5,)


def test_dates_are_read_as_utc_unless_they_say_otherwise(read):
    comparison = read("time,canary\n2026-11-30 12:00:00,1\n2026-11-30T13:01:00+01:00,2\n")

    assert comparison.times[1] - comparison.times[0] == 60.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  \n", "the file is empty"),
        ("a,b\n1,2\n", "no column called canary or canary_events: the columns are a, b"),
        ("canary\n", "a header without rows"),
        ("time,canary\n0,1\n60,fast\n", "line 3, column canary: 'fast' is no number"),
        ("time,canary\nnoon,1\n", "line 2: 'noon' is no time"),
        ("time,canary\n0,1\n0,2\n", "line 3: a second row of errors at this time"),
        ("canary_events\n1\n", "canary has events alone"),
        ("canary_events,canary_totals\n5,1\n", "more events than totals"),
        ("time,canary,baseline\n0,1,\n60,,2\n", "share no time"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(read, text, said):
    with pytest.raises(InvalidArgument, match=said):
        read(text)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice(metrics=["p98"]), "--metric: no metric is called 'p98': the files have p50, p99"),
        (Choice(lower_is_worse=frozenset({"p98"})), "--lower-is-worse: no metric is called 'p98'"),
        (Choice(counted=[Counted("e", "p50", "all")]), "--counts: no metric is called 'all'"),
    ],
)
def test_a_choice_of_what_is_not_there_is_refused(read, choice, said):
    with pytest.raises(InvalidArgument, match=said):
        read("metric,canary\np50,1\np99,2\n", choice)


def test_a_choice_keeps_its_order_and_says_what_is_worse(read):
    choice = Choice(metrics=["p99", "p50"], lower_is_worse=frozenset({"p50"}))

    comparison = read("metric,canary\np50,1\np99,2\nsales,3\n", choice)

    assert [(series.metric, series.higher_is_worse) for series in comparison.series] == [("p99", True), ("p50", False)]


def test_uneven_times_are_kept_as_they_are(read):
    assert read("time,canary\n0,1\n60,2\n95,3\n").times == (0.0, 60.0, 95.0)
