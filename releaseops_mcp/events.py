"""The events of an episode's log, as frozen models.

An event knows what happened; its place in the chain (episode, number, time, hash of the one before) is added by the
log. The truth of a world never enters an event, and no event holds a reward.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from releaseops_mcp import canonical
from releaseops_mcp.canonical import Encoded

SCHEMA_VERSION = 1
"""Version of the event schema: a log with a higher one is refused."""

CaptureLevel = Literal["tools", "messages", "tokens"]
"""How much of the agent's side is in the log: calls only, its messages too, or its sampled tokens too."""


def _label(text: str) -> str:
    """Return a name that any database and terminal can hold: printable, at most 200 characters."""
    return "".join(char if char.isprintable() else "?" for char in text[:200])


Label = Annotated[str, AfterValidator(_label)]
"""A name that somebody outside gave."""


class Origin(BaseModel):
    """Who calls, and through which door."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    door: Label
    """`mcp`, `python`, and so on."""
    transport: Label = ""
    """`stdio`, `http` or empty where there is none."""
    protocol: Label = ""
    """Protocol revision that the client speaks, such as `2026-07-28`."""
    client: Label = ""
    client_version: Label = ""
    agent: Label = ""
    """Name that the agent gives itself."""
    model: Label = ""
    """Name of the model behind it, where the agent says so."""
    traceparent: str = ""
    """W3C trace context of the request, where the client sends one: it belongs to the request, not to the caller."""

    @property
    def caller(self) -> dict[str, str]:
        """Who calls: all that stays the same from one request to the next."""
        return {name: value for name, value in self.__dict__.items() if name != "traceparent"}


def _traced(model: BaseModel) -> dict[str, Any]:
    """Return a model's fields, the trace context only where there is one: most logs hold none."""
    return {name: value for name, value in model.__dict__.items() if value or name != "traceparent"}


class Event(BaseModel):
    """Base of all events."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ClassVar[str]

    def encoded(self) -> str:
        """Return the canonical JSON of the event's own fields."""
        return canonical.dumps(self.__dict__)


class EpisodeStart(Event):
    """An episode began; everything that a replay or an audit must know."""

    kind = "episode_start"

    scenario: str
    """The operator's id."""
    named: str
    """What the caller named: the id or a ticket."""
    suite: str
    family: str
    level: str
    seed: int
    world_hash: str
    versions: dict[str, str]
    """Of this package, the suite, the reward, the event schema and Python."""
    tools_hash: str
    origin: Origin
    capture: CaptureLevel
    observation: dict[str, Any]
    observation_hash: str

    def encoded(self) -> str:
        return canonical.dumps(self.__dict__ | {"origin": _traced(self.origin)})


class ToolCall(Event):
    """The agent called a tool; `arguments` is what it sent, made plain."""

    kind = "tool_call"

    tool: str
    arguments: Any
    action_id: Any
    expected_step: Any
    origin: dict[str, str] | None
    """The caller, where it is not the one who started the episode."""
    traceparent: str = ""
    """W3C trace context of the request, where the client sent one."""

    def encoded(self) -> str:
        return canonical.dumps(_traced(self))


class ToolResult(Event):
    """What the agent was answered, exactly."""

    kind = "tool_result"

    tool: str
    step: int
    """Judged calls so far, this one included."""
    judged: bool
    """Whether the call reached the world; a conflict or a mere observation did not."""
    error: str | None
    message: str | None
    """Text behind the error code."""
    result: dict[str, Any] | None
    observation: Encoded | None
    """The new observation; null where the call was refused, since then nothing has changed."""
    observation_hash: str
    done: bool
    terminal_reason: str | None
    duration_ms: float

    def encoded(self) -> str:
        text = self.observation.text if self.observation else "null"
        return canonical.splice(self.__dict__, "observation", text)


class EpisodeEnd(Event):
    """The episode is over; calls may still follow it."""

    kind = "episode_end"

    reason: str | None
    """The suite's terminal reason; null where the agent closed the record, `expired` where it was idle too long."""
    steps: int
    """Judged calls."""


class Fault(Event):
    """The arena failed while it judged a call; the call was not applied."""

    kind = "error"

    error: str
    """Type of the exception."""


class Message(Event):
    """A message on the agent's side of the conversation, as the agent's harness reports it."""

    kind = "message"

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: list[dict[str, JsonValue]] = Field(default_factory=list[dict[str, JsonValue]])
    tool_call_id: str = ""


class ModelCall(Event):
    """One call of the model behind the agent, as the agent's harness reports it."""

    kind = "model_call"

    model: str
    input_tokens: int | None = Field(ge=0)
    """Null where the endpoint did not say: unknown is not 0."""
    output_tokens: int | None = Field(ge=0)
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    latency_ms: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    policy_version: str = ""
    tokenizer_hash: str = ""
    template_hash: str = ""
    token_ids_sha256: str = ""
    """Name of the blob that holds the sampled token ids, where they were captured."""
    logprobs_sha256: str = ""


RECORDED: dict[str, type[Message] | type[ModelCall]] = {Message.kind: Message, ModelCall.kind: ModelCall}
"""The events that an agent's harness may append."""
