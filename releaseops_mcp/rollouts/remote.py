"""Rollouts on a running server, over the canary client's WebSocket."""

from releaseops_mcp.client.canary import CanaryClient
from releaseops_mcp.client.canary_models import RolloutObservation
from releaseops_mcp.client.errors import MalformedAnswer
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.rollouts.base import Moment


class AtUrl:
    """A server that runs already."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._url = url
        self._token = token

    def enter(self) -> "RemoteEnvironment":
        """Open a session; raises ClientError, and InvalidArgument for what is no URL."""
        client = CanaryClient(self._url, token=self._token)
        client.connect()
        return RemoteEnvironment(client)

    def close(self) -> None:
        """The server goes on."""


class RemoteEnvironment:
    """Plays on one session of a server."""

    def __init__(self, client: CanaryClient) -> None:
        self._client = client

    def reset(self, task: str, seed: int) -> Json:
        """Begin a rollout; raises ClientError."""
        return _shown(self._client.reset(task, seed))

    def step(self, decision: Json) -> Moment:
        """Make one decision; raises ClientError."""
        result = self._client.step(decision)
        if result.reward is None:
            raise MalformedAnswer("step: the answer holds no reward")
        return Moment(_shown(result.observation), result.reward, result.done)

    def close(self) -> None:
        """Close the session."""
        self._client.close()


def _shown(observation: RolloutObservation) -> Json:
    return observation.model_dump(exclude={"reward", "done"})
