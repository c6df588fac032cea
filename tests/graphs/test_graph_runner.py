"""`--via graph`: the scripted supervisors score through the graph exactly what they score in process."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from graphs.runner import play_through_graph
from graphs.scripted_model import ScriptedChat
from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.drive import InfrastructureFailed
from releaseops_mcp.agents.registry import find_supervisor, supervisors_for
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from tests import toys
from tests.sequences import CANARY_SCENARIO, UNKNOWN_ARTIFACT

SEED = range(1)


def toy_supervisor(*actions: Action, failure: Exception | None = None) -> Supervisor:
    """Return a supervisor of the toy that makes these calls, and then fails where it is told to."""

    def policy(brief: Brief) -> Play:
        for action in actions:
            _ = yield action
        if failure is not None:
            raise failure

    return Supervisor("tested", "toy", policy, False, "A supervisor in a test.")


@pytest.mark.parametrize("suite", ["classic-gate", "classic-canary"])
def test_every_supervisor_scores_through_the_graph_what_it_scores_in_process(suite: str, sqlite_arena: Arena) -> None:
    for scenario in suites()[suite].grid(SEED):
        for supervisor in supervisors_for(suite):
            inside = play_episode(sqlite_arena, supervisor, scenario, seed=7)
            through = play_through_graph(sqlite_arena, supervisor, scenario, seed=7)

            assert through == replace(inside, episode_id=through.episode_id)


def test_one_that_loops_for_ever_is_stopped_where_it_is_in_process(sqlite_arena: Arena) -> None:
    def loops(brief: Brief) -> Play:
        while True:
            yield Action(*UNKNOWN_ARTIFACT)

    supervisor, scenario = (
        Supervisor("loops", "classic-gate", loops, False, ""),
        suites()["classic-gate"].default_scenario,
    )
    inside = play_episode(sqlite_arena, supervisor, scenario)
    through = play_through_graph(sqlite_arena, supervisor, scenario)

    assert through == replace(inside, episode_id=through.episode_id)
    assert (through.truncated, through.invalid) == (True, 200)


@pytest.mark.parametrize(
    "supervisor",
    [
        toy_supervisor(Action("read_diff", {}), Action("decide", {"verdict": "block"})),
        toy_supervisor(Action("read_diff", {})),
        toy_supervisor(Action("decide", {"verdict": "perhaps"}), Action("no_such_tool", {"a": 1})),
        toy_supervisor(Action("read_diff", {}), failure=KeyError("gone")),
        toy_supervisor(Action("read_diff", {}), failure=InfrastructureFailed("the endpoint is down")),
        toy_supervisor(Action("explode", {})),
    ],
    ids=["decides", "leaves", "is refused", "fails", "is failed", "meets a fault"],
)
def test_leaving_failing_and_faults_are_told_as_in_process(
    supervisor: Supervisor, sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.install(monkeypatch)

    inside = play_episode(sqlite_arena, supervisor, toys.SCENARIO)
    through = play_through_graph(sqlite_arena, supervisor, toys.SCENARIO)

    fault = inside.fault and inside.fault.replace(inside.episode_id, through.episode_id)
    assert through == replace(inside, episode_id=through.episode_id, fault=fault)


def test_what_keeps_a_model_from_answering_is_no_fault_of_the_agent(sqlite_arena: Arena) -> None:
    model = replace(find_supervisor("cautious", "classic-canary"), model="broken:model")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphs.setup.chat_model", lambda name: Broken(script=()))
        played = play_through_graph(sqlite_arena, model, CANARY_SCENARIO)

    assert played.fault == "infrastructure: the model gave no answer: ConnectionError: no route to the endpoint"
    assert (played.reward, played.steps) == (None, 0)


class Broken(ScriptedChat):
    """A model at an endpoint that is not there."""

    def answer(self, messages: Sequence[BaseMessage]) -> AIMessage:
        raise ConnectionError("no route to the endpoint")


def test_a_supervisor_of_another_suite_is_refused(sqlite_arena: Arena) -> None:
    with pytest.raises(InvalidArgument, match="agent rule plays classic-gate"):
        play_through_graph(sqlite_arena, find_supervisor("rule", "classic-gate"), CANARY_SCENARIO)
