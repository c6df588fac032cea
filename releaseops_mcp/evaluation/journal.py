"""`results.jsonl`: an episode a line, in the order in which they ended, found again by key."""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from pydantic import ValidationError

from releaseops_mcp.errors import ChainBroken
from releaseops_mcp.evaluation.entries import Entry, Key


class Journal:
    """Keeps episodes in a file; memory holds where each line begins, and no episode.

    A line that was cut short by the end of the process is cut off: that episode is played again. Raises ChainBroken for
    a line that is no episode's.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._places: dict[Key, int] = {}
        self._file = path.open("a+b")
        try:
            self._read()
        except ChainBroken:
            self._file.close()
            raise

    def __len__(self) -> int:
        return len(self._places)

    def recorded(self, key: Key) -> Entry | None:
        """Return an episode that was kept before, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        with self._lock:
            self._file.seek(place)
            return Entry.model_validate_json(self._file.readline())

    def last(self) -> Entry | None:
        """Return the episode that was kept last; None where there is none."""
        return self.recorded(next(reversed(self._places))) if self._places else None

    def keep(self, entry: Entry) -> None:
        """Append an episode; it is in the file when this returns, whatever becomes of the process."""
        line = entry.model_dump_json().encode() + b"\n"
        with self._lock:
            self._places[entry.key] = self._file.seek(0, os.SEEK_END)
            self._file.write(line)
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self) -> None:
        place = self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n"):
                self._file.truncate(place)
                break
            self._places[_entry(line, self._path, place).key] = place
            place += len(line)


def read_journal(path: Path) -> Iterator[Entry]:
    """Yield the episodes of a file; raises ChainBroken naming the first bad place."""
    place = 0
    with path.open("rb") as file:
        for line in file:
            yield _entry(line, path, place)
            place += len(line)


def _entry(line: bytes, path: Path, place: int) -> Entry:
    try:
        return Entry.model_validate_json(line)
    except ValidationError as error:
        raise ChainBroken(
            f"{path.name}, byte {place}: this is no line of results: {error.errors()[0]['msg']}"
        ) from None
