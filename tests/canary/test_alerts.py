"""Alerts: rules over what is shown, storms that have nothing to do with the canary, muted ones."""

from dataclasses import replace

import pytest

from releaseops_mcp.canary.alerts import OTHERS, RULES, STORM_MINUTES, UNRELATED, Pager
from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.traffic import Shares
from releaseops_mcp.canary.world import Faults, Incident, Regression
from tests.canary.worlds import CALM, rollout_of, stream

QUIET = replace(CALM, load=replace(CALM.load, rpm=30_000.0))


def pager_of(world, minutes, seed=1):
    rollout = rollout_of(world, seed)
    pager = Pager(world, Dashboard(world, rollout, stream(seed)), stream(seed + 1))
    rollout.run(minutes, Shares.of(0.2, 1.0, extended=False))
    return pager


def bad(effects, **more):
    return replace(QUIET, regression=Regression("step", effects, bad=True), **more)


def test_a_calm_rollout_is_quiet():
    assert pager_of(QUIET, 20).firing() == []


@pytest.mark.parametrize(
    ("effects", "names"),
    [
        ({"errors": 6.0}, {"HighErrorRate"}),
        ({"body": 3.0}, {"HighLatencyP99"}),
        ({"downstream": 6.0}, {"DownstreamErrors"}),
        ({"conversion": 4.0}, set()),
    ],
)
def test_a_rule_fires_for_the_arm_that_exceeds_it(effects, names):
    firing = pager_of(bad(effects), 20).firing()
    assert {alert.name for alert in firing} == names
    assert all(alert.labels == {"service": "basket", "arm": "canary"} for alert in firing)
    by_name = {rule.name: rule.severity for rule in RULES}
    assert all((alert.severity, alert.source) == (by_name[alert.name], "prometheus") for alert in firing)


def test_a_leak_fires_for_memory():
    world = replace(QUIET, regression=Regression(memory=1.0, memory_minutes=20.0))
    assert [alert.name for alert in pager_of(world, 25).firing()] == ["MemoryHigh"]


def test_an_incident_fires_for_all_arms():
    world = replace(QUIET, incidents=(Incident(0.0, 40.0, 8.0, "errors"),))
    assert [alert.labels["arm"] for alert in pager_of(world, 20).firing()] == ["canary", "baseline", "stable"]


def test_a_silenced_canary_fires_nothing_of_its_own():
    faults = Faults(silenced=True)
    assert pager_of(bad({"errors": 8.0}, faults=faults), 20).firing() == []
    both = replace(QUIET, incidents=(Incident(0.0, 40.0, 8.0, "errors"),), faults=faults)
    assert [alert.labels["arm"] for alert in pager_of(both, 20).firing()] == ["baseline", "stable"]


def test_an_old_breach_is_forgotten_once_its_minutes_have_passed():
    world = replace(QUIET, incidents=(Incident(0.0, 5.0, 8.0, "errors"),))
    assert pager_of(world, 8).firing()
    assert pager_of(world, 15).firing() == []


def test_a_storm_concerns_other_services_and_comes_thick_while_it_lasts():
    storm = Faults(storm_per_hour=3.0, storm=(0, 40))
    stormy = [len(pager_of(replace(QUIET, faults=storm), 30, seed).firing()) for seed in range(40)]
    calm = [len(pager_of(replace(QUIET, faults=Faults(storm_per_hour=3.0)), 30, seed).firing()) for seed in range(40)]
    assert sum(stormy) / 40 == pytest.approx(STORM_MINUTES, rel=0.15)
    assert sum(calm) / 40 == pytest.approx(STORM_MINUTES * 3 / 60, abs=0.4)
    for alert in pager_of(replace(QUIET, faults=storm), 30).firing():
        assert alert.labels["service"] in OTHERS
        assert (alert.name, alert.severity, alert.source) in UNRELATED


def test_before_the_first_minute_only_the_past_can_fire():
    assert pager_of(bad({"errors": 8.0}), 0).firing() == []
