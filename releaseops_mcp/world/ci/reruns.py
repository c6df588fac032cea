"""How often a command lets a failing test run again: pytest-rerunfailures' `--reruns`."""

import re

_RERUNS = re.compile(r"--reruns[ =](\d+)")


def reruns_of(command: str) -> int:
    """Return the number after `--reruns`; 0 where a test runs once."""
    return max((int(number) for number in _RERUNS.findall(command)), default=0)
