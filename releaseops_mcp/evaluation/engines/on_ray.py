"""The Ray engine: episodes are spread over a Ray cluster, and the log that all of its nodes write is the shared one.

Only names, numbers and the settings travel to the workers, and only what an episode came to travels back. When a
worker dies, the episode that it leaves behind is closed and the scenario is played once more; when that worker dies too
it is a failure of infrastructure, which is counted apart.
"""

import importlib
import os
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument, ReleaseOpsError
from releaseops_mcp.evaluation.engines.left_behind import close_left_behind
from releaseops_mcp.evaluation.engines.worker import play_there
from releaseops_mcp.events import Origin
from releaseops_mcp.settings import Settings

ATTEMPTS = 2
"""How many workers may die under an episode before it is given up."""
KNOCK_SECONDS = 10.0
"""How long a cluster may take to answer at all."""
CLOSER = Origin(door="python", client="ray")
"""As whom the engine closes what a worker has left behind."""


@contextmanager
def on_ray(arena: Arena, settings: Settings, via: str, jobs: int | None) -> Generator["OnRay"]:
    """Join the cluster that RAY_ADDRESS names, or start one on this machine; leave it at the end.

    A connection that this process has already is used and left alone. Raises InvalidArgument where Ray is not
    installed, or where several nodes would write one SQLite file, and EnvironmentFault where there is no such cluster.
    """
    ray = _ray()
    ours = not ray.is_initialized()
    try:
        if ours:
            _join(ray)
        _refuse_sqlite_of_many(ray, settings)
        yield OnRay(ray, arena, settings, via, jobs or max(1, int(ray.cluster_resources().get("CPU", 1))))
    finally:
        if ours:
            ray.shutdown()


class OnRay:
    """Plays each episode as a Ray task, under a ticket of its own."""

    def __init__(self, ray: Any, arena: Arena, settings: Settings, via: str, jobs: int) -> None:
        self.jobs = jobs
        self._ray = ray
        self._arena = arena
        self._settings = _with_whole_path(settings).model_dump_json()
        self._via = via
        # The engine plays again by itself: Ray would not tell it that there is an open episode to be closed.
        self._task = ray.remote(max_retries=0)(play_there)

    def begin(self, scenarios: Sequence[str]) -> None:
        """Do nothing: by a ticket of its own, an episode is found again whose worker has died."""

    def play(self, supervisor: Supervisor, scenario: str, *, seed: int) -> Played:
        """Play one episode somewhere; raises what its runner raises, and EnvironmentFault where Ray fails."""
        [ticket] = self._arena.tickets.mint([scenario])
        left: list[Played] = []
        for _ in range(ATTEMPTS):
            try:
                return self._played(supervisor, ticket, seed)
            except _WorkerDied as death:
                fault = f"infrastructure: {ATTEMPTS} workers died under this episode, the last by {death}"
                left.append(close_left_behind(self._arena, supervisor, ticket, fault=fault, closer=CLOSER))
        return next((played for played in reversed(left) if played.episode_id), left[-1])

    def _played(self, supervisor: Supervisor, ticket: str, seed: int) -> Played:
        errors = self._ray.exceptions
        try:
            return self._ray.get(
                self._task.remote(self._settings, self._via, supervisor.name, supervisor.suite, ticket, seed)
            )
        except errors.RayTaskError as error:
            if isinstance(error.cause, ReleaseOpsError):
                raise error.cause from None
            raise
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError, errors.ObjectLostError) as e:
            raise _WorkerDied(type(e).__name__) from e
        except errors.RayError as error:
            raise _failed(error) from error


class _WorkerDied(Exception):
    """The process or the node that played an episode is gone."""


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read at the import: nothing is told to anybody
    if not os.environ.get("RAY_ADDRESS"):
        os.environ.setdefault("RAY_AUTH_MODE", "token")  # a cluster of ours listens on every interface of the machine
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise InvalidArgument(
            f"the engine ray needs {error.name}, which is not installed here: pip install 'releaseops-arena[ray]'"
        ) from error


def _join(ray: Any) -> None:
    address = os.environ.get("RAY_ADDRESS", "")
    where: dict[str, Any] = {"address": "auto"} if address else {"address": "local", "include_dashboard": False}
    try:
        _knock(address)
        ray.init(log_to_driver=False, logging_level="warning", **where)
    except (OSError, RuntimeError, ValueError) as error:
        raise _failed(error) from error
    # Ray prints the death of a worker to stdout, where figures go, and has no public way to keep it from that.
    ray._private.worker._worker_logs_enabled = False


def _knock(address: str) -> None:
    """Raise OSError at once where nobody listens at HOST:PORT: Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()


def _refuse_sqlite_of_many(ray: Any, settings: Settings) -> None:
    nodes = sum(1 for node in ray.nodes() if node["Alive"])
    if nodes > 1 and make_url(settings.database_url).get_backend_name() == "sqlite":
        raise InvalidArgument(
            f"this Ray cluster has {nodes} nodes, and a SQLite file is one machine's: name a Postgres log that all of "
            "them reach, as in --database postgresql://USER@HOST/NAME"
        )


def _with_whole_path(settings: Settings) -> Settings:
    """Return the settings for workers, whose working folder may be another one."""
    url = make_url(settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        return settings
    whole = url.set(database=str(Path(url.database).absolute()))
    return settings.model_copy(update={"database_url": whole.render_as_string(hide_password=False)})


def _failed(error: Exception) -> EnvironmentFault:
    said = (str(error).strip().splitlines() or [""])[0][:200]
    return EnvironmentFault(
        f"Ray failed ({type(error).__name__}: {said}): look after the cluster, then give the same command again"
    )
