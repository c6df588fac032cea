"""What OpenEnv's own validator says about the running server, where a Python that has it is named."""

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from releaseops_mcp.client.canary import MOUNT
from releaseops_mcp.client.http import server_url
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import InvalidArgument

TIMEOUT_S = 120.0
SERVER = "http://SERVER"
"""Stands for the server's address, which differs from run to run."""
PYTHON = "python"
"""Stands for the interpreter's path, which differs from machine to machine."""

STRUCTURAL: Json = {
    "status": "not run",
    "why": (
        "openenv-core 0.3.0's structural check wants openenv among the dependencies and a folder named server; this "
        "project has neither, by decision: it speaks OpenEnv's protocol and does not depend on its framework"
    ),
}
NOT_RUN: Json = {"status": "not run", "why": "no Python with openenv was named: give --openenv PYTHON"}


def validate(url: str, openenv: str | None) -> Json:
    """Return the validator's verdicts; raises InvalidArgument for a Python that cannot be run."""
    return {"structural": STRUCTURAL, "live": _run(openenv, url) if openenv else NOT_RUN}


def _run(python: str, url: str) -> Json:
    mounted = server_url(url, MOUNT)
    server = mounted.removesuffix(MOUNT)
    arguments = ["-m", "openenv.cli", "validate", "--json", "--url", mounted]
    done = _ran([python, *arguments])

    def told(text: str) -> str:
        return text.replace(server, SERVER).replace(python, PYTHON)

    return {
        "status": "run",
        "command": [PYTHON, *map(told, arguments)],
        "returncode": done.returncode,
        "stdout": told(done.stdout),
        "stderr": told(done.stderr),
        "passed": done.returncode == 0,
        "parsed_stdout": _parsed(told(done.stdout)),
    }


def _ran(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - the operator names the interpreter, and no shell reads it
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InvalidArgument(f"--openenv {command[0]}: {error}") from error


def _parsed(text: str) -> Any:
    """Return the verdict where it is JSON, else None."""
    try:
        return json.loads(text)
    except ValueError:
        return None
