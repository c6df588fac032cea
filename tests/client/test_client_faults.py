"""What the HTTP clients make of a faulty server."""

import json

import httpx
import pytest
import respx

from releaseops_mcp.client import (
    CallRefused,
    ConnectionLost,
    MalformedAnswer,
    ReleaseOpsAction,
    Retries,
    ServerFault,
    ServerTimeout,
    TooManyRequests,
    Unreachable,
)
from releaseops_mcp.client.http import Place, server_url
from releaseops_mcp.errors import InvalidArgument
from tests.client.conftest import AT_ONCE

URL = "http://arena.test"
BEGUN = {"env_id": "ep_1", "observation": {"phase": "triage"}, "reward": 0.0, "done": False}
STEPPED = {**BEGUN, "result": {"action": "hold_release"}, "reward": -0.05, "terminal_reason": None}
HOLD = ReleaseOpsAction(tool="hold_release", arguments={"reason_code": "awaiting_fix"})

FAULTS = {
    "timeout": (httpx.ReadTimeout("slow"), ServerTimeout),
    "dropped": (httpx.RemoteProtocolError("gone"), ConnectionLost),
    "reset": (httpx.ReadError("reset by peer"), ConnectionLost),
    "fault": (httpx.Response(503, json={"error": {"code": "store_unavailable"}}), ServerFault),
    "no_json": (httpx.Response(200, text="<html>"), MalformedAnswer),
    "no_object": (httpx.Response(200, json=[1]), MalformedAnswer),
    "redirects": (httpx.TooManyRedirects("round and round"), ConnectionLost),
}
"""Nobody knows whether the call was applied."""
UNAPPLIED = {
    "refused_connection": (httpx.ConnectError("refused"), Unreachable),
    "connect_timeout": (httpx.ConnectTimeout("slow"), Unreachable),
    "full": (httpx.Response(429, headers={"Retry-After": "0"}, json={"detail": "full"}), TooManyRequests),
}


@pytest.fixture
def routes():
    with respx.mock(base_url=f"{URL}/classic-gate") as routes:
        yield routes


@pytest.fixture
def client(kind, routes):
    """A gate client that has begun an episode."""
    client = kind.gate(URL, retries=AT_ONCE)
    routes.post("/reset").respond(json=BEGUN)
    kind.run(client.reset())
    yield client
    routes.post("/close").respond(json={"env_id": "ep_1", "closed": True})
    kind.run(client.close())


@pytest.mark.parametrize("name", [*FAULTS, *UNAPPLIED])
def test_a_step_is_sent_again_under_the_same_action_id(kind, client, routes, name):
    fault, _ = (FAULTS | UNAPPLIED)[name]
    stepped = httpx.Response(200, json=STEPPED)
    step = routes.post("/step").mock(side_effect=[fault, fault, stepped, stepped])
    assert kind.run(client.step(HOLD)).reward == -0.05
    kind.run(client.step(HOLD))
    *same, another = (json.loads(call.request.content) for call in step.calls)
    names = [body.pop("action_id") for body in (*same, another)]
    assert names[0] == names[1] == names[2] != names[3]
    assert same == [{"env_id": "ep_1", **HOLD.model_dump()}] * 3


@pytest.mark.parametrize("name", [*FAULTS, *UNAPPLIED])
def test_a_step_that_fails_every_time_is_a_typed_error(kind, client, routes, name):
    fault, error = (FAULTS | UNAPPLIED)[name]
    step = routes.post("/step").mock(side_effect=[fault] * 4)
    with pytest.raises(error):
        kind.run(client.step(HOLD))
    assert step.call_count == 3


@pytest.mark.parametrize("name", FAULTS)
def test_a_reset_that_may_have_been_applied_is_not_sent_again(kind, routes, name):
    fault, error = FAULTS[name]
    reset = routes.post("/reset").mock(side_effect=[fault])
    client = kind.gate(URL, retries=AT_ONCE)
    with pytest.raises(error):
        kind.run(client.reset(seed=3))
    assert reset.call_count == 1
    kind.run(client.close())


@pytest.mark.parametrize("name", UNAPPLIED)
def test_a_reset_that_was_not_applied_is_sent_again(kind, routes, name):
    fault, _ = UNAPPLIED[name]
    reset = routes.post("/reset").mock(side_effect=[fault, httpx.Response(200, json=BEGUN)])
    client = kind.gate(URL, retries=AT_ONCE)
    assert kind.run(client.reset(seed=3)).observation == {"phase": "triage"}
    assert [json.loads(call.request.content) for call in reset.calls] == [{"seed": 3}, {"seed": 3}]
    routes.post("/close").respond(json={"closed": True})
    kind.run(client.close())


