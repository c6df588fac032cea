"""What can be read: an artefact is a row of sheets (pages), each a whole document in its real format.

A *topic* is what a sheet is about, such as the reviews of `pr_12`. A long document is cut so that every part of it is a
valid document by itself; a topic is known when all its parts have been read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Topic(NamedTuple):
    """A format and what the document is about; a rule asks for topics, a reader finds the sheets that hold them."""

    format: str
    """Name of a file of `artefacts/`."""
    subject: str
    """Id of an artefact, such as `pr_12`."""


class Record:
    """Base of the typed facts that a format's parser returns; every subclass is a frozen dataclass."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: a document, or one part of it."""

    topic: Topic
    text: str
    part: int = 1
    parts: int = 1


@dataclass(frozen=True)
class Artefact:
    """Something that a tool can read by its id. Its sheets are rendered when first asked for."""

    id: str
    tool: str
    """Name of the tool that reads it."""
    render: Callable[[], tuple[Sheet, ...]]

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The pages in order."""
        return self.render()


def sheet_key(tool: str, artefact: str, page: int) -> str:
    """Return the name of a page: the tool tells reviews from the diff of one pull request."""
    return f"{tool}:{artefact}#{page}"
