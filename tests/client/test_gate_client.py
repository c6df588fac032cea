"""The gate client against a running server."""

import asyncio

import pytest

from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.client import (
    AsyncReleaseOpsEnvClient,
    CallRefused,
    ReleaseOpsAction,
    ReleaseOpsEnvClient,
    TooManyRequests,
)
from releaseops_mcp.client.retries import Retries
from releaseops_mcp.simulation import Simulation
from tests.client.conftest import AT_ONCE
from tests.client.relay import lossy_relay

SCENARIO = {"family": "green_ci_disabled_payment_test", "seed": 0, "difficulty": "medium"}
HOLD = ReleaseOpsAction(tool="hold_release", arguments={"reason_code": "awaiting_fix"})


def test_an_episode_is_the_suites_own(kind, server):
    suite = Simulation.of("classic-gate/green_ci_disabled_payment_test/medium/seed-0")
    client = kind.gate(server)
    first = kind.run(client.reset(**SCENARIO, prompt="ignored"))
    assert (first.observation, first.reward, first.done) == (suite.first_observation, 0.0, False)
    assert (first.result, first.terminal_reason) == (None, None)
    while not suite.done:
        judged = suite.call(HOLD.tool, HOLD.arguments)
        seen = kind.run(client.step(HOLD))
        assert (seen.observation, seen.result, seen.done) == (judged.observation, judged.result, judged.done)
    assert seen.terminal_reason == "missed_deadline"
    assert seen.reward == pytest.approx(suite.score().total)
    kind.run(client.close())


def test_a_mapping_is_an_action_too_and_an_invalid_one_is_refused(kind, server):
    client = kind.gate(server)
    kind.run(client.reset(**SCENARIO))
    with pytest.raises(CallRefused) as refused:
        kind.run(client.step({"tool": "hold_release", "arguments": {"reason_code": "no_reason"}}))
    assert refused.value.status == 400
    assert kind.run(client.step({"tool": HOLD.tool, "arguments": HOLD.arguments})).reward == -0.25
    kind.run(client.close())


def test_a_step_before_a_reset_says_what_to_do(kind, server):
    client = kind.gate(server)
    with pytest.raises(RuntimeError, match="call reset"):
        kind.run(client.step(HOLD))


def test_closing_closes_the_episode_once(kind, server):
    client = kind.gate(server)
    assert kind.run(client.close()) == {"closed": False, "reason": "no episode has begun"}
    kind.run(client.reset())
    assert kind.run(client.close())["closed"] is True
    assert kind.run(client.close())["closed"] is False
    with pytest.raises(RuntimeError):
        kind.run(client.step(HOLD))


def test_an_episode_that_is_over_was_closed_by_the_server(kind, server):
    client = kind.gate(server)
    kind.run(client.reset(**SCENARIO))
    while not kind.run(client.step(HOLD)).done:
        pass
    with pytest.raises(CallRefused) as refused:
        kind.run(client.step(HOLD))
    assert refused.value.status == 404
    closed = kind.run(client.close())
    assert closed["closed"] is False
    assert "over" in closed["reason"]


def test_a_client_is_a_context_and_may_be_used_again(server):
    with ReleaseOpsEnvClient(server) as client:
        first = client.reset(seed=5)
        client.close()
        assert client.reset(seed=5) == first


def test_an_asynchronous_client_is_a_context_too(server):
    async def visit():
        async with AsyncReleaseOpsEnvClient(server) as client:
            return await client.reset(seed=5)

    assert not asyncio.run(visit()).done


def test_a_full_server_is_a_typed_error_that_says_when_to_come_back():
    with temporary_server(max_concurrent_envs=1) as url:
        patient, other = (ReleaseOpsEnvClient(url, retries=Retries(attempts=1)) for _ in range(2))
        patient.reset()
        with pytest.raises(TooManyRequests) as refused:
            other.reset()
        assert refused.value.retry_after_s is not None
        patient.close()
        other.reset()
        other.close()


def test_a_server_with_a_token_wants_it():
    with temporary_server(token="s3cret") as url:
        stranger, known = ReleaseOpsEnvClient(url), ReleaseOpsEnvClient(url, token="s3cret")
        with pytest.raises(CallRefused) as refused:
            stranger.reset()
        assert refused.value.status == 401
        known.reset()
        known.close()
        stranger.close()


def test_a_last_step_whose_answer_was_lost_is_applied_once_and_answered_as_before(kind, server):
    with lossy_relay(server, "/classic-gate/step") as (url, lost):
        client = kind.gate(url, retries=AT_ONCE)
        kind.run(client.reset(**SCENARIO))
        seen = [kind.run(client.step(HOLD))]
        while not seen[-1].done:
            seen.append(kind.run(client.step(HOLD)))
        suite = Simulation.of("classic-gate/green_ci_disabled_payment_test/medium/seed-0")
        for step in seen:
            assert step.observation == suite.call(HOLD.tool, HOLD.arguments).observation
        assert suite.done
        assert len(lost) == len(seen)
        kind.run(client.close())
