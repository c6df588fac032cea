"""What judges share that fail on harm beyond a margin, and pass once a larger harm is ruled out."""

from typing import Self

from pydantic import Field, model_validator

from releaseops_mcp.canary.judges.base import Judge


class MarginJudge(Judge):
    """Base of two-sided judges."""

    margin: float = Field(default=1.25, gt=0.0)
    """How many times the control is tolerated."""
    harm: float | None = None
    """How many times the control must be ruled out before it passes; None: 1.6 times the margin."""

    @model_validator(mode="after")
    def _harm_is_beyond_the_margin(self) -> Self:
        if self.ruled_out <= self.margin:
            raise ValueError(f"harm {self.ruled_out} is within the margin {self.margin}: give a larger harm")
        return self

    @property
    def ruled_out(self) -> float:
        """The harm that a pass rules out."""
        return 1.6 * self.margin if self.harm is None else self.harm
