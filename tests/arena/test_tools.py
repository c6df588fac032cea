"""The arena's own tools, and what it adds to a suite's."""

from releaseops_mcp.arena.answers import ScenarioList, StartedEpisode, ToolAnswer
from releaseops_mcp.arena.tools import SESSION_PARAMETERS, agent_tools, answer_model
from releaseops_mcp.episodes.registry import suites
from tests.toys import TOY


def test_agents_get_the_arenas_tools_around_those_of_the_suites():
    names = [tool.name for tool in agent_tools(suites().values())]
    assert names[:3] == ["list_scenarios", "start_episode", "observe"]
    assert names[-1] == "finish_episode"
    assert {"inspect_pr_diff", "block_proposal", "hold_release", "decide_rollout"} < set(names)
    assert len(set(names)) == len(names)


def test_every_tool_that_acts_takes_the_episode_and_may_be_named_and_guarded():
    acting = agent_tools([TOY])[3:-1]
    assert [tool.name for tool in acting] == ["read_diff", "decide", "explode"]
    for tool in acting:
        schema = tool.json_schema()
        assert next(iter(schema["properties"])) == "episode_id"
        assert {parameter.name for parameter in SESSION_PARAMETERS} <= set(schema["properties"])
        assert "action_id" not in schema["required"]
        assert "expected_step" not in schema["required"]


def test_looking_is_read_only_and_acting_is_as_its_suite_says():
    tools = {tool.name: tool for tool in agent_tools([TOY])}
    assert all(tools[name].read_only for name in ("list_scenarios", "observe", "read_diff"))
    assert not any(tools[name].read_only for name in ("start_episode", "decide", "finish_episode"))


def test_every_tool_has_a_shape_of_answer():
    assert answer_model("list_scenarios") is ScenarioList
    assert answer_model("start_episode") is StartedEpisode
    assert answer_model("observe") is answer_model("decide_rollout") is ToolAnswer
