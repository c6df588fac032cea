"""Rollouts in a container: an image of this server, started with docker for as long as the target is in use."""

import shutil
import subprocess
from collections.abc import Mapping

from releaseops_mcp.client.errors import ClientError, ServerTimeout, Unreachable
from releaseops_mcp.rollouts.health import START_S, wait_until_healthy
from releaseops_mcp.rollouts.remote import AtUrl, RemoteEnvironment

PORT = 7860
"""Where the server listens inside the container."""


class Container:
    """Starts the container at the first entry, publishes its port on the loopback interface, removes it at the end."""

    def __init__(self, image: str, environment: Mapping[str, str], *, start_s: float = START_S) -> None:
        self._image = image
        self._environment = dict(environment)
        self._start_s = start_s
        self._container = ""
        self._server: AtUrl | None = None
        self._failure: ClientError | None = None

    def enter(self) -> RemoteEnvironment:
        """Open a session in the container; raises ClientError, the first one again where it could not be started."""
        if self._failure is not None:
            raise self._failure
        if self._server is None:
            try:
                self._server = self._start()
            except ClientError as failure:
                self._failure = failure
                raise
        return self._server.enter()

    def close(self) -> None:
        """Remove the container; raises ClientError."""
        if self._container:
            container, self._container, self._server = self._container, "", None
            self._docker("rm", "--force", container)

    def _start(self) -> AtUrl:
        self._container = self._docker("run", "--detach", "--publish", f"127.0.0.1::{PORT}", self._image)
        url = f"http://{self._docker('port', self._container, str(PORT)).splitlines()[0]}"
        wait_until_healthy(url, within_s=self._start_s)
        return AtUrl(url)

    def _docker(self, *arguments: str) -> str:
        docker = shutil.which("docker", path=self._environment.get("PATH"))
        if docker is None:
            raise Unreachable(f"image {self._image}: there is no docker here: install it, or name a URL")
        command = [docker, *arguments]
        try:
            done = subprocess.run(  # noqa: S603 - the operator names the image, and no shell reads it
                command, env=self._environment, capture_output=True, text=True, timeout=self._start_s, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ServerTimeout(f"docker {arguments[0]} did not end within {self._start_s:g} s") from error
        except OSError as error:
            raise Unreachable(f"docker {arguments[0]}: {error}") from error
        if done.returncode != 0 or not done.stdout.strip():
            detail = " ".join(done.stderr.split()) or f"exit code {done.returncode}, no output"
            raise Unreachable(f"docker {arguments[0]}: {detail}")
        return done.stdout.strip()
