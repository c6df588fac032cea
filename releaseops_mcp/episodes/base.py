"""What a suite is: scenarios that generate worlds, and episodes that are pure state machines over them.

An episode has no clock, does no I/O and draws no random number beyond its seed. It knows no reward: the reward module
folds the logged calls instead. It judges every call itself, the malformed ones too, and never raises for one: a
refused call is an `Outcome` with a `Refusal`, and has changed nothing but what the suite documents.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.catalogue import ToolSpec
from releaseops_mcp.errors import UserError

Json = dict[str, Any]
"""A JSON object; every value in it is plain JSON data."""


class Scenario(BaseModel):
    """The operator's name of one world, parsed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Canonical id, such as `classic-canary/easy/seed-0`: the same scenario always has the same id."""
    suite: str
    family: str
    """What results are grouped by."""
    level: str
    """How hard it is, in the suite's own words."""
    seed: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call was refused."""

    code: str
    """The suite's own code, such as `unknown_artifact`."""
    message: str
    """What is wrong, with which id, and what to do next."""
    kind: type[UserError]
    """Where the code hangs in the error tree: gives a door its status."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call came to: a result or a refusal."""

    result: Json | None = None
    refusal: Refusal | None = None


class Episode(ABC):
    """One play of one world. `done` and `terminal_reason` may only change inside `call` and `close`."""

    done: bool = False
    terminal_reason: str | None = None

    @abstractmethod
    def observe(self) -> Json:
        """Return the current observation: a fresh object of plain JSON data, shown (rounded) values only."""

    @abstractmethod
    def call(self, tool: str, arguments: Json) -> Outcome:
        """Judge one call of one of the suite's tools; `arguments` is plain JSON data of any shape."""

    @abstractmethod
    def close(self) -> None:
        """End the episode at the agent's wish: `done` becomes true, and later calls meet the suite's own answer."""

    @property
    @abstractmethod
    def world_hash(self) -> str:
        """SHA-256 over everything that the scenario generated, the truth included."""

    @abstractmethod
    def truth(self) -> Json:
        """Return what the scorer needs beyond the log, as at most 8 kB of plain JSON data."""


class Suite(ABC):
    """A family of scenarios that are played with the same tools and scored by the same scorer."""

    name: ClassVar[str]
    version: ClassVar[str]
    """Semantic version of generator and dynamics: a log is replayed only by the version that wrote it."""
    title: ClassVar[str]
    open_ids: ClassVar[bool]
    """Whether agents may see and name scenario ids; where not, they get opaque tickets."""
    tools: ClassVar[tuple[ToolSpec, ...]]
    error_codes: ClassVar[Mapping[str, type[UserError]]]
    """Every code that a `Refusal` of this suite may carry."""
    families: ClassVar[tuple[str, ...]]
    default_scenario: ClassVar[str]
    policy: ClassVar[str]
    """The visible rules of the organisation, as Markdown."""
    briefing: ClassVar[str]
    """What a supervisor is told before it starts, as Markdown; names no tool argument that the catalogue lacks."""

    @abstractmethod
    def parse(self, scenario_id: str) -> Scenario:
        """Return the scenario of an id of this suite; raises UnknownScenario saying which ids exist."""

    @abstractmethod
    def begin(self, scenario: Scenario) -> Episode:
        """Generate the world and return a fresh episode over it."""

    @abstractmethod
    def grid(self, seeds: range) -> Iterator[str]:
        """Yield the scenario ids of every family at the suite's usual level, family by family, for `seeds`."""

    @abstractmethod
    def splits(self) -> Mapping[str, tuple[str, ...]]:
        """Return the named, fixed scenario lists of this suite."""
