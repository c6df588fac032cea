"""One rollout, call by call: what moves traffic, what takes time, and how it can end."""

import pytest

from releaseops_mcp.canary.world import DECISIONS
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.episodes.canary.episode import RolloutEpisode
from releaseops_mcp.episodes.canary.tools import ASK_MINUTES, LOOK_MINUTES
from releaseops_mcp.errors import EpisodeOver, UnknownScenario

FAMILY = "f03-sharedincident"
HEALTHY = {"diagnosis": "healthy"}


def begun(family=FAMILY, seed=0):
    return RolloutEpisode(family, seed)


def decide(episode, action, **more):
    return episode.call("decide_rollout", {"action_type": action, **HEALTHY, **more})


def at(episode):
    observation = episode.observe()
    return observation["minute"], observation["weight"]


def test_an_episode_begins_before_the_canarys_first_minute_with_the_setup():
    observation = begun().observe()
    assert (observation["minute"], observation["weight"]) == (0, 5)
    assert observation["errors"] == [None, None]
    assert observation["tail"] is None
    assert observation["deadline_minute"] == DECISIONS * observation["interval_minutes"]
    assert set(observation["usual"]) == {"errors", "latency_p50", "latency_p99", "conversion", "downstream_errors"}


def test_the_setup_is_told_once_and_again_when_it_is_asked_for():
    episode = begun()
    first = episode.observe()
    assert episode.observe() == first
    decide(episode, "hold")
    later = episode.observe()
    assert set(later) == {"minute", "weight", "errors", "tail", "alerts"}
    setup = episode.call("inspect_metric", {"metric": "setup"}).result
    assert setup == {name: value for name, value in first.items() if name not in later}
    assert episode.observe() == later, "asking for it takes no time"


@pytest.mark.parametrize(
    ("action", "weight"), [("hold", 5), ("increase_5", 10), ("increase_10", 15), ("increase_25", 30)]
)
def test_a_decision_moves_the_weight_and_runs_one_interval(action, weight):
    episode = begun()
    assert decide(episode, action).result == {}
    assert at(episode) == (episode.world.interval, weight)
    assert not episode.done


def test_a_rollback_ends_the_rollout_at_once():
    episode = begun()
    decide(episode, "hold")
    minute, _ = at(episode)
    decide(episode, "rollback")
    assert (episode.done, episode.terminal_reason, *at(episode)) == (True, "rolled_back", minute, 0)


def test_all_traffic_completes_the_rollout_at_once_and_there_is_no_more_than_all():
    episode = begun()
    for _ in range(4):
        decide(episode, "increase_25")
    assert (episode.done, episode.terminal_reason) == (True, "promoted")
    assert at(episode) == (3 * episode.world.interval, 100)


def test_weights_do_not_drift_by_rounding():
    episode = begun()
    shown = [decide(episode, "increase_5") and at(episode)[1] for _ in range(15)]
    assert shown == list(range(10, 85, 5))


def test_the_deadline_ends_an_undecided_rollout():
    episode = begun()
    for step in range(DECISIONS):
        assert not episode.done, step
        decide(episode, "hold")
    assert (episode.done, episode.terminal_reason) == (True, "timeout")
    assert at(episode)[0] == episode.world.deadline


@pytest.mark.parametrize(
    ("tool", "arguments", "minutes"),
    [
        ("inspect_metric", {"metric": "errors"}, LOOK_MINUTES),
        ("inspect_metric", {"metric": "alerts"}, LOOK_MINUTES),
        ("inspect_metric", {"metric": "setup"}, 0),
        ("extend_baseline", {}, LOOK_MINUTES),
        ("ask_on_call", {"question": "incident"}, ASK_MINUTES),
    ],
)
def test_looking_and_asking_take_their_time_and_leave_the_weight(tool, arguments, minutes):
    episode = begun()
    assert episode.call(tool, arguments).refusal is None
    assert at(episode) == (minutes, 5)


@pytest.mark.parametrize("tool", ["inspect_metric", "ask_on_call", "extend_baseline"])
def test_the_deadline_may_pass_during_a_look_or_a_question_which_is_still_answered(tool):
    episode = begun()
    for _ in range(DECISIONS - 1):
        decide(episode, "hold")
    while episode.observe()["minute"] < episode.world.deadline - 1:
        episode.call("inspect_metric", {"metric": "cpu"})
    arguments = {"inspect_metric": {"metric": "errors"}, "ask_on_call": {"question": "memory"}, "extend_baseline": {}}
    outcome = episode.call(tool, arguments[tool])
    assert (episode.done, episode.terminal_reason) == (True, "timeout")
    assert outcome.result is not None
    assert episode.observe()["minute"] >= episode.world.deadline


