"""What a kind of dataset is: what it picks from each episode, and how rows are made of what was picked.

Picking is done by several processes side by side; what they hand over is collected in the log's order by one, so that
the same log gives the same dataset.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.log.blobs import Blobs
from training.datasets.rollout import Rollout

Row = dict[str, Any]
"""One row of a dataset, as plain JSON data."""
Again = Callable[[frozenset[str]], Iterator[Rollout]]
"""Reads episodes, chosen by their ids, a second time."""


class Options(BaseModel):
    """What a kind lets a user choose."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Chosen = TypeVar("Chosen", bound=Options)
Picked = TypeVar("Picked")


class Collector(ABC, Generic[Picked]):
    """Takes what was picked, in order, and makes rows of it; holds no more than a few bytes an episode in memory."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()
        """Why something became no row, and how often."""

    @abstractmethod
    def add(self, picked: Picked) -> None:
        """Take in one thing that was picked."""

    @abstractmethod
    def rows(self, again: Again) -> Iterator[str]:
        """Yield the rows, each as a line of JSON, once everything is in."""

    def close(self) -> None:
        """Give back what the collector holds on disk."""


class Kind(ABC, Generic[Chosen, Picked]):
    """A kind of dataset."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """What its rows are for, in one line."""
    options: ClassVar[type[Options]]

    def __init__(self, chosen: Chosen) -> None:
        self.chosen = chosen

    @abstractmethod
    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Picked | str]:
        """Return what an episode has to offer; a text says why something in it cannot be used.

        `blobs` are those of the log it came from; None in an export.
        """

    @abstractmethod
    def collector(self) -> Collector[Picked]:
        """Return an empty collector."""
