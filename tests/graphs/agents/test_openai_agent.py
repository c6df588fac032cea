"""`openai:NAME` as a supervisor: what it plays, what is recorded, and whose fault is whose."""

import json
from collections.abc import Iterator

import httpx
import pytest

pytest.importorskip("langchain_openai", reason="needs langchain-openai")

import respx

from graphs.agents import schemes
from graphs.agents.prompts import read_prompt
from graphs.models import transport
from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import StoreUnavailable
from releaseops_mcp.log.logged import LoggedEvent
from releaseops_mcp.log.store import Store
from tests.graphs.models.completions import PATH, URL, answer, call, completion, scripted_endpoint
from tests.playing import logged

SUITE = "classic-gate"
SCENARIO = "classic-gate/green_ci_disabled_payment_test/low/seed-5"
HOLD = call("hold_release", {"reason_code": "awaiting_fix"})
HOLDS = [answer(HOLD)] * 3
"""Three holds let the deadline pass: the end of an episode."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """An endpoint that is outside the project, a price table, and no patience with the clock."""
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m-1": {"input_usd_per_million": 1, "output_usd_per_million": 10}}))
    monkeypatch.setenv("RELEASEOPS_MODEL_URL", URL)
    monkeypatch.setenv("RELEASEOPS_MODEL_PRICES", str(prices))
    monkeypatch.setattr(transport, "real_sleep", lambda seconds: None)


@pytest.fixture
def endpoint() -> Iterator[respx.Route]:
    with respx.mock:
        yield respx.post(URL + PATH)


def supervisor() -> Supervisor:
    return schemes.openai("m-1", SUITE)


def play(arena: Arena) -> Played:
    return play_episode(arena, supervisor(), SCENARIO)


def events(arena: Arena, played: Played, kind: str) -> list[LoggedEvent]:
    return [event for event in logged(arena.store, played.episode_id).events if event.kind == kind]


def calls(arena: Arena, played: Played) -> list[tuple[str, object]]:
    return [(event.data["tool"], event.data["arguments"]) for event in events(arena, played, "tool_call")]


def errors(arena: Arena, played: Played) -> list[str | None]:
    return [event.data["error"] for event in events(arena, played, "tool_result")]


def test_it_plays_an_episode_at_a_real_endpoint(sqlite_arena, monkeypatch):
    with scripted_endpoint([completion(HOLD)] * 3) as (url, requests):
        monkeypatch.setenv("RELEASEOPS_MODEL_URL", url)
        played = play(sqlite_arena)

    assert (played.terminal_reason, played.steps, played.invalid, played.fault) == ("missed_deadline", 3, 0, None)
    assert played.reward is not None
    assert len(requests) == 3
    shown = {tool["function"]["name"]: tool["function"]["parameters"] for tool in requests[0]["tools"]}
    assert {"observe", "hold_release", "finish_episode"} < set(shown)
    assert not any("episode_id" in parameters["properties"] for parameters in shown.values())
    [_, _, said, told] = requests[1]["messages"]
    assert (said["role"], told["role"], told["tool_call_id"]) == ("assistant", "tool", "call_a")
    assert json.loads(told["content"])["observation"]["phase"] == "deploy_gate"


def test_messages_and_model_calls_are_recorded(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[*HOLDS])

    played = play(sqlite_arena)

    [start] = events(sqlite_arena, played, "episode_start")
    assert (start.data["capture"], start.data["origin"]["model"], start.data["origin"]["agent"]) == (
        "messages",
        "openai:m-1",
        "openai:m-1",
    )
    said = [event.data for event in events(sqlite_arena, played, "message")]
    assert [message["role"] for message in said] == ["system", "user", *["assistant", "tool"] * 2, "assistant"]
    assert said[2]["tool_calls"] == [
        {"id": "call_a", "name": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}
    ]
    assert "Release policy" in said[0]["content"]
    assert "{{" not in said[0]["content"]
    used = [event.data for event in events(sqlite_arena, played, "model_call")]
    assert [(call["model"], call["input_tokens"], call["output_tokens"]) for call in used] == [("m-1", 120, 8)] * 3
    assert used[0]["cost_usd"] == pytest.approx(0.0002)
    assert (used[0]["policy_version"], used[0]["template_hash"]) == ("supervisor@1", read_prompt("supervisor").hash)


def test_unknown_usage_and_price_are_recorded_as_unknown(sqlite_arena, endpoint, monkeypatch):
    monkeypatch.delenv("RELEASEOPS_MODEL_PRICES")
    endpoint.mock(side_effect=[answer(HOLD, usage=None)] * 3)

    [used, *_] = events(sqlite_arena, play(sqlite_arena), "model_call")

    assert [used.data[name] for name in ("input_tokens", "output_tokens", "cost_usd")] == [None, None, None]


def test_an_unknown_tool_is_refused_counted_and_told(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[answer(call("deploy_now", {"sure": True})), *HOLDS])

    played = play(sqlite_arena)

    assert (played.invalid, played.fault, played.terminal_reason) == (1, None, "missed_deadline")
    assert calls(sqlite_arena, played)[0] == ("deploy_now", {"sure": True})
    assert errors(sqlite_arena, played)[0] == "unknown_tool"
    told = json.loads(endpoint.calls[1].request.content)["messages"][-1]
    assert told["content"].startswith("unknown_tool: ")


def test_arguments_that_cannot_be_parsed_are_an_invalid_action(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[answer(call("hold_release", '{"reason_code": "awai')), *HOLDS])

    played = play(sqlite_arena)

    assert (played.invalid, played.fault) == (1, None)
    assert calls(sqlite_arena, played)[0] == ("hold_release", {"unparsable_arguments": '{"reason_code": "awai'})
    assert errors(sqlite_arena, played)[0] == "argument_error"


def test_strange_arguments_of_the_arenas_own_tools_are_an_invalid_action(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[answer(call("observe", "["), call("finish_episode", {"now": 1}, "b")), *HOLDS])

    played = play(sqlite_arena)

    assert (played.invalid, played.fault, played.steps) == (2, None, 3)
    assert errors(sqlite_arena, played)[:2] == ["invalid_argument"] * 2


def test_an_answer_without_a_call_is_an_invalid_action(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[answer(text="I would hold."), *HOLDS])

    played = play(sqlite_arena)

    assert (played.invalid, played.fault, played.terminal_reason) == (1, None, "missed_deadline")
    assert calls(sqlite_arena, played)[0] == ("no_tool_call", {"text": "I would hold."})


def test_a_model_that_only_talks_leaves_after_three_answers(sqlite_arena, endpoint):
    endpoint.mock(return_value=answer(text="Let me think."))

    played = play(sqlite_arena)

    assert (played.invalid, played.terminal_reason, played.truncated, played.fault) == (3, None, False, None)
    assert endpoint.call_count == 3


def test_ten_calls_at_once_are_made_in_order_until_the_episode_is_over(sqlite_arena, endpoint):
    endpoint.mock(
        return_value=answer(*[call("hold_release", {"reason_code": "awaiting_fix"}, f"c{n}") for n in range(10)])
    )

    played = play(sqlite_arena)

    assert (played.steps, played.invalid, played.terminal_reason) == (3, 0, "missed_deadline")
    assert endpoint.call_count == 1
    [said] = [event for event in events(sqlite_arena, played, "message") if event.data["role"] == "assistant"]
    assert len(said.data["tool_calls"]) == 10


@pytest.mark.parametrize(
    "fault",
    [
        httpx.Response(429, headers={"Retry-After": "2"}),
        httpx.Response(500),
        httpx.Response(503),
        httpx.ReadTimeout,
        httpx.ConnectError,
        httpx.Response(200, text='{"choices": [{"mess'),
        answer(text=""),
    ],
    ids=["429", "500", "503", "timeout", "unreachable", "half JSON", "empty content"],
)
class TestFaultOfTheEndpoint:
    """Each fault that the issue names."""

    def test_is_asked_for_again_and_leaves_no_mark(self, sqlite_arena, endpoint, fault):
        endpoint.mock(side_effect=[fault, *HOLDS])

        played = play(sqlite_arena)

        assert (played.steps, played.invalid, played.fault) == (3, 0, None)
        assert endpoint.call_count == 4

    def test_is_infrastructure_where_it_stands_and_never_a_score(self, sqlite_arena, endpoint, fault):
        endpoint.mock(side_effect=[answer(HOLD), *[fault] * 4])

        played = play(sqlite_arena)

        assert played.fault is not None
        assert played.fault.startswith("infrastructure: the model gave no answer")
        assert (played.reward, played.steps, played.truncated) == (None, 1, False)
        assert endpoint.call_count == 5


def test_a_wrong_key_is_infrastructure_at_once(sqlite_arena, endpoint):
    endpoint.mock(return_value=httpx.Response(401, json={"error": {"message": "bad key"}}))

    played = play(sqlite_arena)

    assert played.fault is not None
    assert "bad key" in played.fault
    assert (endpoint.call_count, played.reward) == (1, None)


def test_a_log_out_of_reach_while_recording_ends_the_run(sqlite_arena, endpoint, monkeypatch):
    endpoint.mock(return_value=answer(HOLD))

    def refuse(*_: object) -> bool:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(Store, "append", refuse)

    with pytest.raises(StoreUnavailable):
        play(sqlite_arena)


def test_a_very_long_text_is_recorded_with_its_hash(sqlite_arena, endpoint):
    endpoint.mock(side_effect=[answer(HOLD, text="x" * 70_000), *HOLDS[:2]])

    played = play(sqlite_arena)

    assert played.fault is None
    said = events(sqlite_arena, played, "message")[2].data["content"]
    assert len(said) == 65_536
    assert "70000 characters, sha256" in said


def test_seeds_are_sent_only_where_the_temperature_is_set(sqlite_arena, endpoint, monkeypatch):
    endpoint.mock(return_value=answer(HOLD))
    play(sqlite_arena)
    monkeypatch.setenv("RELEASEOPS_MODEL_TEMPERATURE", "0.7")
    play_episode(sqlite_arena, supervisor(), SCENARIO, seed=2**40 + 5)

    bodies = [json.loads(made.request.content) for made in endpoint.calls]
    assert "seed" not in bodies[0]
    assert (bodies[-1]["seed"], bodies[-1]["temperature"]) == (5, 0.7)
