"""The client of the mounted classic canary over its WebSocket: a session is a socket, and `reset` begins an episode."""

from releaseops_mcp.client.canary_models import RolloutObservation, StepResult
from releaseops_mcp.client.canary_session import CanarySession, Decision
from releaseops_mcp.client.flow import Json, run, run_async
from releaseops_mcp.client.http import BASE_URL, Place, server_url
from releaseops_mcp.client.lifetime import AsyncClosing, Closing
from releaseops_mcp.client.retries import TIMEOUT_S, Retries
from releaseops_mcp.client.websocket import AsyncSocket, SyncSocket

MOUNT = "/classic-canary"


class CanaryClient(Closing):
    """Plays classic-canary episodes on a server, one at a time, as the original's client did.

        with CanaryClient("http://localhost:7860") as client:
            observation = client.reset(task="hard", seed=0)
            result = client.step({"action_type": "increase_10", ...})

    Every method raises ClientError. A reset is made again after a fault, on a fresh socket. A step is not, since
    nobody knows whether it was applied: `resume` continues the episode that `state` named, and its step_number tells.
    """

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._session = CanarySession(retries or Retries())
        self._socket = SyncSocket(_place(base_url, token, timeout_s))

    def connect(self) -> None:
        """Open the socket; `reset` does it otherwise."""
        run(self._session.connect(), self._socket.perform)

    def reset(self, task: str = "easy", seed: int = 0) -> RolloutObservation:
        """Begin an episode and return its first observation."""
        return run(self._session.reset(task, seed), self._socket.perform)

    def resume(self, episode_id: str) -> RolloutObservation:
        """Continue an episode, such as one whose connection was lost, and return its observation as it stands."""
        return run(self._session.resume(episode_id), self._socket.perform)

    def step(self, action: Decision) -> StepResult:
        """Make one decision; raises RuntimeError before a reset."""
        return run(self._session.step(action), self._socket.perform)

    def state(self) -> Json:
        """Return episode_id, step_count and what else the server tells; raises RuntimeError before a reset."""
        return run(self._session.state(), self._socket.perform)

    def close(self) -> None:
        """Close the session."""
        run(self._session.close(), self._socket.perform)


class AsyncCanaryClient(AsyncClosing):
    """Like `CanaryClient`, to be awaited."""

    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: Retries | None = None,
    ) -> None:
        self._session = CanarySession(retries or Retries())
        self._socket = AsyncSocket(_place(base_url, token, timeout_s))

    async def connect(self) -> None:
        """Open the socket; `reset` does it otherwise."""
        await run_async(self._session.connect(), self._socket.perform)

    async def reset(self, task: str = "easy", seed: int = 0) -> RolloutObservation:
        """Begin an episode and return its first observation."""
        return await run_async(self._session.reset(task, seed), self._socket.perform)

    async def resume(self, episode_id: str) -> RolloutObservation:
        """Continue an episode, such as one whose connection was lost, and return its observation as it stands."""
        return await run_async(self._session.resume(episode_id), self._socket.perform)

    async def step(self, action: Decision) -> StepResult:
        """Make one decision; raises RuntimeError before a reset."""
        return await run_async(self._session.step(action), self._socket.perform)

    async def state(self) -> Json:
        """Return episode_id, step_count and what else the server tells; raises RuntimeError before a reset."""
        return await run_async(self._session.state(), self._socket.perform)

    async def close(self) -> None:
        """Close the session."""
        await run_async(self._session.close(), self._socket.perform)


def _place(base_url: str, token: str | None, timeout_s: float) -> Place:
    """Return where the socket is: http becomes ws, https wss."""
    return Place("ws" + server_url(base_url, MOUNT).removeprefix("http") + "/ws", token, timeout_s)
