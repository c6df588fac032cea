"""A range query's answer becomes series by arm; whatever cannot is refused with what to ask instead."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from releaseops_mcp.canary.series import ArmNames, Choice, Counted, assemble, read_files
from releaseops_mcp.errors import InvalidArgument

Line = tuple[Mapping[str, str], Sequence[tuple[float, str]]]


def answer(*lines: Line, kind: str = "matrix") -> str:
    result = [{"metric": dict(labels), "values": [list(point) for point in points]} for labels, points in lines]
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}})


@pytest.fixture
def saved(tmp_path: Path):
    def save(text: str, name: str = "errors.json") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return save


def read(*paths: Path, **names: str):
    return assemble(read_files(paths, ArmNames(**names)), Choice())


def points(*values: str, start: int = 0) -> list[tuple[float, str]]:
    return [(start + 60 * bucket, value) for bucket, value in enumerate(values)]


def test_arms_are_told_apart_by_the_label_that_has_the_canarys_name(saved):
    path = saved(
        answer(
            ({"version": "v2", "job": "web"}, points("1", "NaN", "3")),
            ({"version": "v1", "job": "web"}, points("4", "5", "+Inf")),
            ({"version": "v0", "job": "web"}, points("7", "8", "9")),
        )
    )

    comparison = read(path, canary="v2", baseline="v1")

    (series,) = comparison.series
    assert series.metric == "errors"
    assert comparison.times == (0.0, 60.0, 120.0)
    assert series.canary.values[::2] == (1.0, 3.0)
    assert math.isnan(series.canary.values[1])
    assert series.baseline is not None
    assert series.baseline.values == (4.0, 5.0, math.inf)
    assert series.stable is None


def test_series_with_a_name_keep_it_and_files_add_up(saved):
    errors = saved(answer(({"__name__": "failed", "arm": "canary"}, points("1"))), "a.json")
    p99 = saved(answer(({"arm": "canary"}, points("250"))), "p99.range.json")

    assert [series.metric for series in read(errors, p99).series] == ["failed", "p99"]


def test_holes_in_the_grid_are_missing_values(saved):
    sparse = [(0.0, "1"), (60.0, "2"), (240.0, "5")]
    path = saved(answer(({"arm": "canary"}, sparse), ({"arm": "baseline"}, points("1", "1"))))

    comparison = read(path)

    assert comparison.times == (0.0, 60.0, 120.0, 180.0, 240.0)
    assert [math.isnan(value) for value in comparison.series[0].canary.values] == [False, False, True, True, False]


def test_two_metrics_of_counts_become_one_of_shares(saved):
    path = saved(
        answer(
            ({"__name__": "failed", "arm": "canary"}, points("1", "2")),
            ({"__name__": "requests", "arm": "canary"}, points("100", "50")),
            ({"__name__": "failed", "arm": "baseline"}, points("1")),
            ({"__name__": "requests", "arm": "baseline"}, points("100", "100")),
        )
    )
    counted = [Counted("errors", "failed", "requests")]
    read_points = read_files([path], ArmNames())

    (series,) = assemble(read_points, Choice(counted=counted)).series
    (filled,) = assemble(read_points, Choice(counted=counted, absent_is_zero=True)).series

    assert series.canary.values == (0.01, 0.04)
    assert series.canary.events == (1.0, 2.0)
    assert series.baseline is not None
    assert math.isnan(series.baseline.values[1])
    assert filled.baseline is not None
    assert filled.baseline.values == (0.01, 0.0)


def test_a_counter_that_is_absent_before_the_first_error_is_zero_only_on_request(saved):
    path = saved(
        answer(
            ({"__name__": "failed", "arm": "baseline"}, points("1", "2")),
            ({"__name__": "requests", "arm": "baseline"}, points("100", "50")),
            ({"__name__": "requests", "arm": "canary"}, points("100", "50")),
        )
    )
    counted = [Counted("errors", "failed", "requests")]
    read_points = read_files([path], ArmNames())

    with pytest.raises(InvalidArgument, match=r"canary has totals alone.*--absent-is-zero"):
        assemble(read_points, Choice(counted=counted))
    (series,) = assemble(read_points, Choice(counted=counted, absent_is_zero=True)).series
    assert series.canary.events == (0.0, 0.0)


V2: Line = ({"version": "v2"}, [(0.0, "1")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{not json", "not JSON"),
        ("[1, 2]", "no answer of Prometheus"),
        ("{}", "no range answer"),
        (json.dumps({"status": "error", "error": "parse error at char 7"}), "parse error at char 7"),
        (answer(kind="vector"), "instant query.*query_range"),
        (answer(), "holds no values"),
        (answer(({"arm": "canary"}, [])), "holds no values"),
        (answer(V2), "no label has the value 'canary'.*version = v2"),
        (answer(({}, [(0.0, "1")])), "no labels: add `by"),
        (answer(({"a": "canary", "b": "canary"}, [(0.0, "1")])), r"several labels.*a, b.*--label"),
        (answer(({"arm": "canary"}, [(0.0, "one")])), r"cannot be read: values\.0\.1"),
        (
            answer(({"arm": "canary", "pod": "x"}, [(0.0, "1")]), ({"arm": "canary", "pod": "y"}, [(0.0, "1")])),
            r"differ by pod: aggregate.*sum by \(arm\)",
        ),
        (
            answer(({"arm": "canary"}, [(0.0, "1")]), ({"arm": "baseline"}, [(30.0, "1")])),
            "share no time.*same start, end and step",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(saved, text: Any, said: str):
    with pytest.raises(InvalidArgument, match=said):
        read(saved(text))


def test_a_label_without_the_canary_is_answered_with_its_values(saved):
    with pytest.raises(InvalidArgument, match=r"no series has version='v9'.*version = v2"):
        read(saved(answer(V2)), label="version", canary="v9")


def test_the_same_metric_twice_is_refused(saved):
    text = answer(({"__name__": "m", "arm": "canary"}, [(0.0, "1")]))

    with pytest.raises(InvalidArgument, match="was in a file before"):
        read(saved(text, "a.json"), saved(text, "b.json"))


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "blob"
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(InvalidArgument, match="not a text in UTF-8"):
        read(path)
