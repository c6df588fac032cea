"""The WebSocket wire: one text frame, one answer, websockets' errors as this package's own."""

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress

from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection as SyncConnection
from websockets.sync.client import connect as connect_sync

from releaseops_mcp.client.errors import ConnectionLost, MalformedAnswer, ServerTimeout, Unreachable, declined
from releaseops_mcp.client.flow import Command, Open, Say, Shut
from releaseops_mcp.client.http import Place

CLOSE_TIMEOUT_S = 5.0


class SyncSocket:
    """One WebSocket, which opens on command and may be shut and opened again."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._connection: SyncConnection | None = None
        self._leaving = ExitStack()

    def perform(self, command: Command) -> str | None:
        """Open, ask or shut; the answer to a `Say` is the next text frame. Raises ClientError."""
        with _faults_mapped(self._place.url):
            if isinstance(command, Say):
                return self._exchange(command.text)
            if isinstance(command, Open) and self._connection is None:
                opening = connect_sync(
                    self._place.url,
                    open_timeout=self._place.timeout_s,
                    close_timeout=CLOSE_TIMEOUT_S,
                    additional_headers=self._place.headers,
                )
                self._connection = self._leaving.enter_context(opening)
            elif isinstance(command, Shut) and self._connection is not None:
                connection, self._connection = self._connection, None
                with self._leaving:
                    if command.last:
                        connection.send(command.last)
        return None

    def _exchange(self, text: str) -> str:
        if self._connection is None:
            raise ConnectionLost(_GONE)
        with suppress(ConnectionClosed):  # a server without room says so before it is asked, and leaves
            self._connection.send(text)
        return _text(self._connection.recv(timeout=self._place.timeout_s))


class AsyncSocket:
    """Like `SyncSocket`, to be awaited."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._connection: AsyncConnection | None = None
        self._leaving = AsyncExitStack()

    async def perform(self, command: Command) -> str | None:
        """Open, ask or shut; the answer to a `Say` is the next text frame. Raises ClientError."""
        with _faults_mapped(self._place.url):
            if isinstance(command, Say):
                return await self._exchange(command.text)
            if isinstance(command, Open) and self._connection is None:
                opening = connect_async(
                    self._place.url,
                    open_timeout=self._place.timeout_s,
                    close_timeout=CLOSE_TIMEOUT_S,
                    additional_headers=self._place.headers,
                )
                self._connection = await self._leaving.enter_async_context(opening)
            elif isinstance(command, Shut) and self._connection is not None:
                connection, self._connection = self._connection, None
                async with self._leaving:
                    if command.last:
                        await connection.send(command.last)
        return None

    async def _exchange(self, text: str) -> str:
        if self._connection is None:
            raise ConnectionLost(_GONE)
        async with asyncio.timeout(self._place.timeout_s):
            with suppress(ConnectionClosed):  # as above
                await self._connection.send(text)
            return _text(await self._connection.recv())


_GONE = "the socket was closed after an earlier fault: reset() begins another episode, resume() continues one"


def _text(frame: str | bytes) -> str:
    if isinstance(frame, str):
        return frame
    raise MalformedAnswer("the server sent a binary frame: is this a ReleaseOps server?")


@contextmanager
def _faults_mapped(url: str) -> Generator[None]:
    """Turn websockets' errors into ours."""
    try:
        yield
    except ConnectionClosed as error:
        raise ConnectionLost(f"{url}: the connection broke ({error})") from error
    except InvalidStatus as error:
        status = error.response.status_code
        raise declined(f"{url}: the server answered {status} in place of a WebSocket", status) from error
    except TimeoutError as error:
        raise ServerTimeout(f"{url}: no answer in time") from error
    except (InvalidHandshake, OSError) as error:
        raise Unreachable(f"{url}: no connection ({error}): is the server running there?") from error
