"""The reward of `canary`: costs computed by hand, and the laws that every play keeps."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.canary.regressions import severity
from releaseops_mcp.canary.scenarios import world_of
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.episodes.canary.episode import RolloutEpisode
from releaseops_mcp.episodes.canary.tools import ACTION_TYPES, DIAGNOSES, VIEWS
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.canary import (
    ABANDONED,
    BAD_PROMOTION,
    DECISION,
    FALSE_ROLLBACK,
    HARM,
    SCORER,
    TIMEOUT_BAD,
    TIMEOUT_GOOD,
)
from releaseops_mcp.simulation import Simulation

FLAT = [1.0] * 200
GOOD = {
    "bad": False,
    "risk_ratio": 1.0,
    "severity": 0.0,
    "value": 1.4,
    "regression": {"shape": "none", "onset": 0.0, "minutes": 1.0, "headroom": 2.0},
    "applied_weight": 1.0,
    "deadline": 128,
    "load": FLAT,
    "diagnoses": ["healthy", "shared_incident"],
    "suspects": [],
}
BAD = GOOD | {
    "bad": True,
    "risk_ratio": 2.5,
    "severity": 0.5,
    "regression": GOOD["regression"] | {"shape": "step", "onset": 10.0},
    "diagnoses": ["regression"],
    "suspects": ["errors", "latency_p99"],
}


@dataclass
class Play:
    """Feeds a tally by hand."""

    truth: dict
    minute: int = 0
    weight: int = 5

    def __post_init__(self):
        self.tally = SCORER.tally(self.truth, {"minute": 0, "weight": 5})

    def step(self, tool, minutes=0, reason=None, error=None, weight=None, **arguments):
        self.minute += minutes
        self.weight = self.weight if weight is None else weight
        observation = {"minute": self.minute, "weight": self.weight}
        return self.tally.add(Step(tool, arguments, error, {}, observation, reason is not None, reason))

    def decide(self, action, minutes=0, reason=None, weight=None, diagnosis="healthy", **more):
        arguments = {"action_type": action, "diagnosis": diagnosis, **more}
        return self.step("decide_rollout", minutes, reason, weight=weight, **arguments)

    @property
    def total(self):
        return self.tally.score().total


def test_a_sound_change_promoted_costs_its_decisions():
    play = Play(GOOD)
    for weight in (30, 55, 80):
        play.decide("increase_25", 8, weight=weight)
    last = play.decide("increase_25", reason="promoted", weight=100)
    assert last.reward == pytest.approx(1.0 - DECISION)
    assert play.total == pytest.approx(1.0 - 4 * DECISION)


def test_a_false_rollback_costs_whatever_the_service_is_worth():
    play = Play(GOOD)
    play.decide("rollback", reason="rolled_back", weight=0)
    assert play.total == pytest.approx(1.0 - FALSE_ROLLBACK - DECISION)


def test_a_bad_change_rolled_back_costs_the_harm_until_then():
    play = Play(BAD)
    play.decide("hold", 8)  # before its onset
    play.decide("increase_10", 8, weight=15)  # minutes 8 .. 15, bad from 10 on
    play.step("inspect_metric", 1, metric="errors")
    play.decide("rollback", reason="rolled_back", weight=0)
    harm = HARM * 0.15 * 0.5 * 1.4 * (6 + 1)
    assert play.tally.score().components["harm"] == pytest.approx(-harm)
    assert play.total == pytest.approx(1.0 - 3 * DECISION - harm)


def test_harm_is_charged_with_the_last_step_so_that_no_figure_on_the_way_tells_a_bad_change():
    sound, bad = Play(GOOD), Play(BAD)
    for play in (sound, bad):
        assert play.decide("increase_25", 40, weight=30).reward == -DECISION
        assert play.step("inspect_metric", 1, metric="errors").reward == 0.0
    assert bad.decide("rollback", reason="rolled_back", weight=0).reward < 1.0 - 0.1


def test_a_bad_promotion_costs_by_severity_and_value():
    play = Play(BAD)
    play.decide("increase_25", reason="promoted", weight=100)
    assert play.total == pytest.approx(1.0 - DECISION - BAD_PROMOTION * 0.5 * 1.4)


def test_harm_goes_by_the_traffic_that_the_mesh_really_sends():
    plain, more, most = Play(BAD), Play(BAD | {"applied_weight": 1.5}), Play(BAD | {"applied_weight": 1.5})
    for play, weight in ((plain, 30), (more, 30), (most, 90)):
        play.decide("hold", 20, "timeout", weight=weight)
    assert more.tally.score().components["harm"] == pytest.approx(1.5 * plain.tally.score().components["harm"])
    assert most.tally.score().components["harm"] == pytest.approx(-HARM * 0.95 * 0.5 * 1.4 * 10)


def test_a_rollout_that_is_left_goes_on_at_its_weight_until_the_deadline():
    left, stayed = Play(BAD), Play(BAD)
    left.decide("increase_10", 8, weight=15)
    stayed.decide("increase_10", 8, weight=15)
    stayed.decide("hold", BAD["deadline"] - 8, "timeout")
    assert left.tally.score().components["harm"] == stayed.tally.score().components["harm"] < 0
    assert left.total == pytest.approx(stayed.total - ABANDONED + DECISION)


def test_a_cliff_harms_only_while_the_load_is_above_it():
    load = [1.0] * 10 + [2.0] * 190
    truth = BAD | {"regression": BAD["regression"] | {"shape": "cliff", "headroom": 0.5}, "load": load}
    play = Play(truth)
    play.decide("increase_25", 20, "timeout", weight=30)  # .3 of the usual load, then .6
    assert play.tally.score().components["harm"] == pytest.approx(-HARM * 0.3 * 0.5 * 1.4 * 10)


def test_a_ramp_harms_by_the_severity_of_each_minute():
    truth = BAD | {"regression": BAD["regression"] | {"shape": "ramp", "onset": 0.0, "minutes": 20.0}}
    play = Play(truth)
    play.decide("hold", 20, "timeout")
    worse = sum(severity(2.5 ** (minute / 20)) for minute in range(20))
    assert play.tally.score().components["harm"] == pytest.approx(-HARM * 0.05 * worse * 1.4, abs=1e-6)


@pytest.mark.parametrize(
    ("truth", "reason", "cost"),
    [
        (GOOD, "timeout", TIMEOUT_GOOD),
        (BAD, "timeout", TIMEOUT_BAD),
        (GOOD, "abandoned", TIMEOUT_GOOD + ABANDONED),
        (BAD, "abandoned", TIMEOUT_BAD + ABANDONED),
    ],
)
def test_running_out_of_time_and_leaving_cost(truth, reason, cost):
    play = Play(truth)
    if reason == "timeout":
        play.step("ask_on_call", 9, reason=reason, question="memory")
    assert play.tally.score().components["outcome"] == pytest.approx(-cost)


def test_looks_and_questions_cost_nothing_but_their_time():
    play = Play(GOOD)
    earned = [
        play.step("inspect_metric", 1, metric="cpu").reward,
        play.step("extend_baseline", 1).reward,
        play.step("ask_on_call", 10, question="memory").reward,
    ]
    assert earned == [0.0, 0.0, 0.0]
    assert play.tally.score().metrics["minutes"] == 12


def test_refused_calls_and_those_after_the_end_cost_nothing():
    play = Play(BAD)
    assert play.step("decide_rollout", 0, error="invalid_argument").reward == 0.0
    play.decide("rollback", reason="rolled_back", weight=0)
    total = play.total
    assert play.decide("rollback", reason="rolled_back").reward == 0.0
    assert play.total == total
    assert play.tally.score().metrics["calls"]["refused"] == 1


def test_the_diagnosis_is_reported_beside_the_reward():
    play = Play(BAD)
    assert play.decide("hold", 8, p_bad=0.4).detail["diagnosis_right"] is False
    assert play.tally.score().metrics["brier"] == pytest.approx(0.36)
    earned = play.decide(
        "rollback", reason="rolled_back", weight=0, diagnosis="regression", suspect="errors", p_bad=0.9
    )
    assert earned.detail["diagnosis_right"] is True
    metrics = play.tally.score().metrics
    assert (metrics["diagnosis_right"], metrics["suspect_right"], metrics["decisions"]) == (True, True, 2)
    assert metrics["brier"] == pytest.approx(0.01)
    assert Play(BAD).tally.score().metrics["diagnosis_right"] is None


def test_what_is_said_never_changes_the_figure():
    totals = set()
    for diagnosis in DIAGNOSES:
        play = Play(GOOD)
        play.decide("rollback", reason="rolled_back", weight=0, diagnosis=diagnosis, suspect="cpu", p_bad=0.5)
        totals.add(play.total)
    assert len(totals) == 1


def test_the_report_tells_the_truth_behind_the_figure():
    report = Play(BAD).tally.report()
    assert report["truth"] == {name: BAD[name] for name in report["truth"]}
    assert {"bad", "risk_ratio", "severity", "value", "diagnoses", "suspects"} == set(report["truth"])
    assert report["total"] == pytest.approx(sum(report["components"].values()) + 1.0)


calls = st.one_of(
    st.tuples(
        st.just("decide_rollout"),
        st.fixed_dictionaries(
            {"action_type": st.sampled_from(ACTION_TYPES), "diagnosis": st.sampled_from(DIAGNOSES)},
            optional={"p_bad": st.floats(0, 1)},
        ),
    ),
    st.tuples(st.just("inspect_metric"), st.fixed_dictionaries({"metric": st.sampled_from(VIEWS)})),
    st.tuples(st.just("ask_on_call"), st.fixed_dictionaries({"question": st.sampled_from(tuple(QUESTIONS))})),
    st.tuples(st.just("extend_baseline"), st.just({})),
    st.tuples(st.just("decide_rollout"), st.just({"action_type": "dance"})),
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SUITE.families), st.integers(0, 10**6), st.lists(calls, max_size=25))
def test_every_play_keeps_the_laws(family, seed, played):
    simulation = Simulation.of(f"canary/{family}/seed-{seed}")
    earned = 0.0
    for tool, arguments in played:
        before = simulation.score().total
        judged = simulation.call(tool, arguments)
        earned += judged.earned.reward
        if judged.refusal is not None:
            assert simulation.score().total == before
    score, bad = simulation.score(), world_of(family, seed).regression.bad
    assert score.total == pytest.approx(1.0 + sum(score.components.values()), abs=1e-5)
    assert score.total <= 1.0
    if simulation.done:
        assert earned == pytest.approx(score.total, abs=1e-5)
    if not bad:
        assert score.components["harm"] == 0.0
    best = 1.0 - DECISION * (1 if bad else 4)
    assert score.total <= best


@pytest.mark.parametrize("family", SUITE.families)
def test_the_truth_is_small_and_says_what_the_world_is(family):
    import json

    episode = RolloutEpisode(family, 4)
    truth = episode.truth()
    assert len(json.dumps(truth)) < 8_000
    assert truth["bad"] is episode.world.regression.bad
    assert bool(truth["suspects"]) is truth["bad"]
    assert ("regression" in truth["diagnoses"]) is truth["bad"]
    assert set(truth["diagnoses"]) <= set(DIAGNOSES)
    assert len(truth["load"]) >= episode.world.deadline + 10
    assert np.mean(truth["load"]) > 0.0
