"""The canary clients against a running server."""

import asyncio

import pytest

from releaseops_mcp.agents.scripted.classic_canary_policies import cautious_decision, decision
from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.client import (
    AsyncCanaryClient,
    AsyncCanaryEpisodesClient,
    CallRefused,
    CanaryClient,
    CanaryEpisodesClient,
    Retries,
    TooManyRequests,
)
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction
from tests.client.conftest import AT_ONCE
from tests.client.relay import lossy_relay
from tests.live import judged

PROMOTE = decision("increase_10", "healthy", False, "The metrics are sound: promote.")


def shown(observation):
    """Return the 13 fields."""
    return observation.model_dump(exclude={"reward", "done"})


@pytest.mark.parametrize("task", ["easy", "recovery"])
def test_an_episode_over_the_websocket_is_the_suites_own(kind, server, task):
    client = kind.canary(server)
    observation = kind.run(client.reset(task=task, seed=7))
    assert (observation.reward, observation.done, observation.step_number) == (0.0, False, 0)
    for choice, came in judged(task, cautious_decision, seed=7):
        assert cautious_decision(shown(observation)) == choice
        result = kind.run(client.step(choice))
        observation = result.observation
        assert shown(observation) == came.observation
        assert (result.reward, result.done) == (observation.reward, observation.done)
        assert (result.reward, result.done) == (came.earned.reward, came.done)
    assert result.done
    kind.run(client.close())


def test_reset_begins_the_easy_task_at_seed_0_unless_told_otherwise(kind, server):
    client = kind.canary(server)
    kind.run(client.connect())
    kind.run(client.reset())
    state = kind.run(client.state())
    assert (state["task_id"], state["seed"], state["step_count"]) == ("easy", 0, 0)
    kind.run(client.close())


def test_a_session_goes_on_after_a_refused_decision(kind, server):
    client = kind.canary(server)
    kind.run(client.reset("hard"))
    with pytest.raises(CallRefused, match="VALIDATION_ERROR") as refused:
        kind.run(client.step({"action_type": "jump"}))
    assert refused.value.status == 422
    assert kind.run(client.step(CanaryAction(**PROMOTE))).observation.step_number == 1
    kind.run(client.close())


def test_an_episode_is_resumed_on_another_socket(kind, server):
    first, second = kind.canary(server), kind.canary(server)
    kind.run(first.reset("hard", 3))
    left = kind.run(first.step(PROMOTE)).observation
    episode_id = kind.run(first.state())["episode_id"]
    kind.run(first.close())
    found = kind.run(second.resume(episode_id))
    assert shown(found) == shown(left)
    assert kind.run(second.step(PROMOTE)).observation.step_number == 2
    kind.run(second.close())


def test_before_a_reset_there_is_nothing_to_step(kind, server):
    client = kind.canary(server)
    for call in (lambda: client.step(PROMOTE), client.state):
        with pytest.raises(RuntimeError, match="call reset"):
            kind.run(call())
    kind.run(client.close())


def test_a_server_without_room_refuses_the_session(kind):
    with temporary_server(max_ws_sessions=1) as url:
        first, second = kind.canary(url), kind.canary(url, retries=Retries(attempts=2, first_wait_s=0.0))
        kind.run(first.reset())
        with pytest.raises(TooManyRequests, match="CAPACITY_REACHED"):
            kind.run(second.reset())
        kind.run(first.close())
        kind.run(second.close())


def test_a_server_with_a_token_wants_it_on_the_socket_too(kind):
    with temporary_server(token="s3cret") as url:
        stranger, known = kind.canary(url), kind.canary(url, token="s3cret")
        with pytest.raises(CallRefused) as refused:
            kind.run(stranger.reset())
        assert refused.value.status == 401
        assert kind.run(known.reset()).step_number == 0
        kind.run(known.close())


def test_an_episode_over_plain_http_is_the_suites_own(kind, server):
    client = kind.episodes(server)
    begun = kind.run(client.begin("expert", 11))
    assert begun.episode_context["task_id"] == "expert"
    expected = judged("expert", cautious_decision, seed=11)
    for number, (choice, came) in enumerate(expected, 1):
        stepped = kind.run(client.step(begun.episode_id, CanaryAction(**choice)))
        assert stepped.observation.model_dump() == came.observation
        assert (stepped.reward, stepped.done) == (came.earned.reward, came.done)
        assert stepped.evaluation["step_reward"] == stepped.reward
        if not stepped.done:
            assert kind.run(client.state(begun.episode_id))["step_count"] == number
    assert kind.run(client.transcript(begun.episode_id)) == stepped.episode_result
    kind.run(client.close())


def test_pages_and_grades_are_read_by_path(kind, server):
    client = kind.episodes(server)
    tasks = kind.run(client.get("/tasks"))["tasks"]
    assert [task["id"] for task in tasks] == ["easy", "medium", "hard", "expert", "recovery", "silent"]
    assert kind.run(client.post("/baseline", {}))["average"] == 0.8447
    with pytest.raises(CallRefused) as refused:
        kind.run(client.begin("no_such_task"))
    assert refused.value.status == 422
    kind.run(client.close())


def test_a_last_decision_whose_answer_was_lost_is_applied_once(kind, server):
    direct = CanaryEpisodesClient(server)
    begun = direct.begin()
    path = f"/classic-canary/episodes/{begun.episode_id}/step"
    with lossy_relay(server, path) as (url, lost):
        client = kind.episodes(url, retries=AT_ONCE)
        stepped = kind.run(client.step(begun.episode_id, decision("rollback", "healthy", False, "Just in case it is.")))
        kind.run(client.close())
    assert (stepped.done, len(lost)) == (True, 1)
    assert direct.transcript(begun.episode_id)["steps"] == 1
    direct.close()


def test_clients_are_contexts(server):
    async def visit():
        async with AsyncCanaryClient(server) as socket, AsyncCanaryEpisodesClient(server) as episodes:
            return (await socket.reset()).step_number, (await episodes.begin()).done

    with CanaryClient(server) as socket, CanaryEpisodesClient(server) as episodes:
        assert (socket.reset().step_number, episodes.begin().done) == (0, False)
    assert asyncio.run(visit()) == (0, False)
