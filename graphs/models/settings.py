"""What may be set about a model; each setting is read from RELEASEOPS_MODEL_ and its name in capitals."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from releaseops_mcp.settings import read_fields

PREFIX = "RELEASEOPS_MODEL_"
OTHER_NAMES = {"RELEASEOPS_MODEL_URL": "OPENAI_BASE_URL", "RELEASEOPS_MODEL_KEY": "OPENAI_API_KEY"}
"""Where ours is not set, what the openai client itself would read."""


class ModelSettings(BaseModel):
    """What an operator may set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = "https://api.openai.com/v1"
    """Base URL of an OpenAI-compatible endpoint."""
    key: str = Field(default="", repr=False)
    """Sent as a bearer token; many local endpoints need none."""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Left to the endpoint where it is not set (some models refuse it); local weights then decode greedily."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Longest answer; an endpoint's own limit, or 1,024 with local weights, where it is not set."""
    timeout_s: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    """How long to wait for one answer of an endpoint."""
    attempts: int = Field(default=4, ge=1)
    """How often a call is made at most where the endpoint fails it."""
    prices: Path | None = None
    """A price table (see `prices`); without one, costs are unknown."""


def read_model_settings(environment: Mapping[str, str] | None = None) -> ModelSettings:
    """Return the settings of an environment (default: this process's); raises InvalidArgument naming the variable."""
    environment = os.environ if environment is None else environment
    given = {ours: environment[theirs] for ours, theirs in OTHER_NAMES.items() if environment.get(theirs)}
    renamed = {name: PREFIX + name.upper() for name in ModelSettings.model_fields}
    return read_fields(ModelSettings, given | {key: value for key, value in environment.items() if value}, renamed)
