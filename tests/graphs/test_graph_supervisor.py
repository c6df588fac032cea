"""The supervisor graph over an arena in process: it plays any suite, and says why it stopped."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage

from graphs.models.calls import UNPARSABLE
from graphs.scripted_model import ScriptedChat, SupervisorChat, script
from graphs.state import Limits
from graphs.streaming import Answered, Called, NodeDone, Stopped, Token
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.registry import suites
from tests import toys
from tests.graphs.graphkit import ROLLED_BACK, calls_in_log, play, scripted, supervisor
from tests.playing import kinds, logged
from tests.playing import play as played_in_process
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT

pytestmark = pytest.mark.anyio


async def test_a_script_that_replays_a_logged_trajectory_reaches_its_score(sqlite_arena: Arena) -> None:
    before = played_in_process(sqlite_arena, CANARY_SCENARIO, ROLLED_BACK)
    trajectory = [(tool, arguments) for tool, arguments, _ in calls_in_log(sqlite_arena, before)]

    _, state = await play(supervisor(sqlite_arena, scripted(*trajectory)))

    assert (state["stop_reason"], state["done"], state["step"], state["calls"]) == ("episode_over", True, 3, 3)
    assert sqlite_arena.score(state["episode_id"]) == sqlite_arena.score(before)
    assert calls_in_log(sqlite_arena, state["episode_id"]) == calls_in_log(sqlite_arena, before)


async def test_events_tell_nodes_calls_answers_and_the_end(sqlite_arena: Arena) -> None:
    events, state = await play(supervisor(sqlite_arena, scripted(ROLLED_BACK[2])))

    nodes = [event.node for event in events if isinstance(event, NodeDone)]
    assert nodes == ["brief", "decide", "gate", "tools", "reflect", "close"]
    assert [event.tool for event in events if isinstance(event, Called)] == ["decide_rollout"]
    assert [(event.tool, event.refused) for event in events if isinstance(event, Answered)] == [
        ("decide_rollout", False)
    ]
    assert events[-1] == Stopped("episode_over", state["episode_id"])


async def test_what_a_model_says_is_streamed_as_tokens_and_still_one_message(sqlite_arena: Arena) -> None:
    call = ToolCall(name="decide_rollout", args=ROLLED_BACK[2][1], id="only", type="tool_call")
    chat = ScriptedChat(script=(AIMessage("The canary is sound", tool_calls=[call]),))

    events, state = await play(supervisor(sqlite_arena, chat))

    assert [event.text for event in events if isinstance(event, Token)] == ["The ", "canary ", "is ", "sound "]
    assert (state["step"], state["stop_reason"]) == (1, "episode_over")


async def test_invented_tools_are_judged_logged_and_end_the_run(sqlite_arena: Arena) -> None:
    chat = scripted(("launch_rocket", {"to": "moon"}), ("", {}), ("approve_everything", {}), strict=False)

    _, state = await play(supervisor(sqlite_arena, chat, limits=Limits(refused_turns=4)))

    assert (state["stop_reason"], state["done"], state["calls"]) == ("calls_refused", False, 4)
    assert {error for _, _, error in calls_in_log(sqlite_arena, state["episode_id"])[:-1]} <= {
        "unknown_tool",
        "invalid_argument",
    }
    assert kinds(sqlite_arena.store, state["episode_id"])[-1] == "episode_end"


async def test_arguments_that_are_no_json_are_an_invalid_action(sqlite_arena: Arena) -> None:
    broken = {
        "type": "invalid_tool_call",
        "name": "decide_rollout",
        "args": '{"action_type": ',
        "id": "b",
        "error": None,
    }
    chat = ScriptedChat(script=(AIMessage("", invalid_tool_calls=[broken]), *scripted(*[ROLLED_BACK[2]] * 2).script))

    _, state = await play(supervisor(sqlite_arena, chat))

    tool, arguments, error = calls_in_log(sqlite_arena, state["episode_id"])[0]
    assert (tool, error is not None) == ("decide_rollout", True)
    assert arguments == {UNPARSABLE: '{"action_type": '}
    assert state["stop_reason"] == "episode_over"


async def test_a_model_that_calls_nothing_is_told_and_then_stopped(sqlite_arena: Arena) -> None:
    chat = ScriptedChat(script=(AIMessage("Let me think about it."),))

    _, state = await play(supervisor(sqlite_arena, chat, limits=Limits(idle_turns=2)))

    assert (state["stop_reason"], state["calls"]) == ("no_tool_calls", 0)
    told = [message.text for message in state["messages"] if isinstance(message, HumanMessage)]
    assert [text.startswith("You called no tool") for text in told] == [False, True]


async def test_call_and_token_limits_stop_a_run_and_close_the_episode(sqlite_arena: Arena) -> None:
    usage = {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100}
    spending = tuple(message.model_copy(update={"usage_metadata": usage}) for message in script([HOLD] * 3))

    _, called = await play(
        supervisor(sqlite_arena, scripted(*[UNKNOWN_ARTIFACT] * 9), limits=Limits(calls=3)), scenario=GATE_SCENARIO
    )
    _, spent = await play(
        supervisor(sqlite_arena, ScriptedChat(script=spending), limits=Limits(tokens=50)), scenario=GATE_SCENARIO
    )

    assert (called["stop_reason"], called["calls"], called["step"]) == ("call_limit", 3, 0)
    assert (spent["stop_reason"], spent["tokens"], spent["step"]) == ("token_limit", 100, 1)
    for state in (called, spent):
        assert kinds(sqlite_arena.store, state["episode_id"])[-1] == "episode_end"


async def test_budget_and_deadline_are_in_the_state(sqlite_arena: Arena) -> None:
    _, state = await play(supervisor(sqlite_arena, scripted(HOLD, HOLD, HOLD, HOLD)), scenario=GATE_SCENARIO)

    assert state["figures"]["review_budget_remaining"] == state["observation"]["review_budget_remaining"]
    assert all(isinstance(value, (int, float)) for value in state["figures"].values())


async def test_calls_after_the_end_and_beyond_the_limit_are_answered_and_not_made(sqlite_arena: Arena) -> None:
    calls = [message.tool_calls[0] for message in script([ROLLED_BACK[2], ROLLED_BACK[0]])]
    chat = ScriptedChat(script=(AIMessage("", tool_calls=calls),))

    _, ended = await play(supervisor(sqlite_arena, chat))
    _, limited = await play(
        supervisor(sqlite_arena, ScriptedChat(script=(AIMessage("", tool_calls=calls[::-1]),)), limits=Limits(calls=1))
    )

    for state in (ended, limited):
        answers = [message for message in state["messages"] if isinstance(message, ToolMessage)]
        assert [answer.status for answer in answers] == ["success", "error"]
        assert answers[1].text.startswith("not_made: ")
        assert state["step"] == 1


async def test_the_log_holds_the_agents_side_too(sqlite_arena: Arena) -> None:
    _, state = await play(supervisor(sqlite_arena, scripted(ROLLED_BACK[2])))

    events = logged(sqlite_arena.store, state["episode_id"]).events
    roles = [event.data["role"] for event in events if event.kind == "message"]
    assert events[0].data["capture"] == "messages"
    assert roles == ["system", "user", "assistant", "tool"]
    assert [event.kind for event in events].count("model_call") == 1


async def test_a_repeated_call_id_is_made_unique(sqlite_arena: Arena) -> None:
    same = tuple(
        message.model_copy(update={"tool_calls": [{**message.tool_calls[0], "id": "0"}]})
        for message in script(ROLLED_BACK)
    )

    _, state = await play(supervisor(sqlite_arena, ScriptedChat(script=same)))

    assert (state["step"], state["stop_reason"]) == (3, "episode_over")


async def test_a_running_episode_is_taken_over(sqlite_arena: Arena) -> None:
    episode_id = played_in_process(sqlite_arena, CANARY_SCENARIO, ROLLED_BACK[:2])

    _, state = await play(
        supervisor(sqlite_arena, scripted(ROLLED_BACK[2])), {"episode_id": episode_id, "suite": "classic-canary"}
    )

    assert (state["episode_id"], state["step"], state["stop_reason"]) == (episode_id, 3, "episode_over")


async def test_a_suite_that_was_added_later_plays_without_a_change(
    sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.install(monkeypatch)
    chat = scripted(("read_diff", {}), ("observe", {"offset": 6000}), ("decide", {"verdict": "block"}))

    _, state = await play(supervisor(sqlite_arena, chat), scenario=toys.SCENARIO)

    assert (state["stop_reason"], state["terminal_reason"]) == ("episode_over", "decided")
    assert sqlite_arena.score(state["episode_id"]).total == pytest.approx(0.9)
    assert all("f99" not in message.text for message in state["messages"]), "no message holds the scenario's id"


async def test_a_supervisor_by_name_is_found_for_the_suite_at_hand(sqlite_arena: Arena) -> None:
    for scenario, name in ((CANARY_SCENARIO, "scripted:cautious"), (GATE_SCENARIO, "scripted:phase-aware")):
        _, state = await play(supervisor(sqlite_arena, name), scenario=scenario)

        assert state["stop_reason"] == "episode_over", suites()
    assert SupervisorChat(supervisor="rule").seed == 0
