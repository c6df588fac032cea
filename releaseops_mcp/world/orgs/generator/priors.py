"""What is likely: sectors, rule families and names, as the YAML files of this folder say it."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.world.orgs.model import Label, Request, Severity

Visibility = Literal["public", "hinted", "hidden"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LikelyService(_Part):
    """A service that an organisation of the sector may have."""

    name: str
    templates: tuple[str, ...]
    tiers: tuple[int, ...]


class LikelyWindow(_Part):
    """A window in which changes may be denied, as minutes since Monday 00:00 where the organisation is."""

    name: str
    start: int
    end: int


class Sector(_Part):
    """What organisations of one sector are like."""

    titles: tuple[str, ...]
    """First words of a title."""
    suffixes: tuple[str, ...]
    """Last words of a title."""
    prose: tuple[str, ...]
    """Sentences over `{title}`, some of which an organisation says of itself."""
    strictness: float = Field(gt=0, lt=1)
    """The mean of the beta distribution that an organisation's strictness is drawn from."""
    phase_hours: dict[Literal[4, 8, 12], float]
    people: tuple[int, int]
    """How few and how many people there are, bots aside."""
    services: tuple[LikelyService, ...]
    teams: tuple[str, ...]
    """Teams besides those that the repositories name as owners."""
    windows: tuple[tuple[LikelyWindow, ...], ...]
    """Times in which changes may be denied: one of these sets."""
    visibility: dict[Visibility, float]
    archetypes: dict[str, float]
    """Mean weights; a drawn organisation's lie within half and one and a half of them."""


class Prior(_Part):
    """How an organisation is likely to use a rule family. Lists are ordered from lenient to strict."""

    family: str = ""
    """The family where that is not the entry's name: a family may be used in several ways."""
    present: float
    """How often an organisation has it."""
    requests: tuple[Request, ...] = ("merge_change",)
    touches: tuple[tuple[str, ...], ...] = ((),)
    """Surfaces of its scope, one of the choices."""
    severities: tuple[Severity, ...] = ("warn", "hold", "block")
    params: dict[str, tuple[Any, ...]] = {}
    """Values of each setting; `{slug}` stands for the organisation's name."""
    waivable: float = 0.0
    """How often it has an exception."""
    waiver_means: tuple[str, ...] = ("quarantine",)
    """Meanings of the labels that may carry the exception."""
    partial: float = 0.15
    """How often it bears on the more critical services alone."""
    split: float = 0.2
    """How often the less critical services have a rule of their own, with another severity."""


class Role(_Part):
    """A worker's place."""

    role: str
    ids: tuple[str, ...]
    briefings: tuple[str, ...] = ("",)


class Vocabulary(_Part):
    """Invented names."""

    people: tuple[str, ...]
    bots: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    """Words by meaning; some words stand under several."""
    exception_days: tuple[int, ...]
    release_manager: Role
    roles: tuple[Role, ...]

    def label(self, means: str) -> Label:
        """Return the label of a meaning."""
        return Label.model_validate({"means": means})


@cache
def sectors() -> Mapping[str, Sector]:
    """Return the sectors by name."""
    return {name: Sector.model_validate(each) for name, each in _read("sectors").items()}


@cache
def rule_priors() -> Mapping[str, Prior]:
    """Return what rules are likely, in the order in which they are written."""
    return {name: Prior.model_validate(each) for name, each in _read("rules").items()}


@cache
def vocabulary() -> Vocabulary:
    """Return the names."""
    return Vocabulary.model_validate(_read("vocabulary"))


def _read(name: str) -> dict[str, Any]:
    text = resources.files(__name__.rpartition(".")[0]).joinpath(f"{name}.yaml").read_text()
    return yaml.safe_load(text)
