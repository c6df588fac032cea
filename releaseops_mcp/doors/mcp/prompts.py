"""Prompts: one a suite, which briefs a supervisor and says how to begin."""

from collections.abc import Iterable, Mapping

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from releaseops_mcp.doors.mcp.resources import POLICY
from releaseops_mcp.episodes.base import Suite

SCENARIO = PromptArgument(
    name="scenario",
    title="Scenario",
    description="The scenario or ticket to play, as list_scenarios shows it; leave it out to pick one.",
    required=False,
)
MAX_SCENARIO_CHARS = 300


def prompt_name(suite: Suite) -> str:
    """Return the name of the prompt of a suite."""
    return f"supervise_{suite.name.replace('-', '_')}"


def list_prompts(shown: Iterable[Suite]) -> list[Prompt]:
    """Return the prompts."""
    return [
        Prompt(
            name=prompt_name(suite),
            title=f"Supervise: {suite.title}",
            description=f"Brief a supervisor of {suite.name} and have it play one episode to its end.",
            arguments=[SCENARIO],
        )
        for suite in shown
    ]


def get_prompt(shown: Iterable[Suite], name: str, arguments: Mapping[str, str] | None) -> GetPromptResult:
    """Return one prompt; raises MCPError for a name or an argument that no prompt has."""
    given = dict(arguments or {})
    suite = suite_of_prompt(shown, name)
    scenario = given.pop(SCENARIO.name, "")
    if given:
        raise MCPError(INVALID_PARAMS, f"{name} takes no argument {ascii(min(given))[:80]}: it takes scenario alone")
    if len(scenario) > MAX_SCENARIO_CHARS or not scenario.isprintable():
        raise MCPError(INVALID_PARAMS, "a scenario is named as list_scenarios shows it")
    text = f"{suite.briefing.rstrip()}\n\n{_beginning(suite, scenario)}"
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=f"Supervise one episode of {suite.name}.", messages=[message])


def suite_of_prompt(shown: Iterable[Suite], name: str) -> Suite:
    """Return the suite that a prompt is about; raises MCPError."""
    for suite in shown:
        if prompt_name(suite) == name:
            return suite
    raise MCPError(INVALID_PARAMS, f"there is no prompt {ascii(name)[:80]}")


def _beginning(suite: Suite, scenario: str) -> str:
    first = (
        f"Call `start_episode` with the scenario `{scenario}`."
        if scenario
        else f"Call `list_scenarios` with the suite `{suite.name}`, pick one, and call `start_episode` with it."
    )
    return (
        f"## How to begin\n{first} Pass the `episode_id` that it returns to every other tool, and go on until an "
        f"answer says that `done` is true. The rules are in the resource {POLICY.format(suite=suite.name)}.\n"
    )
