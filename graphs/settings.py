"""What an operator may set for graphs, beside the log's own settings."""

from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field

from graphs.state import HumanGate
from releaseops_mcp.settings import read_fields


class GraphSettings(BaseModel):
    """Each field is read from RELEASEOPS_ and its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    checkpoints: str = Field(default_factory=lambda: str(Path(user_data_path("releaseops")) / "checkpoints.sqlite3"))
    """Where runs are kept: a SQLite file, or the URL of a Postgres database."""
    arena_url: str = ""
    """URL of an arena's MCP endpoint; empty for the local log."""
    token: str = Field(default="", repr=False)
    """What the arena at the URL wants to see, where it wants a token."""
    model: str = ""
    """Name of the model of graphs that are served, where a request names none."""
    human_gate: HumanGate = "off"
    """Whether graphs that are served ask a person, where a request does not say."""


def read_graph_settings(environment: Mapping[str, str] | None = None) -> GraphSettings:
    """Return the settings of an environment (default: this process's); raises InvalidArgument."""
    return read_fields(GraphSettings, environment, {})
