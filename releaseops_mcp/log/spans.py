"""The spans of an episode as plain data, whichever way they are written or sent: no SDK is needed for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from releaseops_mcp.log.trace import TraceContext

Value = str | int | float | bool
Attributes = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened at one moment of a span."""

    name: str
    at_ns: int
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Span:
    """One operation. Times are Unix times in nanoseconds, ids are lower-case hex."""

    context: TraceContext
    parent: TraceContext | None
    name: str
    kind: Literal["internal", "client"]
    start_ns: int
    end_ns: int
    attributes: Attributes
    error: str | None = None
    """Description of the error that it ended with; None where its status is unset."""
    events: tuple[SpanEvent, ...] = ()
    link: TraceContext | None = None
    """The client's own span of the same call."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The spans of one episode, the episode's own first."""

    version: str
    """Version of this package that logged the episode."""
    spans: tuple[Span, ...]
    remote: bool
    """Whether the first span's parent is a span of the client's."""
