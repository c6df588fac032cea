"""The client of the mounted classic gate: the original's `reset`, `step` and `close`, synchronous and asynchronous."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from releaseops_mcp.client.errors import MalformedAnswer
from releaseops_mcp.client.flow import Flow, Json, Request, run, run_async
from releaseops_mcp.client.http import BASE_URL, AsyncHttp, Place, SyncHttp, ask, server_url
from releaseops_mcp.client.lifetime import AsyncClosing, Closing
from releaseops_mcp.client.models import ReleaseOpsAction, ReleaseOpsObservation
from releaseops_mcp.client.reading import parsed
from releaseops_mcp.client.retries import TIMEOUT_S, Retries

MOUNT = "/classic-gate"

Action = ReleaseOpsAction | Mapping[str, Any]


class ReleaseOpsEnvClient(Closing):
    """Plays classic-gate episodes on a server, one at a time.

        with ReleaseOpsEnvClient("http://localhost:7860") as client:
            first = client.reset(family="green_ci_disabled_payment_test", seed=7)
            after = client.step(ReleaseOpsAction(tool="hold_release", arguments={"reason_code": "awaiting_fix"}))

    Every method raises ClientError. A step carries an action id, so it is safely sent again after a fault; a reset is
    sent again only where it certainly did not arrive, or was refused for lack of room.
    """

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._session = _Session(retries or Retries())
        self._http = SyncHttp(_place(base_url, token, timeout_s))

    def reset(self, **keywords: Any) -> ReleaseOpsObservation:
        """Begin an episode: family, seed, difficulty; what the suite does not know is ignored."""
        return run(self._session.reset(keywords), self._http.perform)

    def step(self, action: Action) -> ReleaseOpsObservation:
        """Make one tool call; raises RuntimeError before a reset."""
        return run(self._session.step(action), self._http.perform)

    def close(self) -> Json:
        """Close the episode and the connections; without an open episode the answer says `closed: false` and why."""
        try:
            return run(self._session.close(), self._http.perform)
        finally:
            self._http.close()


class AsyncReleaseOpsEnvClient(AsyncClosing):
    """Like `ReleaseOpsEnvClient`, to be awaited."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._session = _Session(retries or Retries())
        self._http = AsyncHttp(_place(base_url, token, timeout_s))

    async def reset(self, **keywords: Any) -> ReleaseOpsObservation:
        """Begin an episode: family, seed, difficulty; what the suite does not know is ignored."""
        return await run_async(self._session.reset(keywords), self._http.perform)

    async def step(self, action: Action) -> ReleaseOpsObservation:
        """Make one tool call; raises RuntimeError before a reset."""
        return await run_async(self._session.step(action), self._http.perform)

    async def close(self) -> Json:
        """Close the episode and the connections; without an open episode the answer says `closed: false` and why."""
        try:
            return await run_async(self._session.close(), self._http.perform)
        finally:
            await self._http.close()


def _place(url: str, token: str | None, timeout_s: float) -> Place:
    return Place(server_url(url, MOUNT), token, timeout_s)


class _Session:
    """The one episode that a client plays, and what is said about it."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self._env_id: str | None = None
        self._over = False

    def reset(self, keywords: Mapping[str, Any]) -> Flow[ReleaseOpsObservation]:
        """Ask for a fresh environment."""
        answer = yield from ask(Request("POST", "/reset", keywords), self._retries, safe=False)
        observation = parsed(ReleaseOpsObservation, answer)
        env_id = answer.get("env_id")
        if not isinstance(env_id, str):
            raise MalformedAnswer("POST /reset: the answer names no env_id: is this a ReleaseOps server?")
        self._env_id, self._over = env_id, observation.done
        return observation

    def step(self, action: Action) -> Flow[ReleaseOpsObservation]:
        """Send one action under an id of its own."""
        if self._env_id is None:
            raise RuntimeError("no episode has begun: call reset() first")
        said = action.model_dump() if isinstance(action, ReleaseOpsAction) else dict(action)
        body = {**said, "env_id": self._env_id, "action_id": uuid4().hex}
        answer = yield from ask(Request("POST", "/step", body), self._retries, safe=True)
        observation = parsed(ReleaseOpsObservation, answer)
        self._over = observation.done
        return observation

    def close(self) -> Flow[Json]:
        """Give the environment back, unless the server has let go of it at the episode's end."""
        env_id, over, self._env_id = self._env_id, self._over, None
        if env_id is None:
            return {"closed": False, "reason": "no episode has begun"}
        if over:
            return {"closed": False, "reason": "the episode is over, and the server has closed it by itself"}
        return (yield from ask(Request("POST", "/close", {"env_id": env_id}), self._retries, safe=False))
