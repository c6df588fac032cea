"""One raw call in, one reply out: whatever is sent, and the same through every door."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from releaseops_mcp.arena.dispatch import invoke
from releaseops_mcp.arena.tools import agent_tools
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import Conflict, InvalidArgument, UnknownScenario
from releaseops_mcp.events import Origin
from tests.playing import kinds, logged
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD

AGENT = Origin(door="mcp", transport="stdio", client="inspector", client_version="1.0")
REASON = HOLD[1]


def send(arena, tool, /, **arguments):
    return invoke(arena, tool, arguments, AGENT)


@pytest.fixture
def episode_id(arena) -> str:
    """A gate episode that an agent has started."""
    return send(arena, "start_episode", scenario=GATE_SCENARIO, agent="careful", model="m-1").episode_id


def test_a_started_episode_is_answered_with_its_handle_and_first_observation(arena):
    reply = send(arena, "start_episode", scenario=CANARY_SCENARIO)
    assert reply.error is None
    assert reply.body["episode_id"] == reply.episode_id
    assert (reply.body["scenario"], reply.body["suite"], reply.body["done"]) == (
        CANARY_SCENARIO,
        "classic-canary",
        False,
    )
    assert reply.body["observation"] == arena.peek(reply.episode_id).observation


def test_who_plays_is_in_the_log(arena, episode_id):
    origin = logged(arena.store, episode_id).start["origin"]
    assert (origin["agent"], origin["model"], origin["client"], origin["transport"]) == (
        "careful",
        "m-1",
        "inspector",
        "stdio",
    )
    assert arena.store.episode(episode_id).agent == "careful"


def test_a_call_is_answered_with_result_and_observation(arena, episode_id):
    reply = send(arena, "hold_release", episode_id=episode_id, **REASON)
    assert set(reply.body) == {"episode_id", "step", "result", "observation", "done", "terminal_reason"}
    assert (reply.body["step"], reply.body["result"]["action"]) == (1, "hold_release")
    assert reply.answer.earned.reward == 0.0


def test_a_refused_call_is_an_error_that_begins_with_its_code(arena, episode_id):
    reply = send(arena, "inspect_pr_diff", episode_id=episode_id, pr_id="pr_none")
    assert reply.body is None
    assert reply.error.startswith("unknown_artifact: ")
    assert (reply.kind, reply.episode_id) == (InvalidArgument, episode_id)
    assert reply.answer.earned.reward == -0.25


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("start_episode", {}, "invalid_argument: start_episode needs a scenario"),
        (
            "start_episode",
            {"scenario": GATE_SCENARIO, "seed": 1},
            "invalid_argument: start_episode has no argument 'seed'",
        ),
        ("start_episode", {"scenario": GATE_SCENARIO, "agent": 7}, "invalid_argument: agent must be a string"),
        ("start_episode", {"scenario": "classic-gate/none"}, "unknown_scenario: no scenario"),
        ("list_scenarios", {"page": 1}, "invalid_argument: list_scenarios has no argument 'page': it takes offset"),
        ("list_scenarios", {"offset": -1}, "invalid_argument: offset must be"),
        ("hold_release", REASON, "invalid_argument: 'hold_release' needs an episode_id"),
        ("observe", {}, "invalid_argument: 'observe' needs an episode_id"),
        ("finish_episode", {}, "invalid_argument: 'finish_episode' needs an episode_id"),
        ("observe", {"episode_id": "ep_none"}, "unknown_episode: no episode 'ep_none' in this log"),
        ("observe", {"episode_id": 7}, "unknown_episode: no episode 7 in this log"),
        ("observe", {"episode_id": "\ud800"}, "unknown_episode: no episode "),
        ("hold_release", {"episode_id": ["ep_1"], **REASON}, "unknown_episode: no episode ['ep_1']"),
    ],
)
def test_a_call_without_an_episode_is_answered_with_what_to_do(arena, tool, arguments, error):
    reply = invoke(arena, tool, arguments, AGENT)
    assert reply.body is None
    assert reply.error.startswith(error)
    assert arena.store.started() == 0


def test_arguments_that_a_tool_lacks_are_refused_and_logged(arena, episode_id):
    observed = send(arena, "observe", episode_id=episode_id, page=2)
    assert observed.error == "invalid_argument: observe has no argument 'page': it takes offset"
    finished = send(arena, "finish_episode", episode_id=episode_id, reason="tired")
    assert (
        finished.error == "invalid_argument: finish_episode has no argument 'reason': it takes nothing but episode_id"
    )
    assert kinds(arena.store, episode_id) == ["episode_start"] + ["tool_call", "tool_result"] * 2
    assert not arena.peek(episode_id).done


def test_a_named_call_that_is_sent_again_is_applied_once(arena, episode_id):
    first = send(arena, "hold_release", episode_id=episode_id, action_id="a", **REASON)
    again = send(arena, "hold_release", episode_id=episode_id, action_id="a", **REASON)
    assert again.body == first.body
    assert arena.peek(episode_id).step == 1


def test_an_empty_name_is_no_name(arena, episode_id):
    for _ in range(2):
        assert send(arena, "hold_release", episode_id=episode_id, action_id="", **REASON).error is None
    assert arena.peek(episode_id).step == 2


def test_a_call_for_another_step_is_a_conflict(arena, episode_id):
    reply = send(arena, "hold_release", episode_id=episode_id, expected_step=3, **REASON)
    assert reply.error.startswith("conflict: you expected step 3 and the episode is at step 0")
    assert reply.kind is Conflict


def test_scenarios_are_listed(arena):
    reply = send(arena, "list_scenarios", suite="classic-canary", split="published")
    assert reply.body["scenarios"][0]["scenario"] == CANARY_SCENARIO


def test_a_door_may_show_some_suites_alone(arena):
    shown = ("classic-canary",)
    listed = invoke(arena, "list_scenarios", {}, AGENT, shown=shown).body["scenarios"]
    assert {each["suite"] for each in listed} == {"classic-canary"}
    hidden = invoke(arena, "start_episode", {"scenario": GATE_SCENARIO}, AGENT, shown=shown)
    assert hidden.error.startswith("unknown_scenario: scenarios of classic-gate are not played here")
    assert hidden.kind is UnknownScenario
    assert invoke(arena, "start_episode", {"scenario": CANARY_SCENARIO}, AGENT, shown=shown).error is None


def test_finishing_closes_the_record_for_nothing(arena, episode_id):
    reply = send(arena, "finish_episode", episode_id=episode_id)
    assert (reply.body["done"], reply.body["terminal_reason"], reply.body["step"]) == (True, None, 0)


KNOWN_CODES = {"invalid_argument", "unknown_tool", "conflict", "unknown_episode", "argument_error"}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_nothing_that_an_agent_can_send_is_a_crash(sqlite_arena, data):
    """Any tool, any arguments: an answer or a documented code, and an open episode that still answers."""
    surrogates = st.text(st.characters(), max_size=20)
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | surrogates | st.just("x" * 70_000),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(surrogates, inner, max_size=3),
        max_leaves=8,
    )
    specs = agent_tools(suites().values())
    tool = data.draw(st.sampled_from([spec.name for spec in specs if spec.name != "finish_episode"]) | surrogates)
    names = [parameter.name for spec in specs for parameter in spec.parameters if parameter.name != "episode_id"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names) | surrogates, anything, max_size=4))
    scenario = data.draw(st.sampled_from([GATE_SCENARIO, CANARY_SCENARIO]))
    episode_id = sqlite_arena.start(scenario).episode_id
    codes = KNOWN_CODES | {"unknown_scenario"} | set(suites()["classic-gate"].error_codes)
    before = sqlite_arena.peek(episode_id)
    reply = invoke(sqlite_arena, tool, {"episode_id": episode_id, **arguments}, AGENT)
    after = sqlite_arena.peek(episode_id)
    if reply.error is not None:
        assert reply.error.partition(":")[0] in codes
        assert after.observation == before.observation
    else:
        assert reply.body is not None
