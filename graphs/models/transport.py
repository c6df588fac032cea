"""HTTP transports that are patient with a model's endpoint.

What an endpoint owes a client is one whole answer: 429, 5xx, broken connections, timeouts, half a JSON text and answers
that say nothing are asked for again, a bounded number of times and not before a Retry-After. What then stands goes to
the caller, as the endpoint's fault. What the model itself says wrongly is never asked for again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import sleep as real_sleep

import httpx

from graphs.models.wholeness import flaw
from releaseops_mcp.client.errors import ClientError, MalformedAnswer, declined
from releaseops_mcp.client.flow import Request
from releaseops_mcp.client.http import faults_mapped, retry_after_s
from releaseops_mcp.client.retries import Retries

STREAM = "text/event-stream"


class PatientTransport(httpx.BaseTransport):
    """Sends a request through another transport, again where that is worth it."""

    def __init__(
        self, below: httpx.BaseTransport, retries: Retries, sleep: Callable[[float], None] | None = None
    ) -> None:
        self._below, self._retries, self._sleep = below, retries, sleep or real_sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return a whole answer, or a refusal that stands; raises ClientError."""
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            try:
                with faults_mapped(Request(request.method, request.url.path)):
                    response = self._below.handle_request(request)
                    if not _is_stream(response):
                        response.read()
                _check(request, response)
                return response
            except ClientError as fault:
                wait_s = self._retries.wait_s(attempt, fault, safe=True)
                if wait_s is None:
                    return _standing(response, fault)
            self._sleep(wait_s)

    def close(self) -> None:
        self._below.close()


class AsyncPatientTransport(httpx.AsyncBaseTransport):
    """`PatientTransport` for event loops."""

    def __init__(
        self,
        below: httpx.AsyncBaseTransport,
        retries: Retries,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._below, self._retries, self._sleep = below, retries, sleep

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return a whole answer, or a refusal that stands; raises ClientError."""
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            try:
                with faults_mapped(Request(request.method, request.url.path)):
                    response = await self._below.handle_async_request(request)
                    if not _is_stream(response):
                        await response.aread()
                _check(request, response)
                return response
            except ClientError as fault:
                wait_s = self._retries.wait_s(attempt, fault, safe=True)
                if wait_s is None:
                    return _standing(response, fault)
            await self._sleep(wait_s)

    async def aclose(self) -> None:
        await self._below.aclose()


def _is_stream(response: httpx.Response) -> bool:
    return response.is_success and response.headers.get("Content-Type", "").startswith(STREAM)


def _check(request: httpx.Request, response: httpx.Response) -> None:
    """Raise the ClientError that an answer amounts to, if any."""
    if response.is_success:
        found = "" if _is_stream(response) else flaw(response.content)
        if found:
            raise MalformedAnswer(f"{request.method} {request.url.path}: {found}")
    else:
        message = f"{request.method} {request.url.path}: status {response.status_code}"
        raise declined(message, response.status_code, retry_after_s(response.headers))


def _standing(response: httpx.Response | None, fault: ClientError) -> httpx.Response:
    """Return a refusal as it came, so that the caller reads its text; raise any other fault."""
    if response is None or response.is_success:
        raise fault
    return response
