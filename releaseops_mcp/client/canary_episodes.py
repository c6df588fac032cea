"""The client of the mounted classic canary over plain HTTP: episodes by id, and the pages beside them."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from releaseops_mcp.client.canary import MOUNT
from releaseops_mcp.client.canary_models import BegunEpisode, EpisodeStep
from releaseops_mcp.client.canary_session import Decision
from releaseops_mcp.client.flow import Flow, Json, Request, run, run_async
from releaseops_mcp.client.http import BASE_URL, AsyncHttp, Place, SyncHttp, ask, server_url
from releaseops_mcp.client.lifetime import AsyncClosing, Closing
from releaseops_mcp.client.reading import parsed
from releaseops_mcp.client.retries import TIMEOUT_S, Retries
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction


class CanaryEpisodesClient(Closing):
    """Plays classic-canary episodes on a server by their ids; several may run at once.

    Every method raises ClientError. A step carries an action id, so it is safely sent again after a fault.
    """

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._calls = _Calls(retries or Retries())
        self._http = SyncHttp(Place(server_url(base_url, MOUNT), token, timeout_s))

    def begin(self, task: str = "easy", seed: int = 0) -> BegunEpisode:
        """Begin an episode; an unknown task is refused."""
        return run(self._calls.begin(task, seed), self._http.perform)

    def step(self, episode_id: str, action: Decision) -> EpisodeStep:
        """Make one decision."""
        return run(self._calls.step(episode_id, action), self._http.perform)

    def state(self, episode_id: str) -> Json:
        """Return the state of an episode that is not over."""
        return run(self._calls.get(f"/episodes/{episode_id}/state"), self._http.perform)

    def transcript(self, episode_id: str) -> Json:
        """Return the account of an episode, over or not."""
        return run(self._calls.get(f"/episodes/{episode_id}/transcript"), self._http.perform)

    def get(self, path: str) -> Json:
        """Return a page of the server, such as `/tasks`."""
        return run(self._calls.get(path), self._http.perform)

    def post(self, path: str, body: Mapping[str, Any]) -> Json:
        """Return the answer to a post that changes nothing: `/grader` or `/baseline`."""
        return run(self._calls.post(path, body), self._http.perform)

    def close(self) -> None:
        """Close the connections; the episodes stay as they are."""
        self._http.close()


class AsyncCanaryEpisodesClient(AsyncClosing):
    """Like `CanaryEpisodesClient`, to be awaited."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._calls = _Calls(retries or Retries())
        self._http = AsyncHttp(Place(server_url(base_url, MOUNT), token, timeout_s))

    async def begin(self, task: str = "easy", seed: int = 0) -> BegunEpisode:
        """Begin an episode; an unknown task is refused."""
        return await run_async(self._calls.begin(task, seed), self._http.perform)

    async def step(self, episode_id: str, action: Decision) -> EpisodeStep:
        """Make one decision."""
        return await run_async(self._calls.step(episode_id, action), self._http.perform)

    async def state(self, episode_id: str) -> Json:
        """Return the state of an episode that is not over."""
        return await run_async(self._calls.get(f"/episodes/{episode_id}/state"), self._http.perform)

    async def transcript(self, episode_id: str) -> Json:
        """Return the account of an episode, over or not."""
        return await run_async(self._calls.get(f"/episodes/{episode_id}/transcript"), self._http.perform)

    async def get(self, path: str) -> Json:
        """Return a page of the server, such as `/tasks`."""
        return await run_async(self._calls.get(path), self._http.perform)

    async def post(self, path: str, body: Mapping[str, Any]) -> Json:
        """Return the answer to a post that changes nothing: `/grader` or `/baseline`."""
        return await run_async(self._calls.post(path, body), self._http.perform)

    async def close(self) -> None:
        """Close the connections; the episodes stay as they are."""
        await self._http.close()


class _Calls:
    """The requests, and what their answers are read as."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries

    def begin(self, task: str, seed: int) -> Flow[BegunEpisode]:
        """Begin an episode; one that was begun in vain idles out, so only certain failures are tried again."""
        answer = yield from ask(Request("POST", "/episodes", {"task": task, "seed": seed}), self._retries, safe=False)
        return parsed(BegunEpisode, answer)

    def step(self, episode_id: str, action: Decision) -> Flow[EpisodeStep]:
        """Send one decision under an id of its own."""
        said = action.model_dump() if isinstance(action, CanaryAction) else dict(action)
        body = {"action": said, "action_id": uuid4().hex}
        answer = yield from ask(Request("POST", f"/episodes/{episode_id}/step", body), self._retries, safe=True)
        return parsed(EpisodeStep, answer)

    def get(self, path: str) -> Flow[Json]:
        """Read a page."""
        return ask(Request("GET", path), self._retries, safe=True)

    def post(self, path: str, body: Mapping[str, Any]) -> Flow[Json]:
        """Ask for something that changes nothing."""
        return ask(Request("POST", path, body), self._retries, safe=True)
