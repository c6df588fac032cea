"""The arena's own tools, and the arguments that it adds to every tool of a suite."""

from collections.abc import Iterable

from pydantic import BaseModel

from releaseops_mcp.arena.answers import ScenarioList, StartedEpisode, ToolAnswer
from releaseops_mcp.audit.replay import FINISH
from releaseops_mcp.catalogue import Parameter, ToolSpec, merge_tools
from releaseops_mcp.episodes.base import Suite

EPISODE_ID = Parameter(name="episode_id", type="string", description="The handle that start_episode returned.")
ACTION_ID = Parameter(
    name="action_id",
    type="string",
    required=False,
    default="",
    description="Optional name of this very call: sent again with the same name, it is applied once.",
)
EXPECTED_STEP = Parameter(
    name="expected_step",
    type="integer",
    required=False,
    minimum=0,
    description="Optional: the step of the last answer you have seen; the call is refused if the episode has moved on.",
)
SESSION_PARAMETERS = (EPISODE_ID, ACTION_ID, EXPECTED_STEP)
"""What the arena takes out of a call's arguments before the suite judges the rest."""

LIST = ToolSpec(
    name="list_scenarios",
    title="List scenarios",
    description="List the scenarios that can be started, a page at a time.",
    parameters=(
        Parameter(
            name="suite", type="string", required=False, default="", description="Only this suite; empty for all."
        ),
        Parameter(
            name="split",
            type="string",
            required=False,
            default="",
            description="A named list of the suite; empty for all.",
        ),
        Parameter(
            name="offset", type="integer", required=False, default=0, minimum=0, description="How many to skip, from 0."
        ),
    ),
    read_only=True,
    destructive=False,
    idempotent=True,
)
START = ToolSpec(
    name="start_episode",
    title="Start an episode",
    description=(
        "Begin a release episode and get its episode_id and first observation. The handle survives reconnects; "
        "an episode that is idle for 24 hours (or as the server is configured) expires."
    ),
    parameters=(
        Parameter(name="scenario", type="string", description="A scenario or ticket, as list_scenarios shows it."),
        Parameter(
            name="agent", type="string", required=False, default="", description="Optional: your own name, for the log."
        ),
        Parameter(
            name="model",
            type="string",
            required=False,
            default="",
            description="Optional: the model you run on, for the log.",
        ),
    ),
    destructive=False,
)
OBSERVE = ToolSpec(
    name="observe",
    title="Observe the release",
    description=(
        "See the release as it stands, free of charge and at any time. With an offset, read on in the long text that "
        "the last result was cut from."
    ),
    parameters=(
        EPISODE_ID,
        Parameter(
            name="offset",
            type="integer",
            required=False,
            default=0,
            minimum=0,
            description="The next_offset of a truncated result, to read on; 0 otherwise.",
        ),
    ),
    read_only=True,
    destructive=False,
    idempotent=True,
)
FINISH_EPISODE = ToolSpec(
    name=FINISH,
    title="Finish the episode",
    description="Close the episode's record for good, decided or not. It earns nothing.",
    parameters=(EPISODE_ID,),
    idempotent=True,
)


def agent_tools(suites: Iterable[Suite]) -> tuple[ToolSpec, ...]:
    """Return every tool that an agent may call, with all its arguments: the arena's, then the suites', merged."""
    merged = merge_tools(suite.tools for suite in suites)
    acting = [
        tool.model_copy(update={"parameters": (EPISODE_ID, *tool.parameters, ACTION_ID, EXPECTED_STEP)})
        for tool in merged
    ]
    return (LIST, START, OBSERVE, *acting, FINISH_EPISODE)


def answer_model(tool: str) -> type[BaseModel]:
    """Return the shape of a tool's answer."""
    return {LIST.name: ScenarioList, START.name: StartedEpisode}.get(tool, ToolAnswer)
