"""What an agent is shown: compact by itself, more on request, and never a word of the truth."""

import json
import math
from dataclasses import replace

import pytest

from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.canary.world import Regression
from releaseops_mcp.episodes.canary.episode import RolloutEpisode
from releaseops_mcp.episodes.canary.views import ROWS, number, significant, standing
from tests.canary.worlds import CALM, running

HOLD = {"action_type": "hold", "diagnosis": "healthy"}


def played(family="f03-sharedincident", seed=1, holds=3):
    episode = RolloutEpisode(family, seed)
    for _ in range(holds):
        episode.call("decide_rollout", HOLD)
    return episode


def look(episode, metric, **more):
    return episode.call("inspect_metric", {"metric": metric, **more}).result


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("window", [1, 10, 11, 60])
def test_a_view_has_at_most_ten_rows_an_arm_and_the_traffic_behind_them(metric, window):
    view = look(played(), metric, window=window)
    assert view["metric"] == metric
    assert view["bucket_minutes"] == math.ceil(window / ROWS)
    for arm in ("canary", "baseline", "stable"):
        assert len(view[arm]) <= ROWS
        assert len(view[arm]) == len(view["stable"])
        assert view[f"{arm}_requests"] >= 0


def test_a_long_view_begins_in_the_past_of_the_stable_arm():
    view = look(played(holds=1), "latency_p50", window=60)
    assert view["from_minute"] == -30
    assert view["canary"][0] is None
    assert view["stable"][0] is not None


def test_one_bucket_a_minute_shows_the_minutes_themselves():
    episode = played()
    view = look(episode, "errors", window=8)
    assert view["from_minute"] == episode.observe()["minute"] - 8
    assert len(view["canary"]) == 8 - episode.world.faults.lag


def test_the_default_window_is_ten_minutes():
    assert look(played(), "errors") == look(played(), "errors", window=10)


def test_alerts_are_shown_with_name_severity_source_and_labels():
    stormy = (look(played("f04-phantom", seed, holds=2), "alerts") for seed in range(5))
    firing = [alert for view in stormy for alert in view["firing"]]
    assert firing
    for alert in firing:
        assert set(alert) == {"name", "severity", "source", "labels"}
        assert alert["severity"] in ("page", "ticket")
        assert alert["labels"]["service"]


def test_the_observation_counts_alerts_by_name():
    for seed in range(10):
        episode = played("f04-phantom", seed, holds=2)
        shown = episode.observe()["alerts"]
        names = {alert["name"] for alert in look(episode, "alerts")["firing"]}
        assert abs(shown - len(names)) <= 2, "a minute later only a few have changed"


def test_every_shown_value_is_plain_json_without_nan():
    for family in ("f16-brokenquery", "f17-lowtraffic", "f07-leak"):
        episode = played(family)
        shown = [episode.observe(), *(look(episode, metric, window=60) for metric in (*METRICS, "alerts", "setup"))]
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_a_value_has_two_digits_and_a_missing_one_is_null():
    assert [significant(value) for value in (0.2345, 12.34, 130.0, 0.0)] == [0.23, 12, 130, 0]
    assert [number(value) for value in (3.0, 0.25)] == [3, 0.25]
    assert isinstance(number(3.0), int)
    assert significant(math.nan) is number(math.nan) is None


def test_errors_and_tail_compare_canary_and_baseline_over_the_last_interval():
    change = Regression("step", {"errors": 4.0, "body": 1.5}, onset=10.0, bad=True)
    world = replace(CALM, load=replace(CALM.load, rpm=30_000.0), regression=change)
    _, dashboard = running(world, minutes=30)
    before, after = standing(dashboard, 9, 1, 0.2, []), standing(dashboard, 30, 15, 0.2, [])
    assert before["errors"] == pytest.approx([1.0, 1.0], rel=0.3)
    assert before["tail"] == pytest.approx(1.0, rel=0.2)
    assert after["errors"] == pytest.approx([4.0, 1.0], rel=0.3)
    assert after["tail"] == pytest.approx(1.5, rel=0.2)
    assert (after["minute"], after["weight"], after["alerts"]) == (30, 20, 0)
