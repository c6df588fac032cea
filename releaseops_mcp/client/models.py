"""The models of the original gate client's contract."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class ReleaseOpsAction(BaseModel):
    """One tool call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    """A tool of the suite, such as `inspect_pr_diff`."""
    arguments: dict[str, Any] = Field(default_factory=dict)


class ReleaseOpsObservation(BaseModel):
    """What a reset or a step came to. Fields that a newer server adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    observation: dict[str, Any]
    """The release as the supervisor sees it."""
    result: Any = None
    """What the tool answered; None after a reset."""
    reward: float
    """Cumulative."""
    done: bool
    terminal_reason: str | None = None
    """safe_ship, unsafe_ship or missed_deadline; None while the episode runs."""
