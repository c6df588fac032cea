"""An outside agent's process: what it is handed, and how it is waited for.

It is handed the path of an mcp.json and a prompt, as placeholders in its command line ({mcp_config}, {prompt},
{prompt_file}, {url}, {ticket}) and as environment variables of the same names behind RELEASEOPS_. It works in a folder
of its own, which is empty but for these files, and does not learn where the log lies.
"""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from releaseops_mcp.agents.drive import InfrastructureFailed

VARIABLE = "RELEASEOPS_"
HIDDEN = "RELEASEOPS_DATABASE_URL"
"""Kept from the process: the log holds the truth of every world."""
POLL_S = 0.05
FAREWELL_S = 5.0
"""How long a process may take to end after its episode has."""
TAIL_CHARS = 300


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    code: int | None
    """Its exit code; None where it was stopped."""
    timed_out: bool
    """Whether it was stopped with its episode unfinished."""
    tail: str
    """The end of what it printed."""


def handed(folder: Path, url: str, ticket: str, prompt: str) -> dict[str, str]:
    """Write what an agent is handed into its folder and return all of it by name."""
    config, told = folder / "mcp.json", folder / "prompt.md"
    server = {"releaseops": {"type": "http", "url": url}}
    config.write_text(json.dumps({"mcpServers": server}, indent=2) + "\n", encoding="utf-8")
    told.write_text(prompt + "\n", encoding="utf-8")
    named = {"mcp_config": str(config), "prompt_file": str(told)}
    return named | {"prompt": prompt, "url": url, "ticket": ticket}


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return a command line with its placeholders filled; what fills one is not searched for others."""
    return [_fill(part, values) for part in command]


def _fill(part: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        before, placeholder, after = part.partition(f"{{{name}}}")
        if placeholder:
            return _fill(before, values) + value + _fill(after, values)
    return part


def environment_for(values: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of an agent: this process's, what it is handed, and nothing about the log."""
    own = {name: value for name, value in os.environ.items() if name != HIDDEN}
    return own | {f"{VARIABLE}{name.upper()}": value for name, value in values.items()}


def run_agent(
    command: Sequence[str], values: Mapping[str, str], folder: Path, *, is_over: Callable[[], bool], timeout_s: float
) -> Ended:
    """Run a process until it ends, its episode `is_over`, or time is up; whatever is left of it then is stopped.

    Raises InfrastructureFailed where it cannot be started.
    """
    output = folder / "output.txt"
    with output.open("wb") as printed:
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's own command
                filled(command, values),
                cwd=folder,
                env=environment_for(values),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise InfrastructureFailed(f"cannot start {command[0]}: {error.strerror}") from error
        try:
            timed_out = _wait(process, is_over, timeout_s)
        finally:
            stopped = process.poll() is None
            _stop(process)
    return Ended(None if stopped else process.returncode, timed_out, _tail(output))


def _wait(process: subprocess.Popen[bytes], is_over: Callable[[], bool], timeout_s: float) -> bool:
    """Return whether time was up before the process or its episode ended."""
    deadline = monotonic() + timeout_s
    while process.poll() is None and not is_over():
        if monotonic() >= deadline:
            return True
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
    with suppress(subprocess.TimeoutExpired):
        process.wait(FAREWELL_S)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process with all that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _tail(output: Path) -> str:
    text = output.read_text(encoding="utf-8", errors="replace")
    return " ".join(text.split())[-TAIL_CHARS:]
