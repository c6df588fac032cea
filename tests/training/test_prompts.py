"""A system prompt says what the suite is and how its tools are called, in few words."""

import pytest

from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.registry import suites
from training.prompts import system_prompt, tool_line


def test_a_tool_reads_as_its_signature():
    tool = ToolSpec(
        name="act",
        title="Act",
        description="Act.",
        parameters=(
            Parameter(name="how", type="string", description="How.", enum=("fast", "slow")),
            Parameter(name="times", type="integer", description="How often.", required=False),
        ),
    )
    assert tool_line(tool) == "act(how: fast|slow, times?: integer)"


@pytest.mark.parametrize("name", suites())
def test_every_tool_of_a_suite_is_named(name):
    suite = suites()[name]
    prompt = system_prompt(suite)
    assert all(f"\n{tool.name}(" in prompt for tool in suite.tools)


def test_a_suite_without_a_brief_of_its_own_says_all_that_its_briefing_does(installed):
    assert system_prompt(suites()["arms"]).startswith("Pull.\n\n\nTools, one call a turn:\npull(arm: left|right)")
