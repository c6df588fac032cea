"""What a supervisor is: a generator that yields calls and is sent what each came to.

    @supervisor("always-hold", suite="classic-canary", degenerate=True)
    def always_hold(brief: Brief) -> Play:
        while True:
            yield Action("decide_rollout", {...})

Returning means that the supervisor leaves the episode as it is. It sees only what an agent sees.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from releaseops_mcp.catalogue import ToolSpec
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.events import CaptureLevel
from releaseops_mcp.log.blobs import name_of

if TYPE_CHECKING:
    from releaseops_mcp.agents.runners import Runner

Record = Callable[[str, Mapping[str, Any]], None]
"""Appends a `message` or `model_call` of the supervisor's side to the log: a kind of `events.RECORDED`, its fields."""
Keep = Callable[[Iterable[bytes]], list[str]]
"""Stores blobs beside the log and returns the names by which an event speaks of them, in order."""


def unrecorded(kind: str, data: Mapping[str, Any]) -> None:
    """Keep nothing: what a supervisor records where its runner has no log to write to."""


def unkept(contents: Iterable[bytes]) -> list[str]:
    """Name blobs without storing them, beside `unrecorded`."""
    return [name_of(data) for data in contents]


@dataclass(frozen=True, slots=True)
class Brief:
    """What a supervisor knows before its first call."""

    observation: Json
    tools: tuple[ToolSpec, ...]
    seed: int
    """For supervisors that draw: the same seed plays the same."""
    record: Record = unrecorded
    """Where a supervisor with a model behind it reports its messages and model calls."""
    keep: Keep = unkept
    """Where it keeps the tokens that its model sampled."""


@dataclass(frozen=True, slots=True)
class Action:
    """A tool call."""

    tool: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call came to, as the agent sees it."""

    result: Json | None
    error: str | None
    """The refusal's code, or None."""
    observation: Json
    done: bool
    terminal_reason: str | None
    message: str = ""
    """What the refusal says."""


Play = Generator[Action, Turn, None]
Policy = Callable[[Brief], Play]


@dataclass(frozen=True, slots=True)
class Supervisor:
    """A named policy for one suite."""

    name: str
    suite: str
    policy: Policy
    degenerate: bool
    """Whether it needs no judgement: the yardstick that any real supervisor must beat."""
    summary: str
    """One line, from the policy's docstring."""
    model: str = ""
    """Name of the model behind it, scheme and all, such as `openai:NAME`; empty where there is none."""
    capture: CaptureLevel = "tools"
    """How much of its side it records."""
    runner: "Runner | None" = None
    """Plays in place of the policy where the supervisor connects by itself, as an outside process does."""
    slow: bool = False
    """Whether an episode takes seconds rather than milliseconds: what plays all supervisors unasked leaves it out."""


_registered: dict[tuple[str, str], Supervisor] = {}


def supervisor(name: str, *, suite: str, degenerate: bool = False, slow: bool = False) -> Callable[[Policy], Policy]:
    """Register a policy under a name for one suite; the same name may serve several suites."""

    def register(policy: Policy) -> Policy:
        if (name, suite) in _registered:
            raise ValueError(f"two supervisors are called {name!r} for {suite}: give one of them another name")
        summary = (policy.__doc__ or "").strip().splitlines()[0]
        _registered[name, suite] = Supervisor(name, suite, policy, degenerate, summary, slow=slow)
        return policy

    return register


def registered() -> dict[tuple[str, str], Supervisor]:
    """Return what has been registered so far, by name and suite; `registry` loads every module first."""
    return _registered