def test_a_server_that_asks_for_more_patience_than_allowed_gets_an_error_that_says_so(kind, client, routes):
    step = routes.post("/step").respond(429, headers={"Retry-After": "3600"}, json={"detail": "full"})
    with pytest.raises(TooManyRequests, match=r"POST /step: status 429: .*full") as refused:
        kind.run(client.step(HOLD))
    assert (step.call_count, refused.value.retry_after_s, refused.value.status) == (1, 3600.0, 429)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "100", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 100.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:29:40 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 100.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:20:00 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:29:40 GMT"}, None),
        ({"Retry-After": "soon", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({}, None),
    ],
)
def test_a_retry_after_is_seconds_or_a_date_on_the_servers_clock(kind, routes, headers, seconds):
    impatient = kind.gate(URL, retries=Retries(attempts=1))
    routes.post("/reset").respond(429, headers=headers)
    with pytest.raises(TooManyRequests, match="no detail") as refused:
        kind.run(impatient.reset())
    assert refused.value.retry_after_s == seconds
    kind.run(impatient.close())


def test_a_refused_call_is_not_sent_again_and_quotes_the_server(kind, client, routes):
    step = routes.post("/step").respond(404, json={"detail": "no such environment"})
    with pytest.raises(CallRefused, match="no such environment") as refused:
        kind.run(client.step({"tool": "hold_release"}))
    assert (step.call_count, refused.value.status) == (1, 404)


@pytest.mark.parametrize("missing", ["observation", "reward", "done"])
def test_an_answer_without_a_promised_field_is_malformed(kind, client, routes, missing):
    routes.post("/step").respond(json={key: value for key, value in STEPPED.items() if key != missing})
    with pytest.raises(MalformedAnswer, match=f"ReleaseOpsObservation: {missing}"):
        kind.run(client.step(HOLD))


def test_a_reset_without_an_env_id_is_malformed(kind, routes):
    routes.post("/reset").respond(json={**BEGUN, "env_id": None})
    client = kind.gate(URL)
    with pytest.raises(MalformedAnswer, match="names no env_id"):
        kind.run(client.reset())
    assert kind.run(client.close())["closed"] is False


def test_a_decision_over_plain_http_is_sent_again_under_the_same_action_id(kind):
    observation = {
        "traffic_pct": 0.1,
        "canary_error_rate": 0.001,
        "canary_p99_ms": 140.0,
        "stable_error_rate": 0.001,
        "stable_p99_ms": 140.0,
        "differential_error": 0.0,
        "differential_p99_ms": 0.0,
        "alert_count": 0,
        "rollback_on_error_rate": 0.005,
        "rollback_on_canary_p99_ms": 200.0,
        "rollback_on_differential_p99_ms": None,
    }
    answer = {"observation": observation, "reward": 0.97, "done": False, "evaluation": None, "news": 1}
    with respx.mock(base_url=f"{URL}/classic-canary") as routes:
        step = routes.post("/episodes/ep_9/step").mock(
            side_effect=[httpx.ReadTimeout("slow"), httpx.Response(200, json=answer)]
        )
        client = kind.episodes(URL, retries=AT_ONCE)
        stepped = kind.run(client.step("ep_9", {"action_type": "hold"}))
        kind.run(client.close())
    bodies = [json.loads(call.request.content) for call in step.calls]
    assert bodies[0] == bodies[1]
    assert bodies[0]["action"] == {"action_type": "hold"}
    assert (stepped.reward, stepped.observation.traffic_pct, stepped.evaluation) == (0.97, 0.1, None)


def test_a_token_is_sent_as_a_bearer_token(kind, routes):
    reset = routes.post("/reset").respond(json=BEGUN)
    client = kind.gate(URL, token="s3cret")
    kind.run(client.reset())
    assert reset.calls.last.request.headers["Authorization"] == "Bearer s3cret"
    routes.post("/close").respond(json={"closed": True})
    kind.run(client.close())


def test_a_token_that_no_header_can_carry_is_refused():
    with pytest.raises(InvalidArgument, match="no HTTP header can carry"):
        Place(URL, "tökén")


NO_URLS = ("localhost:7860", "ftp://arena.test", "", "http://", "http://[::1", "http://arena.test:99999", "not a url")


@pytest.mark.parametrize("url", NO_URLS)
def test_what_is_no_http_url_is_refused(kind, url):
    with pytest.raises(InvalidArgument, match="give one such as"):
        kind.gate(url)


@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}/classic-gate", f" {URL}/classic-gate/ "])
def test_a_url_may_name_the_mounted_app_already(url):
    assert server_url(url, "/classic-gate") == f"{URL}/classic-gate"
