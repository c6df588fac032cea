"""Lines that wait on disk until it is known which of them become rows."""

from collections.abc import Iterator
from tempfile import TemporaryFile


class WaitingLines:
    """A temporary file of ASCII lines, written first and read afterwards."""

    def __init__(self) -> None:
        self._file = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 - its owner closes it

    def add(self, line: str) -> None:
        """Put a line behind the others."""
        self._file.write(line + "\n")

    def __iter__(self) -> Iterator[str]:
        """Yield all lines from the first on, without their ends."""
        self._file.seek(0)
        return (line.rstrip("\n") for line in self._file)

    def close(self) -> None:
        """Delete the lines."""
        self._file.close()
