"""What an episode counts towards, where a suite's results are broken down further than by family."""

from pydantic import BaseModel, ConfigDict


class Slice(BaseModel):
    """One group that an episode, or some of its decisions, belong to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: str
    """What is grouped by, in the suite's own words, such as `rule family`."""
    name: str
    """The group."""
    whole: bool = False
    """Whether the scenario itself belongs to the group, so that the episode's figure counts there."""
    decisions: int = 0
    """Decisions of the episode in the group; 0 where the log holds no truth to grade them by."""
    right: int = 0
    """How many of these decisions were right."""