def test_the_observation_covers_the_time_since_the_last_decision_looks_included():
    plain, looking = begun(), begun()
    for episode in (plain, looking):
        decide(episode, "hold")
    looking.call("inspect_metric", {"metric": "errors"})
    decide(looking, "hold")
    assert at(looking)[0] == 2 * looking.world.interval + LOOK_MINUTES
    assert looking.call("inspect_metric", {"metric": "setup"}).refusal is None


def test_an_extended_baseline_has_twice_the_traffic_until_the_next_decision_has_run():
    episode = begun("f13-delayed", 3)
    for _ in range(2):
        decide(episode, "hold")
    usual = traffic(episode)
    episode.call("extend_baseline", {})
    decide(episode, "hold")
    doubled = traffic(episode)
    for _ in range(3):
        decide(episode, "hold")
    assert 1.4 < doubled / usual < 2.8
    assert 0.6 < traffic(episode) / usual < 1.6


def traffic(episode):
    """Return the baseline's requests as a share of all, over the last minutes."""
    view = episode.call("inspect_metric", {"metric": "requests", "window": 5}).result
    arms = [view[f"{arm}_requests"] for arm in ("canary", "baseline", "stable")]
    return arms[1] / sum(arms)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("decide_rollout", {}),
        ("decide_rollout", {"action_type": "hold"}),
        ("decide_rollout", {"action_type": "launch", **HEALTHY}),
        ("decide_rollout", {"action_type": "hold", "diagnosis": "bad luck"}),
        ("decide_rollout", {"action_type": "hold", **HEALTHY, "p_bad": 1.5}),
        ("decide_rollout", {"action_type": "hold", **HEALTHY, "suspect": "alerts"}),
        ("decide_rollout", {"action_type": "hold", **HEALTHY, "slo_breach_detected": False}),
        ("inspect_metric", {"metric": "mood"}),
        ("inspect_metric", {"metric": "errors", "window": 0}),
        ("inspect_metric", {"metric": "errors", "window": 61}),
        ("extend_baseline", {"minutes": 5}),
        ("ask_on_call", {"question": "Is it bad?"}),
    ],
)
def test_a_refused_call_changes_nothing(tool, arguments):
    episode, same = begun(), begun()
    assert episode.call(tool, arguments).refusal.code == "invalid_argument"
    assert episode.observe() == same.observe()
    for each in (episode, same):
        decide(each, "increase_10")
    assert episode.observe() == same.observe()


def test_after_the_end_every_call_is_refused_and_observe_still_answers():
    episode = begun()
    decide(episode, "rollback")
    shown = episode.observe()
    for tool in SUITE.tools:
        refusal = episode.call(tool.name, {}).refusal
        assert (refusal.code, refusal.kind) == ("episode_over", EpisodeOver)
    assert episode.observe() == shown


def test_leaving_is_called_abandoned():
    episode = begun()
    episode.close()
    assert (episode.done, episode.terminal_reason) == (True, "abandoned")


def test_the_world_hash_covers_every_parameter():
    assert begun().world_hash == begun().world_hash
    assert len({begun(family, seed).world_hash for family in SUITE.families for seed in range(3)}) == 3 * len(
        SUITE.families
    )


def test_ids_are_parsed_as_written_and_nothing_else_is_one():
    for family in SUITE.families:
        scenario = SUITE.parse(f"canary/{family}/seed-12")
        assert (scenario.family, scenario.seed, scenario.suite) == (family, 12, "canary")
    for wrong in (
        "canary/f01-bigbang",
        "canary/f98-none/seed-1",
        "canary/f01-bigbang/seed-01",
        "canary//seed-1",
        "canary/f01-bigbang/seed--1",
        f"canary/f01-bigbang/seed-{10**18}",
        "canary/f01-bigbang/seed-1 ",
    ):
        with pytest.raises(UnknownScenario, match="the form is canary/<family>/seed-<n>"):
            SUITE.parse(wrong)


def test_splits_share_no_scenario_and_training_sees_neither():
    from releaseops_mcp.episodes.canary import splits

    found = SUITE.splits()
    assert len(found["dev"]) == 50 * len(SUITE.families)
    assert not set(found["dev"]) & set(found["held-out"])
    assert not set(splits.TRAIN) & {*splits.DEV, *splits.HELD_OUT}
    assert set(splits.HELD_OUT_FAMILIES) <= set(SUITE.families)


def test_every_listed_scenario_is_one():
    for scenario in SUITE.grid(range(2)):
        assert SUITE.parse(scenario).id == scenario
    assert SUITE.parse(SUITE.default_scenario)
