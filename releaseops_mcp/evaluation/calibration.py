"""Calibration: whether a supervisor that says 0.8 is right in eight decisions of ten."""

from pydantic import BaseModel, ConfigDict

BINS = 10


class Bin(BaseModel):
    """The decisions of one range of confidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decisions: int
    confidence: float
    """Mean confidence."""
    right: float
    """Share that was right."""


class Calibration:
    """Counts confident decisions as they come."""

    def __init__(self) -> None:
        self.decisions = 0
        self._squares = 0.0
        self._bins = [(0, 0.0, 0)] * BINS

    def add(self, confidence: float, right: bool) -> None:
        """Count one decision."""
        self.decisions += 1
        self._squares += (confidence - right) ** 2
        place = min(int(confidence * BINS), BINS - 1)
        count, total, hits = self._bins[place]
        self._bins[place] = (count + 1, total + confidence, hits + right)

    @property
    def brier(self) -> float | None:
        """The mean squared distance of confidence from truth (Brier 1950): 0 is perfect, 0.25 is always saying 0.5."""
        return self._squares / self.decisions if self.decisions else None

    def bins(self) -> list[Bin]:
        """Return the ranges that hold a decision, lowest first."""
        return [
            Bin(decisions=count, confidence=total / count, right=hits / count)
            for count, total, hits in self._bins
            if count
        ]
