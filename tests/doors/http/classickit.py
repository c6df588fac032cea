"""Serves one mounted classic over a log of its own, without a server in between."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.limits import Limits
from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.settings import HttpSettings
from releaseops_mcp.log.rows import EpisodeRow
from releaseops_mcp.settings import open_arena, open_store
from tests.clock import Clock, sources
from tests.playing import logged

DATA = Path(__file__).parents[2] / "data"
GRADER = {"authorization": "Bearer the-grader"}


class Served:
    """A mounted app, a client of it, and the arena behind it."""

    def __init__(self, door: HttpDoor, app: FastAPI, client: TestClient) -> None:
        self.door = door
        self.app = app
        self.client = client

    @property
    def arena(self) -> Arena:
        return self.door.holder.get()

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.client.post(path, json=body, **options)

    def row(self, episode_id: str) -> EpisodeRow:
        row = self.arena.store.episode(episode_id)
        assert row is not None
        return row

    def total(self, episode_id: str) -> float:
        """Return an episode's figure as the arena has it."""
        return self.arena.report(episode_id)[0].total

    def codes(self, episode_id: str) -> list[str | None]:
        """Return the error code of each logged call."""
        events = logged(self.arena.store, episode_id).events
        return [event.data["error"] for event in events if event.kind == "tool_result"]


@contextmanager
def serving(
    build: Callable[[HttpDoor], FastAPI], folder: Path, clock: Clock | None = None, **settings: Any
) -> Iterator[Served]:
    """Serve an app over the log in a folder; two on one folder are two processes on one log."""
    chosen = HttpSettings(database_url=f"sqlite:///{folder / 'log.sqlite3'}", **settings)

    def opened() -> Arena:
        return open_arena(chosen) if clock is None else Arena(open_store(chosen), sources(clock), Limits())

    door = HttpDoor(ArenaHolder(opened), chosen)
    app = build(door)
    with TestClient(app) as client:
        yield Served(door, app, client)
    door.close()


class Socket:
    """One WebSocket session."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def send(self, kind: str, data: Any = None) -> Any:
        """Send a frame and return the answer's type and data."""
        self._session.send_json({"type": kind} if data is None else {"type": kind, "data": data})
        return self.receive()

    def raw(self, text: str) -> Any:
        self._session.send_text(text)
        return self.receive()

    def receive(self) -> Any:
        frame = self._session.receive_json()
        return frame["type"], frame["data"]


@contextmanager
def connected(served: Served) -> Iterator[Socket]:
    """Connect to an app's /ws."""
    with served.client.websocket_connect("/ws") as session:
        yield Socket(session)


def live_checks(served: Served) -> dict[str, bool]:
    """Return what OpenEnv's validator looks at on a live server, and whether it would pass."""
    openapi = served.get("/openapi.json").json()
    metadata, schema = served.get("/metadata").json(), served.get("/schema").json()
    probe = served.client.post("/mcp", json={})
    return {
        "openapi": openapi["info"]["version"].startswith("1."),
        "health": served.get("/health").json()["status"] == "healthy",
        "metadata": isinstance(metadata["name"], str) and isinstance(metadata["description"], str),
        "schema": all(isinstance(schema[name], dict) for name in ("action", "observation", "state")),
        "mcp": probe.status_code == 200 and probe.json()["jsonrpc"] == "2.0",
        "modes": {"/reset", "/step", "/state"} <= openapi["paths"].keys(),
    }


def undocumented(served: Served) -> list[str]:
    """Return the operations without the statuses that any request may meet."""
    return [
        f"{method} {path}"
        for path, operations in served.get("/openapi.json").json()["paths"].items()
        for method, operation in operations.items()
        if not {"200", "401", "403", "421", "503"} <= operation["responses"].keys()
    ]
