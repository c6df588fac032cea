"""What an operator of the HTTP server may set, besides the settings that every door shares."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator

from releaseops_mcp.settings import Settings, read_fields

_ORIGINALS = {
    "max_concurrent_envs": "MAX_CONCURRENT_ENVS",
    "max_completed_episodes": "MAX_COMPLETED_EPISODES",
    "space_host": "SPACE_HOST",
}
"""Variables that the originals, or Hugging Face, name without our prefix."""


class HttpSettings(Settings):
    """Each field is read from RELEASEOPS_ and its name in capitals, but those of the originals from their own names."""

    token: str = Field(default="", repr=False)
    """Bearer token that every state-changing request, MCP and WebSocket must show; empty for none."""
    grader_token: str = Field(default="", repr=False)
    """Bearer token that opens the graded oracle (and everything else); empty: open for suites with open ids only."""
    max_body_bytes: int = Field(default=1_048_576, ge=1_024)
    """A longer body or WebSocket message is refused."""
    max_ws_sessions: int = Field(default=1_024, ge=1)
    """WebSocket sessions that one process holds at once."""
    max_concurrent_envs: int = Field(default=64, ge=1)
    """Classic-gate's limit on open sessions."""
    max_completed_episodes: int = Field(default=0, ge=0)
    """Classic-canary forgets finished results beyond this many, first in first out; 0 for never."""
    space_host: str = ""
    """Host name of a Hugging Face Space: allowed where `allowed_hosts` names none."""

    @field_validator("max_completed_episodes", mode="before")
    @classmethod
    def _as_the_original_read_it(cls, value: Any) -> Any:
        """Return 128 for what is no number, and at least 1 for what is one, as the original did."""
        if not isinstance(value, str):
            return value
        try:
            return max(1, int(value))
        except ValueError:
            return 128

    @property
    def reachable_as(self) -> tuple[str, ...]:
        """Hosts under which other machines reach this server."""
        return self.allowed_hosts or ((self.space_host,) if self.space_host else ())


def read_http_settings(environment: Mapping[str, str] | None = None) -> HttpSettings:
    """Return the settings of an environment (default: this process's); raises InvalidArgument naming the variable."""
    return read_fields(HttpSettings, environment, _ORIGINALS)
