"""The gate: a person approves, edits or refuses, and the model reads what came of it."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command

from graphs.scripted_model import ScriptedChat, script
from graphs.state import Limits
from graphs.streaming import Asked, NodeDone
from releaseops_mcp.arena import Arena
from tests.graphs.graphkit import ROLLED_BACK, calls_in_log, play, scripted, supervisor
from tests.sequences import GATE_SCENARIO, HOLD

pytestmark = pytest.mark.anyio
ROLLBACK = ROLLED_BACK[2]
APPROVE = {"action": "approve"}


def asked(events: list[Any]) -> list[dict[str, Any]]:
    return [event.question for event in events if isinstance(event, Asked)]


def answers(state: dict[str, Any]) -> list[ToolMessage]:
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


@pytest.mark.parametrize("approval", [True, APPROVE, {"decisions": {"call_0": APPROVE}}])
async def test_a_destructive_call_waits_until_a_person_approves(approval: Any, sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(ROLLBACK), human_gate="required")

    events, waiting = await play(graph)
    before = calls_in_log(sqlite_arena, waiting["episode_id"])
    _, state = await play(graph, Command(resume=approval))

    (question,) = asked(events)
    assert question["calls"] == [{"id": "call_0", "tool": ROLLBACK[0], "arguments": ROLLBACK[1]}]
    assert question["observation"] == waiting["observation"]
    assert before == []
    assert (state["step"], state["stop_reason"]) == (1, "episode_over")


async def test_a_refused_call_is_not_made_and_the_model_reads_why(sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(ROLLBACK, ROLLED_BACK[1], ROLLBACK), human_gate="required")

    await play(graph)
    events, state = await play(graph, Command(resume={"action": "refuse", "reason": "the alert is a phantom"}))

    assert (answers(state)[0].text, answers(state)[0].status) == ("refused_by_person: the alert is a phantom", "error")
    assert calls_in_log(sqlite_arena, state["episode_id"]) == []
    assert len(asked(events)) == 1, "the next call is asked about in its turn"


async def test_an_edited_call_is_made_as_edited_and_the_model_reads_so(sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(ROLLBACK), human_gate="required")
    edited = ROLLED_BACK[1][1]

    await play(graph)
    _, state = await play(graph, Command(resume={"action": "edit", "arguments": edited, "reason": "wait"}))

    assert [arguments for _, arguments, _ in calls_in_log(sqlite_arena, state["episode_id"])] == [edited]
    assert answers(state)[0].text.startswith("A person changed the arguments to ")
    assert answers(state)[0].artifact["step"] == 1
    assert state["messages"][2].tool_calls[0]["args"] == ROLLBACK[1], "what the model said stays as it was"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (42, "answer true"),
        ({"action": "perhaps"}, "an action is one of"),
        ({"action": "edit"}, "needs the arguments"),
        ({"action": "refuse", "reason": 3}, "a reason is a text"),
        ({"decisions": {"another": APPROVE}}, "decide each of the calls call_0"),
        ({"decisions": {"call_0": "yes"}}, "an action is one of"),
    ],
)
async def test_an_answer_that_cannot_be_read_is_asked_for_again(answer: Any, problem: str, sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(ROLLBACK), human_gate="required")

    await play(graph)
    events, waiting = await play(graph, Command(resume=answer))
    _, state = await play(graph, Command(resume=True))

    assert problem in asked(events)[0]["problem"]
    assert calls_in_log(sqlite_arena, waiting["episode_id"]) != []
    assert state["stop_reason"] == "episode_over"


async def test_one_question_covers_all_destructive_calls_of_a_turn(sqlite_arena: Arena) -> None:
    calls = [message.tool_calls[0] for message in script(ROLLED_BACK)]
    graph = supervisor(sqlite_arena, ScriptedChat(script=(AIMessage("", tool_calls=calls),)), human_gate="required")

    events, _ = await play(graph)
    said = {"call_0": APPROVE, "call_1": {"action": "refuse"}, "call_2": APPROVE}
    _, state = await play(graph, Command(resume={"decisions": said}))

    assert len(asked(events)[0]["calls"]) == 3
    assert [answer.status for answer in answers(state)] == ["success", "error", "success"]
    assert state["step"] == 2


@pytest.mark.parametrize(("mode", "person", "asks"), [("off", True, 0), ("auto", False, 0), ("auto", True, 1)])
async def test_whether_a_person_is_asked_follows_the_mode(
    mode: Any, person: bool, asks: int, sqlite_arena: Arena
) -> None:
    events, _ = await play(supervisor(sqlite_arena, scripted(ROLLBACK), human_gate=mode, person=person))

    assert len(asked(events)) == asks


async def test_what_is_not_destructive_is_not_asked_about(sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(HOLD, HOLD, HOLD), human_gate="required")

    events, state = await play(graph, scenario=GATE_SCENARIO)

    assert asked(events) == []
    assert state["stop_reason"] == "episode_over"


async def test_a_person_who_refuses_everything_stops_the_run(sqlite_arena: Arena) -> None:
    graph = supervisor(sqlite_arena, scripted(ROLLBACK), human_gate="required", limits=Limits(refused_turns=2))

    await play(graph)
    await play(graph, Command(resume={"action": "refuse"}))
    events, state = await play(graph, Command(resume={"action": "refuse"}))

    assert state["stop_reason"] == "calls_refused"
    assert NodeDone("close") in events
