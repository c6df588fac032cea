"""Replaying a log leads to where the log leads, and says at which event it does not."""

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.audit.replay import Replay, obstacle, replay
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.classic_canary.episode import CanaryEpisode
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.simulation import Simulation
from tests.playing import ROLLED_BACK, fill, logged, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, decision


def altered(event, **changed):
    return event._replace(data=event.data | changed)


@pytest.fixture
def episode(sqlite_arena):
    """A canary episode of three calls."""
    return logged(sqlite_arena.store, play(sqlite_arena, CANARY_SCENARIO, ROLLED_BACK))


def test_every_kind_of_episode_replays_to_its_last_observation(sqlite_arena):
    for episode_id in fill(sqlite_arena):
        simulation = replay(logged(sqlite_arena.store, episode_id).events)
        answer = sqlite_arena.peek(episode_id)
        assert simulation.episode.observe() == answer.observation
        assert (simulation.done, simulation.episode.terminal_reason) == (answer.done, answer.terminal_reason)


def test_each_exchange_comes_with_what_it_earned(episode):
    again = Replay(episode.events[0])
    exchanges = [exchange for event in episode.events[1:] if (exchange := again.feed(event))]
    live = Simulation.of(CANARY_SCENARIO)
    assert [each.earned for each in exchanges] == [live.call(*call).earned for call in ROLLED_BACK]
    assert exchanges[0].full_result == exchanges[0].result["result"]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"observation_hash": "0" * 64}, "observation"),
        ({"done": True}, "end"),
        ({"terminal_reason": "rollback"}, "end"),
        ({"error": "invalid_argument"}, "verdict"),
    ],
)
def test_a_difference_is_named_with_its_event(episode, changed, what):
    events = list(episode.events)
    events[2] = altered(events[2], **changed)
    with pytest.raises(VersionMismatch, match=f"event 2: making the call again shows another {what} than the logged"):
        replay(events)


def test_a_call_that_never_reached_the_world_is_not_made_again(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    sqlite_arena.call(episode_id, *HOLD, expected_step=7)
    assert not replay(logged(sqlite_arena.store, episode_id).events).done
    assert sqlite_arena.peek(episode_id).step == 0


def test_an_episode_of_another_version_of_its_suite_cannot_be_replayed_here(episode, monkeypatch):
    assert obstacle(episode.start) is None
    monkeypatch.setattr(type(SUITE), "version", "2.0.0")
    assert obstacle(episode.start) == "played on classic-canary 1.0.0, and 2.0.0 is here"
    with pytest.raises(VersionMismatch, match="it can be re-scored but not played on"):
        replay(episode.events)


def test_an_episode_of_a_suite_that_is_not_installed_cannot_be_replayed_here(episode):
    assert obstacle(episode.start | {"suite": "elsewhere"}) == "played on elsewhere 1.0.0, and not installed is here"


def test_another_world_under_the_same_id_is_told_without_naming_the_scenario(episode, monkeypatch):
    monkeypatch.setattr(CanaryEpisode, "world_hash", "f" * 64)
    with pytest.raises(VersionMismatch, match="event 0: its scenario generates another world here") as caught:
        replay(episode.events)
    assert CANARY_SCENARIO not in caught.value.message


def test_another_first_observation_is_told(episode, monkeypatch):
    shown = CanaryEpisode.observe
    monkeypatch.setattr(CanaryEpisode, "observe", lambda self: shown(self) | {"step": 99})
    with pytest.raises(VersionMismatch, match="event 0: its world shows another first observation"):
        replay(episode.events)


def test_arguments_of_any_shape_replay(sqlite_arena):
    odd = [
        None,
        [],
        "text",
        {"\ud800": float("nan")},
        {"action_type": "x" * 70_000},
        decision("hold", metadata={"a": 1})[1],
    ]
    episode_id = play(sqlite_arena, CANARY_SCENARIO, [("decide_rollout", arguments) for arguments in odd])
    simulation = replay(logged(sqlite_arena.store, episode_id).events)
    assert canonical.digest(simulation.episode.observe()) == canonical.digest(sqlite_arena.peek(episode_id).observation)
