"""The HTTP wire: one request, one JSON answer, httpx's errors as this package's own."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from releaseops_mcp.client.errors import ConnectionLost, MalformedAnswer, ServerTimeout, Unreachable, declined
from releaseops_mcp.client.flow import Command, Flow, Json, Request, persistent
from releaseops_mcp.client.reading import as_object
from releaseops_mcp.client.retries import TIMEOUT_S, Retries
from releaseops_mcp.errors import InvalidArgument

BASE_URL = "http://localhost:7860"
"""Where a server listens unless told otherwise."""
MAX_PORT = 65_535
MAX_DETAIL_CHARS = 500
"""How much of a refusal is quoted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is, and how a client presents itself there."""

    url: str
    """Without a slash at its end."""
    token: str | None = None
    """Sent as a bearer token."""
    timeout_s: float = TIMEOUT_S

    def __post_init__(self) -> None:
        if self.token and not (self.token.isascii() and self.token.isprintable()):
            raise InvalidArgument("the token holds a character that no HTTP header can carry: check how it was copied")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def server_url(url: str, mount: str = "") -> str:
    """Return a server's URL with a mounted application's path, which the URL may have already.

    Raises InvalidArgument for what is no http or https URL.
    """
    trimmed = url.strip().rstrip("/")
    try:
        parsed = httpx.URL(trimmed)
    except httpx.InvalidURL as error:
        raise InvalidArgument(f"{url!a} is no URL ({error}): give one such as http://localhost:7860") from None
    if parsed.scheme not in ("http", "https") or not parsed.host or (parsed.port or 0) > MAX_PORT:
        raise InvalidArgument(f"{url!a} is no http or https URL: give one such as http://localhost:7860")
    return trimmed if trimmed.endswith(mount) else trimmed + mount


def ask(request: Request, retries: Retries, *, safe: bool) -> Flow[Json]:
    """Send a request, again where `retries` allows it, and return the JSON object of its answer."""

    def attempt() -> Flow[Json]:
        answer: Json = yield request
        return answer

    return persistent(attempt, retries, safe=safe)


class SyncHttp:
    """Sends requests over one pool of connections, which opens at the first and may be closed and used again."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._pool: httpx.Client | None = None

    def perform(self, command: Command) -> Json:
        """Send a request and return the JSON object of its answer; raises ClientError."""
        assert isinstance(command, Request)
        if self._pool is None:
            self._pool = httpx.Client(headers=self._place.headers, timeout=self._place.timeout_s)
        with faults_mapped(command):
            return _accepted(command, self._pool.request(*_parts(self._place, command), json=command.body))

    def close(self) -> None:
        """Close the connections."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None


class AsyncHttp:
    """Like `SyncHttp`, to be awaited."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._pool: httpx.AsyncClient | None = None

    async def perform(self, command: Command) -> Json:
        """Send a request and return the JSON object of its answer; raises ClientError."""
        assert isinstance(command, Request)
        if self._pool is None:
            self._pool = httpx.AsyncClient(headers=self._place.headers, timeout=self._place.timeout_s)
        with faults_mapped(command):
            return _accepted(command, await self._pool.request(*_parts(self._place, command), json=command.body))

    async def close(self) -> None:
        """Close the connections."""
        if self._pool is not None:
            await self._pool.aclose()
            self._pool = None


def _parts(place: Place, request: Request) -> tuple[str, str]:
    return request.method, place.url + request.path


@contextmanager
def faults_mapped(request: Request) -> Generator[None]:
    """Turn httpx's errors into ours, by what is known about the request's fate."""
    call = f"{request.method} {request.path}"
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
        raise Unreachable(f"{call}: no connection ({_told(error)}): is the server running there?") from error
    except httpx.TimeoutException as error:
        raise ServerTimeout(f"{call}: no answer in time") from error
    except httpx.RequestError as error:
        raise ConnectionLost(f"{call}: the connection broke ({_told(error)})") from error


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__


def _accepted(request: Request, response: httpx.Response) -> Json:
    call = f"{request.method} {request.path}"
    if not response.is_success:
        detail = " ".join(response.text.split())[:MAX_DETAIL_CHARS]
        message = f"{call}: status {response.status_code}: {detail or 'no detail'}"
        raise declined(message, response.status_code, retry_after_s(response.headers))
    try:
        answer: Any = response.json()
    except ValueError as error:
        raise MalformedAnswer(f"{call}: the answer is not JSON: is this a ReleaseOps server?") from error
    return as_object(answer, f"{call}: the answer")


def retry_after_s(headers: httpx.Headers) -> float | None:
    """Return a Retry-After in seconds; a date counts from the answer's own Date, so no clock is needed."""
    asked = headers.get("Retry-After", "").strip()
    if asked.isdecimal():
        return float(asked)
    try:
        seconds = (parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("Date", ""))).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, seconds)
