"""Reads an export back, an episode at a time, and names the first line at which it is not what was written."""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from releaseops_mcp.errors import ChainBroken, LogError
from releaseops_mcp.log.chain import Link, check
from releaseops_mcp.log.lines import EventLine, Manifest, Promise, Record, TruthLine, parse
from releaseops_mcp.log.logged import LoggedEpisode

_CHUNK = 65_536


class ExportLog:
    """The log in an export file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def total(self) -> int:
        """Return how many episodes the manifest names; 0 where it is lost. Raises SchemaTooNew."""
        manifest = read_manifest(self._path)
        return len(manifest.episodes) if manifest else 0

    def episodes(self) -> Iterator[LoggedEpisode]:
        """Yield the episodes in the file's order.

        Raises ChainBroken and SchemaTooNew naming the first bad line. The manifest is read first, so that an episode
        is held against it before it is handed on; where it is lost, everything before the lost tail is still read.
        """
        manifest = read_manifest(self._path)
        with self._path.open("rb") as file:
            lines = _Lines(file)
            try:
                yield from _episodes(lines, manifest)
            except LogError as error:
                raise type(error)(f"line {lines.number}: {error.message}") from None


def _episodes(lines: "_Lines", manifest: Manifest | None) -> Iterator[LoggedEpisode]:
    lines.advance()
    for promise in manifest.episodes if manifest else ():
        yield _episode(lines, promise)
    while not isinstance(lines.ahead, Manifest):
        if manifest:
            raise ChainBroken("it belongs to no episode of the manifest: something was put in")
        yield _episode(lines, None)
    if lines.advance() is not None:
        raise ChainBroken("it stands behind the manifest: something was put in")


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest at the end of an export, or None where none is there; raises SchemaTooNew."""
    try:
        record = parse(_last_line(path))
    except ChainBroken:
        return None
    return record if isinstance(record, Manifest) else None


def _last_line(path: Path) -> bytes:
    tail = b""
    with path.open("rb") as file:
        left = file.seek(0, 2)
        while left and tail.count(b"\n", 0, -1) == 0:
            size = min(_CHUNK, left)
            left -= size
            file.seek(left)
            tail = file.read(size) + tail
    return tail.removesuffix(b"\n").rpartition(b"\n")[2]


class _Lines:
    """The lines of a file, read one ahead."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self.number = 0
        """Number of the line ahead, from 1."""
        self.ahead: Record | None = None
        """What the next line says; None behind the last one."""

    def advance(self) -> Record | None:
        """Read the next line and return what it says; raises ChainBroken and SchemaTooNew."""
        line = self._file.readline()
        self.number += 1
        self.ahead = parse(line) if line else None
        return self.ahead

    def links(self, episode: str) -> Iterator[Link]:
        """Yield the links of one episode; the line of each is ahead until the next is asked for."""
        while isinstance(self.ahead, EventLine) and self.ahead.episode == episode:
            yield self.ahead.link
            self.advance()


def _episode(lines: _Lines, promise: Promise | None) -> LoggedEpisode:
    truth = _take_truth(lines)
    first = lines.ahead
    if not isinstance(first, EventLine):
        raise ChainBroken(_lost(first, promise))
    if promise and first.episode != promise.episode:
        raise ChainBroken(f"episode {promise.episode} is lost: {first.episode} stands in its place")
    count, head = (promise.length, promise.head) if promise else (None, None)
    events = tuple(check(first.episode, lines.links(first.episode), count=count, head=head))
    if truth and truth.world_hash != events[0].data["world_hash"]:
        raise ChainBroken(f"the truth before {first.episode} belongs to another world: a line was removed or moved")
    return LoggedEpisode(first.episode, len(events), events[-1].hash, events, truth.truth if truth else None)


def _take_truth(lines: _Lines) -> TruthLine | None:
    truth = lines.ahead
    if not isinstance(truth, TruthLine):
        return None
    lines.advance()
    return truth


def _lost(ahead: Record | None, promise: Promise | None) -> str:
    if promise:
        return f"episode {promise.episode} is lost: the manifest names it and no event of it is here"
    if ahead is None:
        return "the manifest is missing: the tail of this file is lost; export the log again"
    return "no event follows the truth: a line was removed"
