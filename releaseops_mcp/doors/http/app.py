"""Assembles the HTTP app: the unified environment at the root, MCP, the episodes, the grading, and the two classics."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.routing import BaseRoute, Mount, Route

from releaseops_mcp.doors.holder import ArenaHolder
from releaseops_mcp.doors.http import classic_canary, classic_gate
from releaseops_mcp.doors.http.catalogue import add_catalogue
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.doors.http.episodes import add_episodes
from releaseops_mcp.doors.http.events import add_events
from releaseops_mcp.doors.http.grading import add_grading
from releaseops_mcp.doors.http.mcp import McpEndpoint
from releaseops_mcp.doors.http.openenv import add_openenv
from releaseops_mcp.doors.http.problems import install_problems
from releaseops_mcp.doors.http.security import Guard
from releaseops_mcp.doors.http.settings import HttpSettings, read_http_settings
from releaseops_mcp.doors.mcp import identity
from releaseops_mcp.doors.mcp.serving import PATH
from releaseops_mcp.settings import open_arena

API_VERSION = "1.0.0"
"""Version of these routes; OpenEnv's validator takes 1.x for its own profile."""

HOT_PATHS = ("/step", "/episodes/{episode_id}/step", PATH, "/classic-gate", "/classic-canary")

DESCRIPTION = f"""{identity.DESCRIPTION}

Besides the routes below: `POST /mcp` is the MCP server, `/ws` OpenEnv's WebSocket, `/classic-gate` and
`/classic-canary` are the originals' environments with documents of their own (`/classic-gate/docs`).
"""


def create_app(settings: HttpSettings | None = None, holder: ArenaHolder | None = None) -> FastAPI:
    """Return the app; nothing is opened before the first call that needs the log.

    Raises InvalidArgument for a setting in the environment that cannot be.
    """
    settings = settings or read_http_settings()
    door = HttpDoor(holder or ArenaHolder(lambda: open_arena(settings)), settings)
    mcp = McpEndpoint(door)
    classics = {"/classic-gate": classic_gate.build(door), "/classic-canary": classic_canary.build(door)}

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(door.close)
            for mounted in classics.values():
                await stack.enter_async_context(mounted.router.lifespan_context(mounted))
            await stack.enter_async_context(mcp.running())
            yield

    app = FastAPI(title=identity.TITLE, description=DESCRIPTION, version=API_VERSION, lifespan=lifespan)
    for add in (add_openenv, add_episodes, add_events, add_catalogue, add_grading):
        add(app, door)
    app.router.routes.append(Route(PATH, mcp))
    app.router.routes.extend(Mount(path, mounted) for path, mounted in classics.items())
    app.router.routes.sort(key=_is_rarely_asked)
    install_problems(app)
    app.add_middleware(Guard, settings=settings, access=door.access)
    return app


def _is_rarely_asked(route: BaseRoute) -> bool:
    """Put the routes of a step first: a request is held against one route after the other."""
    return getattr(route, "path", "") not in HOT_PATHS
