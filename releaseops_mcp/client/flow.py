"""Client calls without input or output: generators that a synchronous and an asynchronous driver both can run.

A flow yields commands (send this request, wait that long), is sent what came of each, and returns the call's result.
What a client says, when it retries and what it makes of an answer is therefore written once; the two drivers below and
the wires of `http` and `socket` are all that knows about `await`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from releaseops_mcp.client.errors import ClientError
from releaseops_mcp.client.retries import Retries

Json = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request."""

    method: str
    path: str
    """Below the client's base URL."""
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Open the socket, unless it is open."""


@dataclass(frozen=True, slots=True)
class Say:
    """Send one text frame and wait for the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Shut:
    """Close the socket, after a last text frame if there is one."""

    last: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait."""

    seconds: float


Command = Request | Open | Say | Shut
Flow = Generator[Command | Pause, Any, T]


def persistent(attempt: Callable[[], Flow[T]], retries: Retries, *, safe: bool) -> Flow[T]:
    """Run an attempt again after a fault, as often as `retries` allows; `safe` says that it is applied once anyhow."""
    for number in count(1):
        try:
            return (yield from attempt())
        except ClientError as fault:
            wait_s = retries.wait_s(number, fault, safe=safe)
            if wait_s is None:
                raise
        yield Pause(wait_s)
    raise AssertionError("count never ends")


def run(flow: Flow[T], perform: Callable[[Command], Any]) -> T:
    """Run a flow to its end; `perform` carries out a command and raises ClientError."""
    try:
        command = next(flow)
        while True:
            try:
                answer = time.sleep(command.seconds) if isinstance(command, Pause) else perform(command)
            except ClientError as fault:
                command = flow.throw(fault)
            else:
                command = flow.send(answer)
    except StopIteration as end:
        return end.value


async def run_async(flow: Flow[T], perform: Callable[[Command], Awaitable[Any]]) -> T:
    """Run a flow to its end, like `run`."""
    try:
        command = next(flow)
        while True:
            try:
                waiting = asyncio.sleep(command.seconds) if isinstance(command, Pause) else perform(command)
                answer = await waiting
            except ClientError as fault:
                command = flow.throw(fault)
            else:
                command = flow.send(answer)
    except StopIteration as end:
        return end.value
