"""Executables that stand in for others: a docker that starts nothing, a Python whose openenv says what it is told."""

import os
import sys
from pathlib import Path

DOCKER = """\
import sys
with open({calls!r}, "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
verb = sys.argv[1]
if verb in {failing!r}:
    sys.exit("docker: no such image")
print({{"run": "c0ffee", "port": {published!r}, "rm": "c0ffee"}}[verb])
"""


def executable(path: Path, code: str) -> Path:
    """Write a Python program that may be run by its name."""
    path.write_text(f"#!{sys.executable}\n{code}")
    path.chmod(0o755)
    return path


class Docker:
    """A `docker` in a folder of its own, whose one container is a server that runs already."""

    def __init__(self, folder: Path, server: str, failing: tuple[str, ...] = ()) -> None:
        self._calls = folder / "calls.txt"
        published = server.removeprefix("http://")
        executable(
            folder / "docker", DOCKER.format(calls=str(self._calls), failing=failing, published=f"{published}\n[::]:1")
        )
        self.environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    @property
    def calls(self) -> list[str]:
        """The command lines so far."""
        return self._calls.read_text().splitlines() if self._calls.exists() else []


LIFE = ["run --detach --publish 127.0.0.1::7860 canary:latest", "port c0ffee 7860", "rm --force c0ffee"]
"""What is asked of docker in the life of one container."""
