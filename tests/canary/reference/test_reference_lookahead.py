"""Decisions by expected cost: clear cases are decided clearly, and looks are worth what they may change."""

import numpy as np
import pytest

from releaseops_mcp.agents.scripted.canary.bayes import COSTS
from releaseops_mcp.canary.reference.belief import Belief
from releaseops_mcp.canary.reference.forecasts import LOOKS, forecast
from releaseops_mcp.canary.reference.lookahead import Lookahead, Standing
from releaseops_mcp.canary.scenarios import family_names

SETUP = {
    "requests_per_minute": 6_000,
    "interval_minutes": 8,
    "usual": {"errors": 0.5, "latency_p50": 80.0, "latency_p99": 320.0, "conversion": 3.0, "downstream_errors": 0.5},
}
HALFWAY = Standing(minute=40, weight=0.3, interval=8, deadline=128)


def believing(*families):
    """A belief in which only some families are left."""
    belief = Belief(SETUP, np.random.Generator(np.random.PCG64(1)))
    wanted = [family_names().index(name) for name in families]
    held = np.isin(belief.particles.worlds.family[belief.particles.rows], wanted)
    belief.particles.logs = np.where(held, 0.0, -60.0)
    return belief


def ahead(*families):
    return Lookahead(believing(*families), COSTS, np.random.Generator(np.random.PCG64(2)))


def best(choices):
    return min(choices, key=choices.__getitem__)


def test_a_change_that_is_surely_bad_is_rolled_back():
    assert best(ahead("f01-bigbang").choices(HALFWAY)) == "rollback"


def test_a_change_that_is_surely_good_goes_on_as_fast_as_allowed():
    assert best(ahead("f15-improvement").choices(HALFWAY)) == "increase_25"


def test_a_choice_between_like_twins_is_no_blind_promotion():
    almost_there = Standing(minute=40, weight=0.75, interval=8, deadline=128)

    assert best(ahead("f06-silentburn", "f06-silentburn-twin").choices(almost_there)) != "increase_25"


def test_waiting_beyond_the_deadline_costs_what_a_timeout_costs():
    late = Standing(minute=124, weight=0.3, interval=8, deadline=128)

    choices = ahead("f15-improvement").choices(late)

    assert choices["hold"] == pytest.approx(COSTS.timeout_good)
    assert np.all(ahead("f15-improvement").onward(late) >= COSTS.timeout_good)


def test_the_cost_of_a_rollback_is_that_of_a_false_one_as_often_as_the_change_is_good():
    undecided = ahead("f06-silentburn", "f06-silentburn-twin")

    assert undecided.rollback().mean() == pytest.approx(COSTS.false_rollback / 2 + COSTS.decision, abs=0.05)


def test_a_look_at_sales_is_worth_most_where_sales_are_in_question():
    unsure = ahead("f14-conversion", "f14-conversion-twin")

    worth = {metric: unsure.look(HALFWAY, metric, 0) for metric in LOOKS}

    assert best({metric: -each for metric, each in worth.items()}) == "conversion"
    assert worth["conversion"] > 0.1 > worth["downstream_errors"]


def test_a_look_that_can_change_nothing_is_worth_less_than_nothing():
    assert ahead("f01-bigbang").look(HALFWAY, "cpu", 0) < 0.0


def test_a_question_is_worth_asking_where_its_answer_tells_the_twins_apart():
    unsure = ahead("f07-leak", "f07-leak-twin")

    assert unsure.ask(HALFWAY, "memory", 10) > unsure.ask(HALFWAY, "alerts", 10)
    assert unsure.ask(HALFWAY, "memory", 10) > 0.1
    assert unsure.ask(Standing(120, 0.3, 8, 128), "memory", 10) < 0.0


@pytest.mark.parametrize("metric", LOOKS)
def test_every_look_can_be_foretold(metric):
    belief = believing(*family_names())

    mean, variance = forecast(belief.state, metric, 10, 18, 0.05)

    assert mean.shape == variance.shape == (len(belief.particles),)
    assert np.isfinite(mean).all()
    assert np.all(variance > 0.0)


def test_thinking_changes_no_belief():
    belief = believing(*family_names())
    before, chains = belief.particles.logs.copy(), dict(belief.state.chains)

    Lookahead(belief, COSTS, np.random.Generator(np.random.PCG64(2))).choices(HALFWAY)

    assert np.array_equal(belief.particles.logs, before)
    assert belief.state.chains == chains
