"""Clients of a running server: typed, with faults that are errors of this package and retries where they are safe.

    gate              the original gate client: `/classic-gate`
    canary            the original canary client: the WebSocket under `/classic-canary`
    canary_episodes   canary episodes by id, over plain HTTP
    models, canary_models   what they take and return
    errors, retries   what can go wrong, and when a call is made again
    flow              the calls themselves, without input or output, for synchronous and asynchronous clients alike
    canary_session    what is said over the canary's WebSocket
    reading           answers as what the contract promises
    http, websocket   the wires

The import path of the original gate client, `releaseops_arena`, is not provided.
"""

from releaseops_mcp.client.canary import AsyncCanaryClient, CanaryClient
from releaseops_mcp.client.canary_episodes import AsyncCanaryEpisodesClient, CanaryEpisodesClient
from releaseops_mcp.client.canary_models import BegunEpisode, EpisodeStep, RolloutObservation, StepResult
from releaseops_mcp.client.errors import (
    CallRefused,
    ClientError,
    ConnectionLost,
    Declined,
    MalformedAnswer,
    ServerFault,
    ServerTimeout,
    TooManyRequests,
    Unreachable,
)
from releaseops_mcp.client.gate import AsyncReleaseOpsEnvClient, ReleaseOpsEnvClient
from releaseops_mcp.client.models import ReleaseOpsAction, ReleaseOpsObservation
from releaseops_mcp.client.retries import Retries

__all__ = [
    "AsyncCanaryClient",
    "AsyncCanaryEpisodesClient",
    "AsyncReleaseOpsEnvClient",
    "BegunEpisode",
    "CallRefused",
    "CanaryClient",
    "CanaryEpisodesClient",
    "ClientError",
    "ConnectionLost",
    "Declined",
    "EpisodeStep",
    "MalformedAnswer",
    "ReleaseOpsAction",
    "ReleaseOpsEnvClient",
    "ReleaseOpsObservation",
    "Retries",
    "RolloutObservation",
    "ServerFault",
    "ServerTimeout",
    "StepResult",
    "TooManyRequests",
    "Unreachable",
]
