"""A log of its own for every test, the server over it, and clients of both protocol eras."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import Implementation

from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.mcp.server import build_server
from releaseops_mcp.log.chain import LoggedEvent, check
from releaseops_mcp.settings import Settings, open_arena
from tests.doors.mcp.doorkit import MODES, ROOT, SERVER, free_port, wait_for


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'log.sqlite3'}"


@pytest.fixture
def settings(database_url: str) -> Settings:
    return Settings(database_url=database_url)


@pytest.fixture
def arena(settings: Settings) -> Iterator[Arena]:
    with closing(open_arena(settings)) as opened:
        yield opened


@pytest.fixture(params=MODES)
def era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def client_of(era: str) -> Callable[..., Client]:
    """Make a client of the era: of a server object, of parameters for stdio, or of a URL."""

    def make(target: Any, name: str = "tester", **options: Any) -> Client:
        info = Implementation(name=name, version="1.2.3")
        return Client(target, mode=MODES[era], client_info=info, **options)

    return make


@pytest.fixture
def client(arena: Arena, client_of: Callable[..., Client]) -> Client:
    """A client of an in-memory server over the arena; to be entered in the test."""
    return client_of(build_server(arena))


@pytest.fixture
def history(arena: Arena) -> Callable[[str], list[LoggedEvent]]:
    """Return the checked events of an episode."""

    def read(episode_id: str) -> list[LoggedEvent]:
        row = arena.store.episode(episode_id)
        assert row is not None
        row, links = arena.store.chain(row.number)
        return list(check(row.id, links, count=row.count, head=row.head))

    return read


@pytest.fixture
def environment(database_url: str) -> dict[str, str]:
    """The environment of a server process on the test's log."""
    return dict(os.environ, RELEASEOPS_DATABASE_URL=database_url, PYTHONPATH=str(ROOT))


@pytest.fixture
def over_stdio(environment: dict[str, str]) -> Callable[..., StdioServerParameters]:
    """Return how to start the server over stdio, with more arguments if need be."""

    def parameters(*arguments: str) -> StdioServerParameters:
        return StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], *arguments], env=environment)

    return parameters


@pytest.fixture
def serving(environment: dict[str, str]) -> Callable[..., Any]:
    """Start the server over HTTP in a process of its own; gives its URL and the process."""

    @contextmanager
    def serve(*arguments: str, port: int | None = None) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
        port = port or free_port()
        command = [*SERVER, "--http", "--port", str(port), *arguments]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}/mcp", process
        finally:
            process.kill()
            process.communicate()

    return serve
