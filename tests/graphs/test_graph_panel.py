"""The panel: an investigator reads, a sceptic objects, a decider acts; each sees the others' words as words."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from graphs.in_process import LocalSession
from graphs.nodes.decide import seen_by
from graphs.panel import ROLES, build_panel
from graphs.scripted_model import ScriptedChat, SupervisorChat, script
from graphs.setup import Setup
from graphs.state import Limits
from graphs.streaming import NodeDone
from graphs.texts import prompt
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from tests import toys
from tests.graphs.graphkit import ROLLED_BACK, calls_in_log, play
from tests.sequences import CANARY_SCENARIO

pytestmark = pytest.mark.anyio


def panel(arena: Arena, decider, *, investigator=(), sceptic=(), **more):
    """Return a panel of scripted members."""
    members = {
        "investigator": ScriptedChat(
            script=(*investigator, AIMessage("Nothing is amiss.")), speaker="investigator", strict=False
        ),
        "sceptic": ScriptedChat(script=(*sceptic, AIMessage("I object to nothing.")), speaker="sceptic", strict=False),
        "decider": decider,
    }
    return build_panel(Setup(LocalSession(arena), members.__getitem__, **more), InMemorySaver())


async def test_a_panel_plays_a_suite_to_its_end(sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    toys.install(monkeypatch)
    reads = script([("read_diff", {})], prefix="read")
    decides = ScriptedChat(script=script([("decide", {"verdict": "block"})]), speaker="decider")

    events, state = await play(panel(sqlite_arena, decides, investigator=reads), scenario=toys.SCENARIO)

    assert [event.node for event in events if isinstance(event, NodeDone)] == [
        "brief", "investigator", "inspect", "weigh", "investigator", "sceptic", "mute", "decider",
        "gate", "tools", "reflect", "close",
    ]  # fmt: skip
    assert (state["stop_reason"], state["terminal_reason"]) == ("episode_over", "decided")


async def test_a_scripted_supervisor_in_the_deciders_seat_scores_as_it_does_alone(sqlite_arena: Arena) -> None:
    alone = play_episode(sqlite_arena, find_supervisor("cautious", "classic-canary"), CANARY_SCENARIO)

    _, state = await play(panel(sqlite_arena, SupervisorChat(supervisor="cautious")))

    assert sqlite_arena.score(state["episode_id"]).total == alone.reward


async def test_who_may_not_act_is_answered_and_nothing_is_done(sqlite_arena: Arena) -> None:
    act, object_ = script([ROLLED_BACK[2]], prefix="act"), script([ROLLED_BACK[2]], prefix="object")
    decides = ScriptedChat(script=script([ROLLED_BACK[2]]), speaker="decider")

    _, state = await play(panel(sqlite_arena, decides, investigator=act, sceptic=object_))

    answers = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    assert [answer.text.partition(":")[0] for answer in answers[:2]] == ["not_made", "not_made"]
    assert len(calls_in_log(sqlite_arena, state["episode_id"])) == 1


async def test_a_panel_that_never_acts_is_stopped(sqlite_arena: Arena) -> None:
    silent = ScriptedChat(script=(AIMessage("Hm."),), speaker="decider")

    _, state = await play(panel(sqlite_arena, silent, limits=Limits(idle_turns=2)))

    assert (state["stop_reason"], state["step"]) == ("no_tool_calls", 0)


async def test_a_role_reads_its_own_prompt_and_the_others_as_people(sqlite_arena: Arena) -> None:
    decides = ScriptedChat(script=script([ROLLED_BACK[2]]), speaker="decider")

    _, state = await play(panel(sqlite_arena, decides))

    for role in ROLES:
        seen = seen_by(role, state["messages"])
        assert seen[0].text.endswith(prompt(role))
        others = [message.text for message in seen if isinstance(message, HumanMessage)][1:]
        assert [text.split()[1] for text in others] == [name for name in ("investigator", "sceptic") if name != role]
