"""The arena's tools as LangChain tools: what a model may call, without the handles that are not its business.

`episode_id` is injected and hidden from the model's schema; `action_id` is the id of the tool call, so that a call
that is made again after a crash applies once. Nothing is validated here: whatever the model sent, the arena judges.
A refused call becomes a ToolMessage with status "error"; an answer comes as JSON text and, as an object, in `artifact`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.tools import StructuredTool, ToolException

from releaseops_mcp import canonical
from releaseops_mcp.arena.tools import ACTION_ID, EPISODE_ID, LIST, SESSION_PARAMETERS, START
from releaseops_mcp.episodes.base import Json

HIDDEN = tuple(parameter.name for parameter in SESSION_PARAMETERS)
"""Arguments that a model is not shown."""
NOT_OFFERED = (LIST.name, START.name)
"""Tools that a model in the middle of an episode has no use for."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool, as the arena lists it."""

    name: str
    description: str
    schema: Json
    """Of all arguments, the hidden ones too."""
    read_only: bool = False
    destructive: bool = True

    @property
    def shown(self) -> Json:
        """The schema that a model sees."""
        properties = {key: value for key, value in self.schema["properties"].items() if key not in HIDDEN}
        required = [key for key in self.schema.get("required", ()) if key not in HIDDEN]
        return {**self.schema, "properties": properties, "required": required}

    @property
    def takes_action_id(self) -> bool:
        """Whether a call can be named, so that it applies once."""
        return ACTION_ID.name in self.schema["properties"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one raw call came to."""

    body: Json | None
    """The answer; None where the call was refused."""
    error: str = ""
    """`code: message` of a refused call."""


class ArenaSession(Protocol):
    """One way to reach the arena. It holds no episode: every call names its own.

    What is the arena's fault and no judgement (EnvironmentFault, LogError) is raised, so that a run stops and can be
    resumed; a refused call is an Outcome.
    """

    async def start(self, scenario: str, *, agent: str, model: str) -> Json:
        """Begin an episode and return its first answer; raises what the arena raises."""
        ...

    async def offers(self, suite: str) -> tuple[Offer, ...]:
        """Return the tools of a suite, and the arena's own that serve within an episode."""
        ...

    async def briefing(self, suite: str) -> str:
        """Return what a supervisor of a suite is told, as Markdown."""
        ...

    async def call(self, tool: str, arguments: Json) -> Outcome:
        """Make one raw call; `arguments` holds the episode_id."""
        ...

    async def record(self, episode_id: str, kind: str, data: Json) -> None:
        """Log a `message` or `model_call` of the agent's side, where this way can."""
        ...


class ArenaTool(StructuredTool):
    """A tool of the arena on one episode. It only works asynchronously."""

    async def arun(self, tool_input: str | dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Hand over the raw arguments, with the tool call's id as the name of the action."""
        wrapped = {"arguments": tool_input, "action_id": kwargs.get("tool_call_id")}
        return await super().arun(wrapped, *args, **kwargs)


def arena_tool(session: ArenaSession, episode_id: str, offer: Offer) -> ArenaTool:
    """Return a tool that plays on one episode."""

    async def call(arguments: Json, action_id: str | None) -> tuple[str, Json]:
        sent = {**arguments, EPISODE_ID.name: episode_id}
        if action_id and offer.takes_action_id:
            sent[ACTION_ID.name] = action_id
        outcome = await session.call(offer.name, sent)
        if outcome.body is None:
            raise ToolException(outcome.error)
        return canonical.dumps(outcome.body), outcome.body

    return ArenaTool(
        name=offer.name,
        description=offer.description,
        args_schema=offer.shown,
        coroutine=call,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def arena_tools(session: ArenaSession, episode_id: str, offers: Iterable[Offer]) -> list[ArenaTool]:
    """Return the tools that play on one episode."""
    return [arena_tool(session, episode_id, offer) for offer in offers]


def unknown_tool(name: str) -> Offer:
    """Return an offer of a tool that nobody listed: the arena refuses and logs it like any other mistake."""
    return Offer(name, name, {"type": "object", "properties": {ACTION_ID.name: {"type": "string"}}})


def gate_set(offers: Iterable[Offer]) -> frozenset[str]:
    """Return the names of the tools that a person is asked about: those with destructiveHint."""
    return frozenset(offer.name for offer in offers if offer.destructive)
