"""Both kinds of each client under one set of tests."""

import asyncio
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from releaseops_mcp.client import (
    AsyncCanaryClient,
    AsyncCanaryEpisodesClient,
    AsyncReleaseOpsEnvClient,
    CanaryClient,
    CanaryEpisodesClient,
    ReleaseOpsEnvClient,
    Retries,
)
from tests.live import server  # noqa: F401 - a fixture

AT_ONCE = Retries(first_wait_s=0.0)
"""Usual retries, without the waiting."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Synchronous or asynchronous clients."""

    gate: Callable[..., Any]
    canary: Callable[..., Any]
    episodes: Callable[..., Any]
    run: Callable[[Any], Any]
    """Returns a call's result, awaited where need be."""


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    """Synchronous clients, then asynchronous ones."""
    if request.param == "sync":
        yield Kind(ReleaseOpsEnvClient, CanaryClient, CanaryEpisodesClient, lambda result: result)
        return
    with asyncio.Runner() as runner:

        async def awaited(result: Any) -> Any:
            return await result

        def run(result: Any) -> Any:
            return runner.run(awaited(result)) if inspect.isawaitable(result) else result

        yield Kind(AsyncReleaseOpsEnvClient, AsyncCanaryClient, AsyncCanaryEpisodesClient, run)
