"""What a format is, and the formats that the files of this folder declare."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from releaseops_mcp.world import artefacts
from releaseops_mcp.world.evidence.sheet import Record
from releaseops_mcp.world.registry import declared

PAGE = 1_100
"""Characters that a page aims at: under 400 tokens of a small model's tokenizer for code and JSON."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of document."""

    name: str
    tool: str
    """The tool that reads it."""
    parse: Callable[[str, str], tuple[Record, ...]]
    """(subject, text) to records; raises ValueError for a text in another format."""
    minutes: int
    """How long reading a page takes: 5 to 30."""


@cache
def formats() -> dict[str, Format]:
    """Return the formats by name."""
    return declared(artefacts, "FORMAT", Format)


def grouped(pieces: list[str], room: int = PAGE) -> list[list[str]]:
    """Return the pieces in order, in groups of at most `room` characters; a longer piece has a group of its own."""
    groups: list[list[str]] = [[]]
    used = 0
    for piece in pieces:
        if groups[-1] and used + len(piece) > room:
            groups.append([])
            used = 0
        groups[-1].append(piece)
        used += len(piece)
    return groups
