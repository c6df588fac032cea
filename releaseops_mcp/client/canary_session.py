"""What a canary client says over its WebSocket, and what it makes of the answers."""

import json
from collections.abc import Mapping
from typing import Any

from releaseops_mcp.client.canary_models import RolloutObservation, StepResult
from releaseops_mcp.client.errors import (
    CallRefused,
    ClientError,
    ConnectionLost,
    MalformedAnswer,
    ServerFault,
    declined,
)
from releaseops_mcp.client.flow import Flow, Json, Open, Say, Shut, persistent
from releaseops_mcp.client.reading import as_object, parsed
from releaseops_mcp.client.retries import Retries
from releaseops_mcp.episodes.classic_canary.contract import CanaryAction
from releaseops_mcp.errors import PRESENTATIONS

Decision = CanaryAction | Mapping[str, Any]


class CanarySession:
    """What is said over one client's socket."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self._begun = False

    def connect(self) -> Flow[None]:
        """Open the socket."""

        def attempt() -> Flow[None]:
            yield Open()

        return persistent(attempt, self._retries, safe=True)

    def reset(self, task: str, seed: int) -> Flow[RolloutObservation]:
        """Begin an episode; one that was begun in vain is left to idle out."""
        return self._reset({"task": task, "seed": seed})

    def resume(self, episode_id: str) -> Flow[RolloutObservation]:
        """Continue an episode."""
        return self._reset({"episode_id": episode_id})

    def _reset(self, data: Mapping[str, Any]) -> Flow[RolloutObservation]:
        def attempt() -> Flow[RolloutObservation]:
            yield Open()
            return _result((yield from self._exchange("reset", data))).observation

        observation = yield from persistent(attempt, self._retries, safe=True)
        self._begun = True
        return observation

    def step(self, action: Decision) -> Flow[StepResult]:
        """Make one decision."""
        self._expect_begun()
        said = action.model_dump() if isinstance(action, CanaryAction) else dict(action)
        return _result((yield from self._exchange("step", said)))

    def state(self) -> Flow[Json]:
        """Ask for the session's state."""
        self._expect_begun()
        return (yield from self._exchange("state", None))

    def close(self) -> Flow[None]:
        """Say goodbye; a connection that is gone already is closed too."""
        self._begun = False
        try:
            yield Shut(last=json.dumps({"type": "close"}))
        except ConnectionLost:
            return

    def _expect_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("no episode has begun: call reset() first")

    def _exchange(self, kind: str, data: Mapping[str, Any] | None) -> Flow[Json]:
        """Say one message and return the data of its answer; any fault but a refusal shuts the socket."""
        message = {"type": kind} if data is None else {"type": kind, "data": data}
        try:
            text: str = yield Say(json.dumps(message))
            return _heard(text, kind)
        except ClientError as fault:
            if not isinstance(fault, CallRefused | ServerFault):
                yield from self._shut()
            raise

    def _shut(self) -> Flow[None]:
        try:
            yield Shut()
        except ClientError:
            return


_CAPACITY_REACHED = "CAPACITY_REACHED"
_STATUSES = {row.code: row.http_status for row in PRESENTATIONS.values()}
"""The HTTP status of the code that a frame's message begins with."""


def _heard(text: str, kind: str) -> Json:
    try:
        message: Any = json.loads(text)
        data, said = as_object(message["data"], f"{kind}: the answer's data"), message["type"]
    except (ValueError, TypeError, KeyError) as error:
        raise MalformedAnswer(
            f"{kind}: the answer is no message of the protocol: is this a ReleaseOps server?"
        ) from error
    if said == "error":
        code, text = data.get("code"), str(data.get("message"))
        status = 429 if code == _CAPACITY_REACHED else _STATUSES.get(text.partition(":")[0], 422)
        raise declined(f"{kind}: {code}: {text}", status)
    return data


def _result(data: Json) -> StepResult:
    reward, done = data.get("reward"), data.get("done")
    shown = as_object(data.get("observation"), "the observation")
    filled = {**shown, "reward": reward, "done": done}
    return parsed(StepResult, {"observation": filled, "reward": reward, "done": done})
