"""Live and logged episodes become the same messages."""

from releaseops_mcp.agents.base import Action, Turn
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.simulation import Simulation
from training.conversation import conversation, opening

SUITE = suites()["classic-gate"]
HOLD = Action("hold_release", {"reason_code": "awaiting_fix"})


def played() -> tuple[dict, list[tuple[Action, Turn]]]:
    simulation = Simulation.of(SUITE.default_scenario)
    moves = []
    while not simulation.done:
        judged = simulation.call(HOLD.tool, HOLD.arguments)
        moves.append((HOLD, Turn(judged.result, None, judged.observation, judged.done, judged.terminal_reason)))
    return simulation.first_observation, moves


def test_an_episode_is_a_prompt_then_calls_and_answers_and_an_empty_last_word():
    observation, moves = played()
    messages = conversation(SUITE, observation, moves)
    assert [message["role"] for message in messages] == ["system", "user", *["assistant", "tool"] * 3, "assistant"]
    assert messages[2]["tool_calls"] == [
        {"type": "function", "function": {"name": "hold_release", "arguments": {"reason_code": "awaiting_fix"}}}
    ]
    assert messages[-2]["content"].endswith("over: missed_deadline")
    assert messages[-1] == {"role": "assistant", "content": ""}


def test_an_unfinished_episode_has_no_last_word():
    observation, moves = played()
    assert conversation(SUITE, observation, moves[:1])[-1]["role"] == "tool"


def test_a_start_row_leaves_room_for_the_first_observation():
    observation, _ = played()
    empty, whole = opening(SUITE, None), opening(SUITE, observation)
    assert empty[-1] == {"role": "user", "content": ""}
    assert whole[:-1] == empty[:-1]
    assert whole[-1]["content"].startswith("phase:triage")
